"""Predicates: fold, unfold, unfolding, fractions, contents."""

from __future__ import annotations

from pitviper.engines.concrete.interpreter import run_member
from pitviper.engines.concrete.options import EMPTY_TAPE, ZEROES, Inputs
from pitviper.engines.shared.values import NULL, Ref, Value
from tests.unit.engines.concrete.running import (
    FALSE,
    GIVEN,
    INFEASIBLE,
    PASSED,
    A,
    B,
    body,
    program_of,
    run,
    verdict,
)

CELL = "predicate cell(c: Ref) { acc(c.f) && c.f >= 0 }\n"
LIST = """
predicate list(l: Ref) { l != null ==> acc(l.f) && acc(l.next) && list(l.next) }
function sum(l: Ref): Int requires acc(list(l), wildcard)
{ l == null ? 0 : unfolding acc(list(l), wildcard) in l.f + sum(l.next) }
"""


def check(statements: str, declarations: str = CELL) -> str:
    return verdict(run(declarations + body(statements), GIVEN))


def test_fold_and_unfold_keep_the_value() -> None:
    folded = "inhale acc(x.f)\nx.f := 4\nfold cell(x)\n"
    assert check(folded + "assert perm(x.f) == none && perm(cell(x)) == write") == PASSED
    assert check(folded + "unfold cell(x)\nassert x.f == 4") == PASSED
    assert check(folded + "assert unfolding cell(x) in x.f == 4") == PASSED
    assert check(folded + "assert unfolding cell(x) in x.f == 5") == FALSE


def test_fold_checks_the_body() -> None:
    assert check("fold cell(x)") == "fold.failed:insufficient.permission"
    assert check("inhale acc(x.f)\nx.f := -1\nfold cell(x)") == "fold.failed:assertion.false"
    assert check("unfold cell(x)") == "unfold.failed:insufficient.permission"
    assert check("assert unfolding cell(x) in true") == "assert.failed:insufficient.permission"


def test_fractions_of_instances() -> None:
    half = "inhale acc(x.f)\nx.f := 4\nfold acc(cell(x), 1/2)\n"
    assert check(half + "assert perm(x.f) == 1/2 && x.f == 4") == PASSED
    assert check(half + "x.f := 5") == "assignment.failed:insufficient.permission"
    assert check(half + "unfold acc(cell(x), 1/2)\nx.f := 5") == PASSED
    assert check(half + "fold acc(cell(x), 1/2)\nunfold cell(x)\nassert x.f == 4") == PASSED
    assert check(half + "unfold cell(x)") == "unfold.failed:insufficient.permission"


def test_ghost_amounts_must_be_positive() -> None:
    assert check("fold acc(cell(x), none)") == "fold.failed:permission.not.positive"
    assert check("unfold acc(cell(x), -(1/2))") == "unfold.failed:permission.not.positive"


def test_wildcard_amounts_of_instances() -> None:
    start = "inhale acc(x.f, 1/3)\nassume x.f == 7\nfold acc(cell(x), wildcard)\n"
    assert check(start + "assert x.f == 7 && perm(cell(x)) > none") == PASSED
    assert check(start + "unfold acc(cell(x), wildcard)\nassert perm(cell(x)) > none") == PASSED


def test_contents_of_an_inhaled_instance_stay_the_same() -> None:
    seen = "inhale cell(x)\nvar k: Int := unfolding cell(x) in x.f\n"
    assert check(seen + "unfold cell(x)\nassert x.f == k && k >= 0") == PASSED
    assert check(seen + "exhale cell(x)\ninhale cell(x)\nassert k == unfolding cell(x) in x.f") in (
        PASSED,  # the tape happens to choose the same value
        FALSE,
    )


def test_two_halves_of_an_instance_agree() -> None:
    statements = (
        "inhale acc(cell(x), 1/2)\nvar k: Int := unfolding acc(cell(x), 1/2) in x.f\n"
        "inhale acc(cell(x), 1/2)\nassert unfolding cell(x) in x.f == k"
    )
    assert check(statements) == PASSED


def test_the_body_is_assumed_when_unfolding() -> None:
    assert check("inhale cell(x)\nunfold cell(x)\nassert x.f >= 0") == PASSED
    impossible = "predicate cell(c: Ref) { acc(c.f) && c.f > c.f }\n"
    assert check("inhale cell(x)\nunfold cell(x)\nassert false", impossible) == INFEASIBLE


def test_a_failure_needs_a_possible_state() -> None:
    """The instance holds the field, too: no heap has this state."""
    assert check("inhale cell(x)\ninhale acc(x.f)\nassert false") == INFEASIBLE
    assert check("inhale cell(x)\ninhale acc(y.f)\nassert false") == FALSE


def test_recursive_predicates_and_functions() -> None:
    build = (
        "inhale acc(x.f) && acc(x.next) && acc(y.f) && acc(y.next)\n"
        "x.f := 1\ny.f := 2\nx.next := y\ny.next := null\n"
        "fold list(null)\nfold list(y)\nfold list(x)\n"
    )
    assert check(build + "assert sum(x) == 3", LIST) == PASSED
    assert check(build + "assert sum(x) == 4", LIST) == FALSE
    assert check(build + "unfold list(x)\nassert sum(y) == 2", LIST) == PASSED


def test_inputs_reach_into_predicates() -> None:
    text = LIST + (
        "method m(l: Ref) returns (s: Int) requires list(l) ensures list(l) && s == 9\n"
        "{ s := sum(l) }"
    )
    heap: dict[tuple[Ref, str], Value] = {
        (A, "f"): 4, (A, "next"): B, (B, "f"): 5, (B, "next"): NULL
    }  # fmt: skip
    assert verdict(run(text, {"l": A}, heap, EMPTY_TAPE)) == PASSED
    assert (
        verdict(run(text, {"l": B}, heap, EMPTY_TAPE)) == "postcondition.violated:assertion.false"
    )


def test_a_body_that_is_not_framed() -> None:
    text = "predicate bad(c: Ref) { c.f > 0 && acc(c.f) }\n"
    expected = "predicate.not.wellformed:insufficient.permission"
    outcome = run_member(program_of(text), "bad", Inputs({"c": A}), ZEROES).outcome
    assert verdict(outcome) == expected
    assert check("inhale bad(x)\nunfold bad(x)", text) == expected
