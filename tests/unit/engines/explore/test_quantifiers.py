"""Quantifiers and quantified permissions: which values are looked at, and what is said of all."""

from __future__ import annotations

import pytest

from pitviper.results.exploration import Claim
from tests.unit.engines.explore.exploring import explored, failed_lines, inputs_at

TRUE_OF_ALL = {
    "arithmetic": "method m(a: Int) { assert forall i: Int :: i * i + a * a >= 0 }",
    "an assumption gives all instances": """
domain D { function g(i: Int): Int }
method m(a: Int) requires forall i: Int :: g(i) > i
{ assert g(a) > a && g(a + 7) > 7 + a }""",
    "a witness": "method m(a: Int) requires exists i: Int :: i + i == a { assert a % 2 == 0 }",
    "nested": "method m() { assert forall i: Int :: exists j: Int :: j > i }",
    "equal to something": """
field f: Int
method m(x: Ref) requires forall y: Ref :: y == x ==> acc(y.f)
{ x.f := 1; assert x.f == 1 }""",
    "sums around the variable": """
method m(s: Seq[Int], k: Int)
  requires |s| < 3 && forall i: Int :: 0 <= i - k && i - k < |s| ==> s[i - k] > 0
{ assert |s| == 2 ==> s[1] > 0 }""",
    "equivalent to membership": """
method m(s: Set[Int]) requires |s| < 4 && forall i: Int :: (0 <= i && i < 2) == (i in s)
{ assert |s| == 2 && 1 in s && !(2 in s) }""",
    "an amount that is none elsewhere": """
field f: Int
domain A { function loc(i: Int): Ref  function inv(r: Ref): Int
  axiom { forall i: Int :: { loc(i) } inv(loc(i)) == i } }
method m() requires forall i: Int :: acc(loc(i).f, 0 <= i && i < 2 ? write : none)
{ loc(1).f := 4; assert loc(1).f == 4 && perm(loc(0).f) == write }""",
    "a function in the body": """
function twice(i: Int): Int { i + i }
method m() { assert forall i: Int :: twice(i) - i == i }""",
}

TRUE_OF_ALL["objects, compared in both orders"] = """
domain D { function g(r: Ref): Int }
method m(x: Ref, y: Ref) requires forall r: Ref :: x == r || r == y ==> g(r) > 0
{ assert g(x) > 0 && g(y) > 0 }"""

FALSE_OF_SOME = {
    "a value is found": (
        "method m(a: Int) requires a > 9 { assert forall i: Int :: i * a != 36 }",
        1,
    ),
    "an assumption does not give more": (
        """domain D { function g(i: Int): Int }
method m(a: Int) requires forall i: Int :: i > 0 ==> g(i) > 4
{ assert g(a) > 4 }""",
        3,
    ),
    "no witness": (
        "method m(s: Set[Int]) requires |s| < 3 { assert exists i: Int :: i in s && i > 0 }",
        1,
    ),
    "no witness among all numbers": (
        "method m(a: Int) requires a > 1 { assert exists i: Int :: i * 0 == a - 2 }",
        1,
    ),
    "all objects": (
        "field f: Int\nmethod m(x: Ref)\n{ assert forall r: Ref :: r != x ==> r == null }",
        3,
    ),
    "permissions for all objects": (
        "field f: Int\nmethod m(x: Ref) requires acc(x.f)\n"
        "{ assert forall r: Ref :: r != null ==> acc(r.f, 1/2) }",
        3,
    ),
    "locations that are one": (
        """field f: Int
domain A { function loc(i: Int): Ref }
method m()
{ inhale forall i: Int :: i > 3 ==> acc(loc(i).f) }""",
        4,
    ),
}


@pytest.mark.parametrize("what", TRUE_OF_ALL)
def test_what_is_true_of_all_is_proved(what: str) -> None:
    done = explored(TRUE_OF_ALL[what])

    assert done.failures == ()
    assert done.open == ()
    assert done.claim is Claim.PROVED


@pytest.mark.parametrize("what", FALSE_OF_SOME)
def test_what_is_false_of_one_fails(what: str) -> None:
    text, line = FALSE_OF_SOME[what]

    assert failed_lines(explored(text)) == [line]


def test_the_value_that_decides_is_told() -> None:
    done = explored("method m(a: Int) requires a == 4 { assert forall i: Int :: i * a != 36 }")

    assert inputs_at(done, 1)["i"] == "9"


def test_what_the_solver_cannot_be_told_makes_later_failures_doubtful() -> None:
    done = explored("""field f: Int
function g(x: Ref, i: Int): Int requires acc(x.f)
method m(x: Ref) requires acc(x.f) && forall i: Int :: g(x, i) > 0
{
  assert g(x, 5) > 0
}""")

    assert done.certain_failures == ()
    assert all(r.doubts for r in done.failures)
    assert done.claim is Claim.OPEN


def test_where_the_solver_has_no_model_of_a_quantifier_failures_are_doubtful() -> None:
    done = explored("""domain D { function g(i: Int): Int }
method m(a: Int) requires forall i: Int :: i > 0 ==> g(i) > i
{ assert g(a) > a }""")

    assert failed_lines(done) == []
    assert any("could not say" in doubt for run in done.failures for doubt in run.doubts)
    assert done.claim is Claim.OPEN


def test_a_body_must_have_a_value_for_all() -> None:
    done = explored("method m(a: Int)\n{ assert forall i: Int :: 7 / i > 1 ==> i == 3 || i < 3 }")

    ids = {run.finding.id for run in done.certain_failures if run.finding is not None}
    assert ids == {"assert.failed:division.by.zero"}


def test_conditions_guard_the_range_behind_them() -> None:
    done = explored("""field len: Int
method m(x: Ref, s: Seq[Int]) requires x != null ==> acc(x.len) && x.len == |s| && |s| < 3
{ assert forall i: Int :: x != null && 0 <= i && i < x.len ==> s[i] == s[i] }""")

    assert done.claim is Claim.PROVED


def test_triggers_are_not_looked_at_and_that_is_said() -> None:
    done = explored("""domain D { function g(i: Int): Int  function h(i: Int): Int }
method m() requires forall i: Int :: { h(i) } g(i) > 0
{ assert g(5) > 0 }""")

    assert done.failures == ()
    assert done.open == ("triggers of a quantifier were not looked at",)


def test_a_body_that_is_the_same_for_all_values_leaves_no_doubt() -> None:
    text = """field f: Int
function ten(j: Int): Int { 10 }
predicate P(x: Ref, b: Bool) { b ==> acc(x.f) }
method m(x: Ref, b: Bool, c: Bool) requires P(x, c)
{ assert forall j: Int :: b ? ten(j) > 5 : ten(j) > 0
  assert forall j: Int :: unfolding P(x, c) in ten(j) > 0
  assert false }"""

    assert failed_lines(explored(text)) == [7]


def test_a_body_that_depends_on_its_value_is_not_the_same() -> None:
    text = """function ten(j: Int): Int { j == 77 ? 9 : 10 }
method m() { assert forall j: Int :: ten(j) == 10 }"""

    assert failed_lines(explored(text)) == [2]


def test_a_function_without_body_depends_on_its_argument() -> None:
    text = """function any(j: Int): Int
method m(k: Int) requires any(k) == 3
{ assume forall j: Int :: any(j) == 3
  assert any(5) == 3 }"""

    assert explored(text).claim is not Claim.FAILS
