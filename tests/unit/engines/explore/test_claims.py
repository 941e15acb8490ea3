"""What exploration claims: one word in all views, and `proved` only where contracts suffice."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pitviper.cli.main import main
from pitviper.driver.explore.explore import explore_program
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.front.frontend import load_text
from pitviper.engines.explore.options import Calls, ModelOptions, SearchOptions
from pitviper.engines.explore.runtime.run import RunLimits
from pitviper.results.exploration import Claim, MethodExploration, claim_of_all

WEAK = """method one() returns (r: Int) ensures r > 0 { r := 1 }
method m() { var x: Int; x := one(); assert x == 1 }"""

STRONG = WEAK.replace("assert x == 1", "assert x >= 1")

BODIES_ALONE = """method m(n: Int) returns (r: Int) requires 0 <= n && n <= 2
{
  if (n == 0) { r := 0 } else {
    r := m(n - 1)
    assert r == n - 1
    r := r + 1
  }
}"""

RECURSIVE_FUNCTION = """function sum(n: Int): Int requires 0 <= n { n == 0 ? 0 : n + sum(n - 1) }
method m() { assert sum(3) == 6 }"""

ENDLESS_CALLEE = """method count(n: Int) returns (r: Int) ensures r >= n
{ r := n
  while (r < 100000) invariant r >= n { r := r + 1 } }
method m(n: Int) { var r: Int; r := count(n); assert r >= n }"""


def _claimed(text: str, *, workers: int = 0, calls: Calls = Calls.INLINE) -> MethodExploration:
    front = load_text(text, "t.vpr")
    assert front.program is not None, front.errors
    search = SearchOptions(runs=100, limits=RunLimits(steps=1_000))
    model = ModelOptions(calls=calls)
    options = ExploreOptions(methods=("m",), model=model, search=search, workers=workers)
    (done,) = explore_program(front, options)
    return done


@pytest.mark.parametrize("workers", [0, 1])
def test_a_contract_that_is_too_weak_leaves_holds_with_the_inputs(workers: int) -> None:
    done = _claimed(WEAK, workers=workers)

    assert done.claim is Claim.HOLDS
    assert done.inlined == ("one",)
    (beyond,) = done.beyond
    assert beyond.finding is not None and beyond.finding.span.line == 2
    assert "the contract of one allows" in beyond.doubts[0]
    assert done.certain_failures == ()


@pytest.mark.parametrize("workers", [0, 1])
def test_a_contract_that_suffices_makes_a_proof(workers: int) -> None:
    done = _claimed(STRONG, workers=workers)

    assert done.claim is Claim.PROVED
    assert done.beyond == ()


def test_the_body_of_a_recursive_method_is_no_contract() -> None:
    done = _claimed(BODIES_ALONE)

    assert done.claim is Claim.HOLDS
    assert done.inlined == ("m",)
    assert len(done.beyond) == 1


def test_values_of_recursive_functions_only_hold() -> None:
    done = _claimed(RECURSIVE_FUNCTION)

    assert done.claim is Claim.HOLDS
    assert done.inlined == ("sum",)


def test_a_callee_that_is_too_long_to_run_is_replaced_by_its_contract() -> None:
    assert _claimed(ENDLESS_CALLEE).claim is Claim.PROVED


def test_a_search_by_contracts_is_not_repeated() -> None:
    assert _claimed(WEAK, calls=Calls.CONTRACT).claim is Claim.FAILS


def test_the_weakest_claim_counts() -> None:
    assert claim_of_all([Claim.PROVED, Claim.HOLDS]) is Claim.HOLDS
    assert claim_of_all([Claim.HOLDS, Claim.OPEN, Claim.PROVED]) is Claim.OPEN
    assert claim_of_all([Claim.OPEN, Claim.FAILS]) is Claim.FAILS
    assert claim_of_all([]) is Claim.OPEN


@pytest.mark.parametrize(
    ("text", "word", "code"),
    [
        (WEAK, "holds", 0),
        (STRONG, "proved", 0),
        (STRONG.replace("x >= 1", "x >= 2"), "fails", 1),
        ("method m() { while (true) { } }", "open", 4),
    ],
)
def test_the_word_is_the_same_everywhere(
    text: str, word: str, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program, page = tmp_path / "p.vpr", tmp_path / "p.html"
    program.write_text(text)
    arguments = ["explore", "--method", "m", "--steps", "200", str(program)]

    assert main([*arguments, "--html", str(page)]) == code
    assert f"{word:<6}  method m:" in capsys.readouterr().out
    assert re.search(rf'<span class="badge \w+">{word}</span>', page.read_text())
    assert main([*arguments, "--format", "json"]) == code
    objects = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    told = [o["claim"] for o in objects if o["kind"] in ("explored-method", "exploration")]
    assert told == [word, word]
    other = {"holds", "proved", "fails", "open", "verified"} - {word}
    assert not {v for o in objects for v in o.values() if isinstance(v, str)} & other
