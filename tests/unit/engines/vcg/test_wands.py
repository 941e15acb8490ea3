"""Packages with the second verifier: the programs of the thesis, attacks, and further ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.driver.suite.lists import AGREEING
from pitviper.driver.suite.programs import find_programs, vcg_engine
from pitviper.driver.suite.suite import run_suite
from pitviper.driver.work.tasks import Limits
from pitviper.engines.vcg.wands import package
from pitviper.results.verdict import Verdict
from tests.unit.engines.vcg.verifying import findings_of, results_of

PROGRAMS = Path(__file__).parents[3] / "programs" / "wands"


def test_the_same_verdicts_as_annotated() -> None:
    """Listings of the thesis, the attacks, and their twins that are right."""
    programs = find_programs(PROGRAMS)
    results = list(run_suite(programs, vcg_engine, Limits(jobs=2, timeout=600.0)))

    assert {str(r.name) for r in results} == {path.name for path in PROGRAMS.glob("*.vpr")}
    assert len(results) > 20
    assert {str(r.name): r for r in results if r.status not in AGREEING} == {}


FIELDS = "field f: Int\nfield b: Bool\n"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # Names that may mean the same location do not count as held twice, and are given once.
        (
            """method m(x: Ref, y: Ref) requires acc(x.f, 1/2) && acc(y.f, 1/2) {
              package true --* acc(x.f, 1/2) && acc(y.f, 1/2)
              assert perm(x.f) == 1/2
            }""",
            ["assert.failed:assertion.false@5"],
        ),
        (
            """method m(x: Ref, y: Ref) requires acc(x.f) {
              package true --* (x == y ==> acc(y.f, 1/2)) && acc(x.f, 1/2)
              assert perm(x.f) == (x == y ? none : 1/2)
            }""",
            [],
        ),
        # The part in the footprint fixes the value, whatever happened to the other part.
        (
            """method m(x: Ref) requires acc(x.f) && x.f == 1 {
              package acc(x.f, 1/2) --* acc(x.f)
              exhale acc(x.f, 1/2)
              inhale acc(x.f, 1/2)
              apply acc(x.f, 1/2) --* acc(x.f)
              assert x.f == 1
            }""",
            [],
        ),
        (
            """method m(x: Ref) requires acc(x.f) && x.f == 1 {
              package acc(x.f, 1/2) --* acc(x.f)
              exhale acc(x.f, 1/2)
              inhale acc(x.f, 1/2)
              assert x.f == 1
            }""",
            ["assert.failed:assertion.false@7"],
        ),
        # What the larger amount took is lost when the smaller one comes back.
        (
            """method m(x: Ref, y: Ref) requires acc(x.f) && acc(y.b) {
              package acc(y.b) --* acc(y.b) && acc(x.f, y.b ? 1/2 : 1/4)
              y.b := false
              apply acc(y.b) --* acc(y.b) && acc(x.f, y.b ? 1/2 : 1/4)
              assert perm(x.f) == 3/4
              assert perm(x.f) == write
            }""",
            ["assert.failed:assertion.false@8"],
        ),
        # One of two instances is taken into a package: nobody knows which.
        (
            """method m(x: Ref) requires acc(x.f) --* acc(x.f) {
              package acc(x.f) --* acc(x.f)
              package acc(x.f) --* acc(x.f) && x.f == old[lhs](x.f) {
                apply acc(x.f) --* acc(x.f)
              }
            }""",
            ["package.failed:assertion.false@5"],
        ),
        (
            """method m(x: Ref) {
              package acc(x.f) --* acc(x.f)
              package acc(x.f) --* acc(x.f) && x.f == old[lhs](x.f) {
                apply acc(x.f) --* acc(x.f)
              }
            }""",
            [],
        ),
        # An inner wand may need what only the outer left-hand side decides.
        (
            """method m(x: Ref, y: Ref) requires acc(y.f) {
              package acc(x.b) --* (true --* acc(x.b) && (x.b ==> acc(y.f))) {
                package true --* acc(x.b) && (x.b ==> acc(y.f))
              }
              assert acc(y.f)
            }""",
            ["assert.failed:insufficient.permission@7"],
        ),
        # Instances that were given away and came back are others.
        (
            """method m(x: Ref, s: Set[Ref]) requires x in s
              requires forall r: Ref :: r in s ==> (acc(r.f) --* acc(r.f)) {
              inhale acc(x.f)
              var one: Int; var two: Int
              one := applying (acc(x.f) --* acc(x.f)) in x.f
              two := applying (acc(x.f) --* acc(x.f)) in x.f
              assert one == two
              exhale forall r: Ref :: r in s ==> (acc(r.f) --* acc(r.f))
              inhale forall r: Ref :: r in s ==> (acc(r.f) --* acc(r.f))
              two := applying (acc(x.f) --* acc(x.f)) in x.f
              assert one == two
            }""",
            ["assert.failed:assertion.false@13"],
        ),
        # One location, then many others.
        (
            """method m(x: Ref, y: Ref, s: Set[Ref]) requires x in s && acc(y.b)
              requires forall r: Ref :: r in s ==> acc(r.f) {
              package acc(y.b) --* acc(y.b) && (y.b ==> acc(x.f)) &&
                (forall r: Ref :: r in s && r != x ==> acc(r.f, 1/2))
              assert perm(x.f) == none
              assert forall r: Ref :: r in s && r != x ==> perm(r.f) == 1/2
              assert false
            }""",
            ["assert.failed:assertion.false@9"],
        ),
        # Many values come back from the footprint.
        (
            """method m(x: Ref, s: Set[Ref]) requires x in s
              requires forall r: Ref :: r in s ==> acc(r.f) && r.f == 1 {
              package (forall r: Ref :: r in s ==> acc(r.f, 1/2)) --*
                (forall r: Ref :: r in s ==> acc(r.f))
              exhale forall r: Ref :: r in s ==> acc(r.f, 1/2)
              inhale forall r: Ref :: r in s ==> acc(r.f, 1/2)
              apply (forall r: Ref :: r in s ==> acc(r.f, 1/2)) --*
                (forall r: Ref :: r in s ==> acc(r.f))
              assert x.f == 1
              assert false
            }""",
            ["assert.failed:assertion.false@12"],
        ),
    ],
)
def test_footprints(body: str, expected: list[str]) -> None:
    assert findings_of(FIELDS + body) == expected


def test_blocks_of_scripts_are_not_taken_for_blocks_of_the_method() -> None:
    """Two scripts with branches, then a method with more than ten blocks: labels stay apart."""
    script = "package true --* true { if (d) { assert true } else { assert true } }"
    choice = "if (d) { r := 0 } else { r := 0 }"
    text = f"""method m(c: Bool, d: Bool) {{
      {script} {script}
      var r: Int := 0
      if (c) {{ r := 1
        goto end }}
      {choice} {choice} {choice} {choice}
      label end
      assert r == 0
    }}"""

    assert findings_of(text) == ["assert.failed:assertion.false@8"]


def test_a_search_that_costs_too_much_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is known then: neither that the package works, nor that it does not."""
    monkeypatch.setattr(package, "SEARCH", 1)
    text = """method m(x: Ref, y: Ref) requires acc(x.f, 1/2) && acc(y.f, 1/2) && x == y {
      package acc(x.f, 1/2) --* acc(x.f)
      assert false
    }
    method other(x: Ref) requires acc(x.f) { assert x.f == 1 }"""
    results = results_of(FIELDS + text)

    assert results["m"].verdict is Verdict.UNDECIDED
    assert [(u.span.line, u.message) for u in results["m"].undecided] == [
        (
            4,
            "the search for the footprint of this package used up its limit of 1 solver resources",
        )
    ]
    assert results["other"].verdict is Verdict.REFUTED


def test_an_impossible_left_hand_side_is_worth_a_warning() -> None:
    text = FIELDS + "method m(x: Ref) { package acc(x.f) && acc(x.f) --* acc(x.b) }"
    result = results_of(text)["m"]

    assert not result.findings
    assert [w.message for w in result.warnings] == [
        "no state satisfies the left-hand side: the wand can never be applied"
    ]
