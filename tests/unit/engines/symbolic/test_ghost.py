"""Folds and unfolds that were left out: what is inferred, where, and what stays refuted."""

from __future__ import annotations

from functools import lru_cache

import pytest

from pitviper.base.record import replace
from pitviper.driver.front.frontend import load_text
from pitviper.driver.verify.verification import verify_program
from pitviper.engines.symbolic.options import Options
from pitviper.program.member import Program
from pitviper.results.verdict import MemberOutcome, Verdict

DECLARATIONS = """
field f: Int
field next: Ref
predicate cell(x: Ref) { acc(x.f) }
predicate two(x: Ref) { cell(x) && acc(x.next) }
predicate list(x: Ref) { x != null ==> acc(x.f) && acc(x.next) && list(x.next) }
predicate elements(x: Ref, s: Seq[Int])
{ x != null ==> acc(x.f) && acc(x.next) && |s| > 0 && x.f == s[0] && elements(x.next, s[1..]) }
predicate secret(x: Ref)
function get(x: Ref): Int requires cell(x) { unfolding cell(x) in x.f }
method set(x: Ref, v: Int) requires cell(x) ensures cell(x) && get(x) == v
method give(x: Ref, s: Seq[Int]) requires elements(x, s ++ s)
"""


@lru_cache
def program(text: str) -> Program:
    found = load_text(DECLARATIONS + text, "ghost.vpr").program
    assert found is not None
    return found


def outcome(text: str, *, infer: bool = True) -> MemberOutcome:
    done = verify_program(program(text), Options(infer_ghost=infer))
    (found,) = [member for member in done.members if member.name == "m"]
    return found


def inferred(text: str) -> list[str]:
    """The statements with which a method is verified that fails without them."""
    assert outcome(text, infer=False).verdict is Verdict.REFUTED
    done = outcome(text)
    assert done.verdict is Verdict.VERIFIED
    return [step.text for step in done.inferred]


CELL = "method m(x: Ref, v: Int) requires cell(x) ensures cell(x) && get(x) == v {\n  x.f := v\n}"


@pytest.mark.smoke
def test_the_paper_s_cell_needs_no_ghost_statements() -> None:
    assert inferred(CELL) == ["unfold acc(cell(x), write)", "fold acc(cell(x), write)"]


def test_nothing_is_inferred_unless_it_is_asked_for() -> None:
    done = outcome(CELL, infer=False)
    assert [f.id for f in done.findings] == ["assignment.failed:insufficient.permission"]
    assert done.inferred == ()


def test_a_program_with_its_ghost_statements_needs_no_others() -> None:
    text = "method m(x: Ref) requires cell(x) ensures cell(x) {"
    done = outcome(text + " unfold cell(x) x.f := 1 fold cell(x) }")
    assert (done.verdict, done.inferred) == (Verdict.VERIFIED, ())


def test_the_places_of_statements() -> None:
    first = DECLARATIONS.count("\n") + 1
    steps = outcome(CELL).inferred
    assert [str(step) for step in steps] == [
        f"before line {first + 1}, column 3: unfold cell(x)",
        f"at the end of the body in line {first + 2}, column 1: fold cell(x)",
    ]


def test_what_is_suggested_can_be_written_down() -> None:
    text = """
    method m(x: Ref) requires list(x) && x != null ensures list(x) {
      var y: Ref := x.next
      if (y != null) { y.f := 3 }
    }"""
    steps = outcome(text).inferred
    assert [(step.text, step.sometimes) for step in steps] == [
        ("unfold acc(list(x), write)", False),
        ("unfold acc(list(y), write)", False),
        ("fold acc(list(y), write)", True),
        ("fold acc(list(x), write)", False),
    ]
    written = """
    method m(x: Ref) requires list(x) && x != null ensures list(x) {
      unfold acc(list(x), write)
      var y: Ref := x.next
      if (y != null) { unfold acc(list(y), write) y.f := 3 fold acc(list(y), write) }
      fold acc(list(x), write)
    }"""
    done = outcome(written)
    assert (done.verdict, done.inferred) == (Verdict.VERIFIED, ())


def test_a_new_node_goes_before_a_list() -> None:
    text = """
    method m(l: Ref) returns (r: Ref) requires list(l) ensures list(r)
    { r := new(f, next)  r.next := l }"""
    assert inferred(text) == ["fold acc(list(r), write)"]


def test_a_call_gets_what_it_asks_for() -> None:
    text = "method m(x: Ref) requires acc(x.f) ensures cell(x) { set(x, 3) assert get(x) == 3 }"
    assert inferred(text) == ["fold acc(cell(x), write)"]


def test_arguments_of_a_call_are_written_as_they_are_there() -> None:
    text = "method m(t: Seq[Int]) { give(null, t) }"
    assert inferred(text) == ["fold acc(elements(null, t ++ t), write)"]


def test_instances_inside_instances() -> None:
    text = "method m(x: Ref) requires two(x) ensures two(x) { x.f := x.f + 1 }"
    assert inferred(text) == [
        "unfold acc(two(x), write)",
        "unfold acc(cell(x), write)",
        "fold acc(cell(x), write)",
        "fold acc(two(x), write)",
    ]


def test_parts_of_instances() -> None:
    text = """
    method m(x: Ref) returns (r: Int) requires acc(cell(x), 1/2) ensures acc(cell(x), 1/2)
    { r := x.f }"""
    assert inferred(text) == ["unfold acc(cell(x), 1 / 2)", "fold acc(cell(x), 1 / 2)"]


def test_the_instance_of_the_receiver_comes_first() -> None:
    text = "method m(a: Ref, b: Ref) requires cell(a) && cell(b) { b.f := 1 }"
    assert inferred(text) == ["unfold acc(cell(b), write)"]


def test_loops() -> None:
    text = """
    method m(x: Ref) requires acc(x.f) ensures acc(x.f) {
      var i: Int := 0
      while (i < 3) invariant cell(x) {
        x.f := i
        i := i + 1
      }
      x.f := 0
    }"""
    steps = outcome(text).inferred
    assert [(step.position.name, step.text) for step in steps] == [
        ("BEFORE", "fold acc(cell(x), write)"),
        ("BEFORE", "unfold acc(cell(x), write)"),
        ("END_OF_LOOP", "fold acc(cell(x), write)"),
        ("BEFORE", "unfold acc(cell(x), write)"),
    ]
    assert inferred(text) == [step.text for step in steps]


def test_conditions_of_branches() -> None:
    text = "method m(x: Ref) requires cell(x) { if (x.f > 0) { x.f := 0 } }"
    assert inferred(text) == ["unfold acc(cell(x), write)"]
    assert outcome(text).inferred[0].span.text.startswith("if (x.f > 0)")
    text = "method m(x: Ref, b: Bool) requires cell(x) { if (b) { } elseif (x.f > 0) { } }"
    assert inferred(text) == ["unfold acc(cell(x), write)"]
    assert outcome(text).inferred[0].where.startswith("in an else block around the elseif")


def test_steps_of_several_paths_are_in_the_order_of_each() -> None:
    text = """
    method m(x: Ref, b: Bool) requires two(x) ensures two(x) {
      unfold two(x)
      if (b) { x.f := 1 }
    }"""
    steps = [(step.text, step.sometimes) for step in outcome(text).inferred]
    assert steps == [
        ("unfold acc(cell(x), write)", False),
        ("fold acc(cell(x), write)", True),
        ("fold acc(two(x), write)", False),
    ]


def test_a_name_that_is_out_of_sight_is_not_used() -> None:
    text = """
    method m(x: Ref, b: Bool) requires list(x) && x != null {
      if (b) { var inner: Ref := x.next  assert list(inner) }
      else { var other: Ref := x.next  assert list(other) }
      exhale list(x.next)
    }"""
    assert inferred(text) == ["unfold acc(list(x), write)"] * 2


@pytest.mark.parametrize(
    "text",
    [
        "method m(x: Ref, y: Ref) requires list(x) ensures list(x) { y.f := 3 }",
        "method m(x: Ref) requires acc(x.next) { exhale cell(x) }",
        "method m(x: Ref) requires secret(x) { x.f := 1 }",
        "method m(x: Ref) requires acc(x.f) { exhale secret(x) }",
        "method m(x: Ref) requires cell(x) { exhale cell(x) && acc(x.f) }",
        "method m(x: Ref) requires cell(x) { unfold cell(x) x.f := 1 assert x.f == 2 }",
        "method m(x: Ref) requires acc(x.f, 1/2) { set(x, 1) }",
        "method m(x: Ref) requires acc(cell(x), 1/2) { x.f := 1 }",
        "method m(x: Ref) requires cell(x) requires x.f > 0 { }",
        "method m(x: Ref) requires cell(x) ensures cell(x) && x.f > 0 { }",
        "method m(x: Ref) requires cell(x) { while (x.f > 0) { } }",
        "method m(x: Ref) requires cell(x) { package acc(x.next) --* two(x) { assert acc(x.f) } }",
        "method m(x: Ref) requires list(x) { exhale elements(x, Seq(1)) }",
    ],
)
def test_what_cannot_be_inferred_has_the_same_findings(text: str) -> None:
    plain, helped = outcome(text, infer=False), outcome(text)
    assert plain.verdict is Verdict.REFUTED
    found = tuple([replace(finding, notes=()) for finding in helped.findings])
    assert (found, helped.inferred) == (plain.findings, ())


def test_the_functions_and_predicates_of_a_program_are_not_helped() -> None:
    found = outcome("function m(x: Ref): Int requires cell(x) { x.f }")
    assert (found.verdict, found.inferred) == (Verdict.REFUTED, ())


def test_findings_after_inferred_statements_are_told() -> None:
    done = outcome("method m(x: Ref) requires cell(x) { x.f := 1  assert x.f == 2 }")
    assert [f.id for f in done.findings] == ["assert.failed:assertion.false"]
    assert [step.text for step in done.inferred] == ["unfold acc(cell(x), write)"]
