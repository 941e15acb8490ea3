"""Figures 4.1 to 4.3: colours, proofs by exhaustion, and what the verifier makes of them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pitviper.base.record import replace
from pitviper.cli.main import main
from pitviper.driver.explore.explore import explore_program
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.front.frontend import load, load_text
from pitviper.driver.verify.verify import open_verifier
from pitviper.driver.wizard.colours import (
    NOT_BEGUN,
    NOT_LOOKED_AT,
    NOT_RUN,
    Knowledge,
    _failing,
    colours,
)
from pitviper.driver.wizard.wizard import run_wizard
from pitviper.engines.explore.options import SearchOptions
from pitviper.results.verdict import Verdict
from pitviper.results.wizard import Colour, WizardReport

COLOURS = Path("examples/explore/colours.vpr")

NEEDS_A_FACT = """method twice(i: Int) returns (r: Int) { r := i + i }
method needy(i: Int) requires i % 2 == 1
  ensures i != 77
method m(i: Int)
{
  var r: Int
  r := twice(i)
  assert r == 2 * i
  assert r % 2 == 0
}
"""


def _wizard(path: Path) -> WizardReport:
    return run_wizard(load(path), ExploreOptions(search=SearchOptions(runs=40)))


def test_figure_4_1_three_colours() -> None:
    report = _wizard(COLOURS)

    colours = {(p.span.text, p.member): p.colour for p in report.places}
    assert colours["sum == n * n", "yellow"] is Colour.YELLOW
    assert colours["x != 10", "yellow"] is Colour.RED
    assert colours["squared == i * i", "verified"] is Colour.GREEN


def test_figure_4_2_an_error_of_the_verifier_is_spurious() -> None:
    report = _wizard(COLOURS)

    (place,) = [p for p in report.places if p.member == "exhaustive"]
    assert place.colour is Colour.GREEN
    assert place.spurious
    assert place.by == "exploration"


def test_figure_4_3_the_verifier_proves_the_promise_with_what_exploration_proved(
    tmp_path: Path,
) -> None:
    program = tmp_path / "doubled.vpr"
    program.write_text(COLOURS.read_text())
    assert main(["wizard", "--mark", "--runs", "40", str(program)]) == 1
    marked = re.findall(
        r'@verified_under\("true", "\w+"\) assert squared == i \* i', program.read_text()
    )
    assert len(marked) == 2

    with open_verifier() as verifier:
        done = verifier.verify(verifier.read(program))
    assert done.members["doubled"].verdict is Verdict.VERIFIED
    assert done.members["yellow"].verdict is Verdict.REFUTED

    assert main(["wizard", "--unmark", str(program)]) == 0
    assert program.read_text() == COLOURS.read_text()


def test_a_proof_that_rests_on_bodies_says_what_contracts_allow() -> None:
    report = _wizard(COLOURS)

    (place,) = [p for p in report.places if p.member == "exhaustive"]
    assert place.bodies == ("square_silently",)
    assert "the contract of square_silently allows" in place.doubt
    assert place.test is not None


def test_marked_permissions_are_not_assumed(tmp_path: Path) -> None:
    program = tmp_path / "p.vpr"
    program.write_text("""field f: Int
method m(x: Ref) { @verified_under("true") assert acc(x.f)
 x.f := 1 }""")
    with open_verifier() as verifier:
        done = verifier.verify(verifier.read(program))

    assert done.verdict is Verdict.REFUTED


def test_a_proved_fact_makes_the_next_one_provable(tmp_path: Path) -> None:
    program = tmp_path / "p.vpr"
    program.write_text(NEEDS_A_FACT)
    report = _wizard(program)

    assert {p.colour for p in report.places} == {Colour.GREEN}
    assert report.turns >= 2


FUNCTIONS = """field f: Int
function bad(n: Int): Int
  ensures result > 0
{ n }
function fine(n: Int): Int
  ensures result > n
{ n + 1 }
predicate p(x: Ref) { acc(x.f) && x.f / x.f == 1 }
"""


def test_functions_have_colours_and_no_error_is_left_out(tmp_path: Path) -> None:
    program = tmp_path / "f.vpr"
    program.write_text(FUNCTIONS)
    report = _wizard(program)

    colours = {p.span.line: p.colour for p in report.places}
    assert colours == {3: Colour.RED, 6: Colour.GREEN, 8: Colour.YELLOW}
    (yellow,) = [p for p in report.places if p.colour is Colour.YELLOW]
    assert yellow.open == (NOT_RUN,)
    assert main(["wizard", str(program)]) == 1
    assert main(["wizard", "--method", "fine", str(program)]) == 0


BEHIND = """field f: Int
method plain(x: Int) { assert x != x  assert 1 == 2 }
method promise(x: Int) ensures 1 == 3 { assert x != x }
method branches(x: Int)
{
  if (x > 0) { assert x != x } else { assert x <= 0 }
  assert 1 == 4
}
method fields(x: Ref) { x.f := 1  assert 1 == 5 }
method around(x: Int)
{
  var i: Int := 0
  while (i < 2) { assert i <= 1 || i == 7  assert x != x  i := i + 1 }
  assert 1 == 6
}
method before(x: Int) { assert x == x  assert x != x }
"""


def test_what_stands_behind_a_failure_is_not_green(tmp_path: Path) -> None:
    path = tmp_path / "after.vpr"
    path.write_text(BEHIND)

    found = {(p.member, p.span.text): p.colour for p in _wizard(path).places}

    assert not [key for key, colour in found.items() if "1 ==" in key[1] and colour is Colour.GREEN]
    assert found["plain", "1 == 2"] is Colour.UNREACHED
    assert found["promise", "1 == 3"] is Colour.UNREACHED
    assert found["fields", "1 == 5"] is Colour.UNREACHED
    assert found["branches", "x <= 0"] is Colour.GREEN
    assert found["before", "x == x"] is Colour.GREEN
    assert found["around", "i <= 1 || i == 7"] is not Colour.GREEN


def test_every_form_says_that_it_was_not_reached(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, page = tmp_path / "after.vpr", tmp_path / "colours.html"
    path.write_text("method plain(x: Int)\n{\n  assert x != x\n  assert 1 == 2\n}\n")

    assert main(["wizard", "--format", "json", str(path)]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    behind = [line for line in lines if line["kind"] == "assertion" and line["line"] == 4]
    assert [(line["colour"], line["by"]) for line in behind] == [("not reached", "")]
    assert lines[-1]["green"] == 0

    assert main(["wizard", "--format", "sarif", "--html", str(page), str(path)]) == 1
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    told = {
        r["locations"][0]["physicalLocation"]["region"]["startLine"]: r.get("kind", "fail")
        for r in run["results"]
    }
    assert told == {3: "fail", 4: "open"}
    text = page.read_text()
    assert '<span class="badge faint">not reached</span>' in text
    assert "something before it fails" in text
    assert "by the verifier" not in text


ASKS = """function pos(n: Int): Int
  requires n > 0
field f: Int
"""

INSIDE = {
    "assert": "method m(n: Int) { assert pos(n) == pos(n) }",
    "postcondition": "method m(n: Int) ensures pos(n) == pos(n) { }",
    "invariant": "method m(n: Int)\n{ while (n > 9) invariant pos(n) == pos(n) { inhale false } }",
    "exhale": "method m(x: Ref, n: Int) requires acc(x.f) { exhale acc(x.f) && pos(n) == pos(n) }",
    "condition": "method m(n: Int) { if (pos(n) > 0) { assert true } }",
}


def test_promises_are_looked_at_in_their_order(tmp_path: Path) -> None:
    path = tmp_path / "p.vpr"
    path.write_text("""method m(x: Int) returns (y: Int)
      ensures y > x
      ensures y > 7
      ensures y >= x
    { y := x + 1 }
    function f(x: Int): Int ensures result > x  ensures result > 7  ensures result >= x { x + 1 }
    """)
    report = _wizard(path)
    found = {(p.member, p.span.text): p.colour for p in report.places}
    for member, value in (("m", "y"), ("f", "result")):
        assert found[member, f"{value} > x"] is Colour.GREEN
        assert found[member, f"{value} > 7"] is Colour.RED
        assert found[member, f"{value} >= x"] is Colour.UNREACHED


def test_the_smallest_of_failing_inputs_is_shown() -> None:
    """One of many was made small and told at once; the others as far as there was time."""
    text = "method m(b: Bool, x: Int) { if (b) { assume x > 0 }  assert x != 7 }"
    (done,) = explore_program(load_text(text, "p.vpr"), ExploreOptions())
    first, second = done.certain_failures
    assert first.test is not None
    larger = replace(first, test=replace(first.test, inputs=(*first.test.inputs, ("more", "1"))))
    (place,) = done.places
    assert _failing(place, (larger, second)) is second


def test_a_body_stands_before_a_promise_that_lacks_permission(tmp_path: Path) -> None:
    """What the verifier proved there is green; what it did not is not, on whichever way."""
    path = tmp_path / "p.vpr"
    path.write_text("""field f: Int
    method m(x: Ref, b: Bool) requires acc(x.f) && x.f > 3
      ensures acc(x.f)
      ensures x.f > 3
    {
      assert x.f > 2
      if (b) { exhale acc(x.f) } else { assert x.f > 4 }
      assert b || perm(x.f) == write
    }
    """)
    found = {(p.span.text, p.error): p.colour for p in _wizard(path).places}
    assert found["x.f > 2", "assert.failed"] is Colour.GREEN
    assert found["b || perm(x.f) == write", "assert.failed"] is not Colour.RED
    assert found["x.f > 4", "assert.failed"] is Colour.RED
    assert found["acc(x.f)", "postcondition.violated"] is Colour.RED
    assert found["x.f > 3", "postcondition.violated"] is Colour.UNREACHED


@pytest.mark.parametrize("where", INSIDE)
def test_what_a_function_asks_for_inside_of_an_assertion_is_red(tmp_path: Path, where: str) -> None:
    """The assertion around it is neither proved nor an error that is spurious."""
    path = tmp_path / "inside.vpr"
    path.write_text(ASKS + INSIDE[where])
    report = _wizard(path)

    (red,) = [p for p in report.places if p.colour is Colour.RED]
    assert (red.span.text, red.error) == ("pos(n)", "application.precondition")
    around = [p for p in report.places if p is not red and "pos(n)" in p.span.text]
    assert all(p.colour is Colour.UNREACHED and not p.spurious for p in around)
    assert not report.assumed
    assert main(["wizard", "--runs", "40", str(path)]) == 1


def test_what_stands_behind_a_precondition_without_meaning_is_not_green(tmp_path: Path) -> None:
    program = tmp_path / "p.vpr"
    program.write_text("""field f: Int
method shared(s: Seq[Ref])
  requires |s| == 2 && (forall i: Int :: 0 <= i && i < 2 ==> acc(s[i].f, 1/2))
{ assert s[0] != s[1] }
method bare(x: Ref) requires x.f > 0 { assert x == x }
""")
    colours = {p.span.text: p.colour for p in _wizard(program).places}

    assert colours["x.f > 0"] is Colour.RED
    assert colours["s[0] != s[1]"] is Colour.UNREACHED
    assert colours["x == x"] is Colour.UNREACHED


def test_assertions_that_nobody_came_to_are_yellow(tmp_path: Path) -> None:
    """Where the time is over before anybody has said a word."""
    text = "method m(x: Int) ensures 1 == 1 { assert x == x  assert x != 3  assert x != 4 }"
    path = tmp_path / "p.vpr"
    path.write_text(text)
    program = load(path).program
    assert program is not None
    silent = colours(Knowledge(program), ("m",), str(path), chosen=True, turns=0)

    assert [(p.span.text, p.colour, p.open) for p in silent.places] == [
        (words, Colour.YELLOW, (NOT_BEGUN,)) for words in ("1 == 1", "x == x", "x != 3", "x != 4")
    ]
    assert silent.undecided == (("m", "its turn did not come"),)

    with open_verifier() as verifier:
        outcomes = verifier.verify(load(path)).members
    known = Knowledge(program, dict(outcomes), dict(outcomes))
    half = colours(known, ("m",), str(path), chosen=True, turns=0)
    found = {p.span.text: p.colour for p in half.places}
    assert found["x == x"] is Colour.GREEN
    assert found["x != 3"] is Colour.YELLOW
    assert found["x != 4"] is Colour.UNREACHED


def test_json_names_the_file_of_an_assertion(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "other.vpr").write_text("method other(x: Int) { assert x != 3 }")
    program = tmp_path / "p.vpr"
    program.write_text('import "other.vpr"\nmethod m(x: Int) { assert x == x }')
    assert main(["wizard", "--format", "json", str(program)]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    placed = [line for line in lines if line["kind"] in ("assertion", "failing-run")]
    assert {Path(line["file"]).name for line in placed} == {"p.vpr", "other.vpr"}
    assert lines[0]["kind"] == "failing-run"
    assert Path(lines[0]["file"]).name == "other.vpr"


def test_of_two_failures_in_a_loop_none_hides_the_other() -> None:
    """Each stood 'behind' the other, so that nothing was shown to fail."""
    text = """method m(x: Int)
{
  var y: Int := 0
  var i: Int := 0
  while (i < 2)
  {
    label l
      invariant i < 2
    assert i == 1 ==> x != 0
    y := 1 \\ x
    i := i + 1
    if (i < 2) { goto l }
  }
}
"""
    report = run_wizard(load_text(text, "p.vpr"), ExploreOptions(search=SearchOptions(runs=40)))

    shown = {p.span.text: p.colour for p in report.places}
    assert shown["y := 1 \\ x"] is not Colour.UNREACHED
    assert shown["i == 1 ==> x != 0"] is not Colour.UNREACHED


def test_a_way_that_a_callee_assumes_away_is_not_run() -> None:
    text = "method inh(x: Int) { inhale x != 0 }\nmethod m(x: Int) { inh(x) assert x != 0 }\n"
    report = run_wizard(load_text(text, "p.vpr"), ExploreOptions())

    (place,) = [p for p in report.places if p.member == "m"]
    assert place.colour is Colour.YELLOW
    assert (place.ways, place.left) == (1, 1)


TERMINATION = """function f(x: Int): Int
  requires 0 <= x && x <= 3
  decreases -x
  ensures result >= 0
{ x == 0 ? 0 : f(x - 1) }
domain WellFoundedOrder[T] {
  function decreasing(a: T, b: T): Bool
  function bounded(a: T): Bool
}
domain IntWellFoundedOrder {
  axiom { forall a: Int, b: Int :: {(decreasing(a, b): Bool)} a < b ==> decreasing(a, b) }
  axiom { forall a: Int :: {(bounded(a): Bool)} a >= 0 ==> bounded(a) }
}
"""


def test_no_run_says_that_a_measure_gets_smaller() -> None:
    """It was green, and the error spurious: all runs end, but nobody looked at the measure."""
    report = run_wizard(load_text(TERMINATION, "p.vpr"), ExploreOptions())

    shown = {p.error: p for p in report.places}
    assert shown["termination.failed"].colour is Colour.YELLOW
    assert not shown["termination.failed"].spurious
    assert shown["termination.failed"].open == (NOT_LOOKED_AT,)
    assert shown["postcondition.violated"].colour is Colour.GREEN


def test_a_call_that_may_not_end_is_not_the_check_of_its_precondition() -> None:
    """The error was nowhere: it stood at the place of another check."""
    text = """import <decreases/int.vpr>
method m(n: Int, k: Int)
  requires n >= 0
  decreases n + k
{ if (n > 0) { m(n - 1, k) } }
"""
    report = run_wizard(load_text(text, "p.vpr"), ExploreOptions())

    assert "termination.failed" in [p.error for p in report.places]
