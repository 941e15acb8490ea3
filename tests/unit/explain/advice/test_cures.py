"""What advice names can be written into the program, and helps: every change is tried."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.driver.front.frontend import load_text
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.verify import open_verifier
from pitviper.results.report import Problem, problems_of_outcome
from pitviper.results.verdict import MemberOutcome
from pitviper.source.edit import edited
from pitviper.source.reading import decode

LIST = """field f: Int
field next: Ref
predicate list(x: Ref) { x != null ==> acc(x.f) && acc(x.next) && list(x.next) }
"""


def outcomes(text: str) -> dict[str, MemberOutcome]:
    with open_verifier(VerifyOptions()) as verifier:
        done = verifier.verify(verifier.read(decode(Path("cure.vpr"), text.encode())))
        return dict(done.members)


def problems(text: str, member: str) -> list[Problem]:
    return list(problems_of_outcome(outcomes(text)[member]))


@pytest.mark.parametrize(
    ("member", "text", "title"),
    [
        ("m", "method m(x: Ref) { x.f := 1 }", "Add `requires acc(x.f)` to m"),
        (
            "m",
            "method m(x: Ref) returns (r: Int)\n  ensures r > 0\n{ x.f := 1\n r := 1 }",
            "Add `requires acc(x.f)` to m",
        ),
        (
            "m",
            "method m(x: Ref)\n  requires list(x) && x != null\n{\n  x.f := 1\n}",
            "Write `unfold list(x)` before line 7",
        ),
        (
            "m",
            "method m(x: Ref)\n  requires list(x) && x != null { x.f := 1 }",
            "Write `unfold list(x)` before line 5",
        ),
        (
            "m",
            "method m(x: Ref)\n requires list(x)\n ensures list(x)\n{\n  unfold list(x)\n}",
            "Write `fold list(x)` at the end of m",
        ),
        (
            "m",
            "method m(x: Ref) requires list(x) ensures list(x) { unfold list(x) }",
            "Write `fold list(x)` at the end of m",
        ),
        (
            "m",
            "method m(x: Ref)\n  requires acc(x.f)\n{\n  var i: Int := 0\n  while ((i) < 3)\n  {\n"
            "    x.f := i\n    i := i + 1\n  }\n}",
            "Add `invariant acc(x.f)` to the loop of line 8",
        ),
        (
            "m",
            "method m(x: Ref)\n  requires acc(x.f)\n{\n  var i: Int := 0\n  while (i < 3)\n"
            "    invariant 0 <= i // counts\n  {\n    x.f := i\n    i := i + 1\n  }\n}",
            "Add `invariant acc(x.f)` to the loop of line 8",
        ),
        (
            "m",
            "method h() returns (r: Int) { r := 7 }\n"
            "method m() { var z: Int\n z := h()\n assert z == 7 }",
            "Add `ensures r == 7` to h",
        ),
        ("g", "function g(n: Int): Int { 10 \\ n }", "Add `requires n != 0` to g"),
        (
            "g",
            "function g(s: Seq[Seq[Int]], n: Int): Map[Int, Seq[Int]] { Map(1 \\ n := s[0]) }",
            "Add `requires n != 0` to g",
        ),
        ("m", "method m(n: Int) { assert n > 0 }", "Add `requires n > 0` to m"),
    ],
)
def test_a_change_that_advice_names_cures_its_problem(member: str, text: str, title: str) -> None:
    before = LIST + text
    (cure, id) = next(
        (cure, problem.id)
        for problem in problems(before, member)
        for cure in problem.cures
        if cure.title == title
    )
    after = edited(before, cure.edits)
    assert after != before
    assert id not in [problem.id for problem in problems(after, member)], after


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (
            "function p(i: Int): Bool\nmethod m() { assume forall i: Int :: { i + 1 } p(i) }",
            "forall i: Int :: { p(i) } p(i)",
        ),
        (
            "function p(i: Int): Bool\nfunction q(j: Int): Bool\n"
            "method m() { assume forall i: Int, j: Int :: { p(i) } p(i) && q(j) }",
            "{ p(i), q(j) } p(i) && q(j)",
        ),
    ],
)
def test_a_trigger_is_written_in_its_place(text: str, written: str) -> None:
    (problem,) = load_text(text, "cure.vpr").errors
    (cure,) = problem.cures
    after = edited(text, cure.edits)
    assert written in after
    assert not load_text(after, "cure.vpr").errors


def test_what_is_not_known_in_full_is_no_change() -> None:
    text = """method h(x: Ref) returns (r: Int) ensures r > 0 { r := 7 }
method m(x: Ref) { var z: Int
  z := h(x)
  assert z == 7
}
"""
    (problem,) = problems(text, "m")
    assert problem.help is not None
    assert "ensures ..." in problem.help
    assert problem.cures == ()


def test_macros_stay_as_they_are() -> None:
    text = "field f: Int\ndefine asked(x) acc(x.f, 1/2)\n"
    text += "method m(x: Ref) requires asked(x) { x.f := 1 }\n"
    (problem,) = problems(text, "m")
    for cure in problem.cures:
        assert not load_text(edited(text, cure.edits), "cure.vpr").errors
