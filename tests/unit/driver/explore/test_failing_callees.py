"""A run that fails in a callee: who called it is not to blame, and nothing behind it is proved."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.cli.main import main
from pitviper.driver.explore.explore import explore_loaded
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.front.frontend import load_text
from pitviper.driver.wizard.wizard import run_wizard
from pitviper.results.exploration import Claim, Exploration
from pitviper.results.wizard import Colour

CALLED = """method bad(x: Int) { assert x != 0 }
method m(x: Int)
{
  bad(x)
  assert x != 0
}
"""

APPLIED = """function f(x: Int): Int { 1 \\ x }
method m(x: Int)
{
  var y: Int := f(x)
  assert x != 0
}
"""

PROMISED = """method bad(x: Int) returns (y: Int) ensures y > x { y := 1 \\ x }
method m(x: Int)
{
  var y: Int
  y := bad(x)
  assert y >= x
}
"""

OPENED = """field f: Int
predicate p(x: Ref) { acc(x.f) && 1 \\ x.f > 0 }
method m(x: Ref) requires p(x)
{
  unfold p(x)
  assert x.f != 0
}
"""


def _explored(text: str, workers: int) -> Exploration:
    _, done = explore_loaded(load_text(text, "p.vpr"), ExploreOptions(workers=workers))
    assert done is not None
    return done


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize("text", [CALLED, APPLIED, OPENED])
def test_a_method_does_not_fail_for_what_it_uses(text: str, workers: int) -> None:
    done = _explored(text, workers)
    method = done.methods[-1]

    assert method.claim is Claim.OPEN
    assert method.certain_failures
    assert any("fails where it is used" in why for why in method.open)
    assert done.claim is Claim.FAILS


@pytest.mark.parametrize("workers", [0, 1])
def test_it_may_be_proved_by_what_callees_promise(workers: int) -> None:
    bad, m = _explored(PROMISED, workers).methods

    assert bad.claim is Claim.FAILS
    assert m.claim is Claim.PROVED
    assert {run.finding.member for run in m.certain_failures if run.finding} == {"bad"}


@pytest.mark.parametrize("text", [CALLED, APPLIED, OPENED])
def test_nothing_behind_it_is_green(text: str) -> None:
    """It was, and the error of the verifier was called spurious: no run that fails came there."""
    report = run_wizard(load_text(text, "p.vpr"), ExploreOptions())

    (behind,) = [p for p in report.places if p.member == "m" and p.error == "assert.failed"]
    assert behind.colour is Colour.YELLOW
    assert not behind.spurious
    assert behind.covered < 1


def test_what_fails_is_red_with_the_inputs_of_who_uses_it() -> None:
    report = run_wizard(load_text(APPLIED, "p.vpr"), ExploreOptions())

    (red,) = report.with_colour(Colour.RED)
    assert red.member == "f"
    assert red.test is not None
    assert red.test.method == "m"
    assert dict(red.test.inputs) == {"x": "0"}


def test_nothing_behind_it_is_marked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A mark would have been assumed: `verify` would have called a wrong assertion verified."""
    program = tmp_path / "p.vpr"
    program.write_text(CALLED, encoding="utf-8")

    assert main(["wizard", "--mark", str(program)]) == 1
    assert program.read_text(encoding="utf-8") == CALLED
    assert "in a run of" not in capsys.readouterr().out


def test_what_is_proved_in_spite_of_a_callee_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "p.vpr"
    file.write_text(PROMISED + "method whole() { var y: Int\n  y := bad(0) }\n")
    assert main(["explore", "--method", "m", "--method", "whole", str(file)]) == 1
    said = capsys.readouterr().out
    assert "  proved  method m: " in said
    assert "          if bad keeps its contract, which is not so with the inputs above\n" in said
    assert "Explored 2 methods: 2 proved; bad fails where it is called (" in said
    assert "  inputs: none\n" in said
