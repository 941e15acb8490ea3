"""Inhale, exhale and assert: what is owned, what is known."""

from __future__ import annotations

from pitviper.engines.concrete.interpreter import run_member
from pitviper.engines.concrete.options import Inputs, Tape
from pitviper.engines.concrete.outcome import Failed, Infeasible
from tests.unit.engines.concrete.running import (
    FALSE,
    INFEASIBLE,
    PASSED,
    A,
    check,
    program_of,
    run,
    tape,
    verdict,
)


def test_exhale_takes_permission() -> None:
    assert check("inhale acc(x.f)\nexhale acc(x.f, 1/2)\nexhale acc(x.f, 1/2)") == PASSED
    assert (
        check("inhale acc(x.f)\nexhale acc(x.f, 1/2)\nexhale acc(x.f)")
        == "exhale.failed:insufficient.permission"
    )
    assert check("exhale acc(x.f, none)") == PASSED


def test_expressions_are_evaluated_before_the_exhale_but_perm_after() -> None:
    start = "inhale acc(x.f)\nx.f := 1\n"
    assert check(start + "exhale acc(x.f) && x.f == 1") == PASSED
    assert check(start + "exhale x.f == 1 && acc(x.f)") == PASSED
    assert check(start + "exhale acc(x.f, 1/2) && perm(x.f) == 1/2") == PASSED
    assert check(start + "exhale acc(x.f, 1/2) && perm(x.f) == write") == (
        "exhale.failed:assertion.false"
    )
    assert check(start + "exhale acc(x.f) && (forperm z: Ref [z.f] :: false)") == PASSED


def test_assert_takes_nothing() -> None:
    assert check("inhale acc(x.f)\nassert acc(x.f) && perm(x.f) == none\nx.f := 1") == PASSED
    assert check("inhale acc(x.f, 1/2)\nassert acc(x.f, 1/2) && acc(x.f, 1/2)") == (
        "assert.failed:insufficient.permission"
    )


def test_a_value_is_lost_with_the_last_permission() -> None:
    lost = "inhale acc(x.f)\nx.f := 5\nexhale acc(x.f)\ninhale acc(x.f)\nassert x.f == 5"
    kept = "inhale acc(x.f)\nx.f := 5\nexhale acc(x.f, 1/2)\ninhale acc(x.f, 1/2)\nassert x.f == 5"
    assert check(lost) == FALSE
    assert check(kept) == PASSED


def test_more_than_everything_is_impossible() -> None:
    assert check("inhale acc(x.f)\ninhale acc(x.f, 1/100)\nassert false") == INFEASIBLE
    assert check("inhale acc(null.f)\nassert false") == INFEASIBLE
    assert check("inhale acc(null.f, none)\nassert false") == FALSE


def test_amounts_may_not_be_negative() -> None:
    assert check("inhale acc(x.f, -(1/2))") == "inhale.failed:negative.permission"
    assert check("exhale acc(x.f, -(1/2))") == "exhale.failed:negative.permission"


def test_inhale_is_from_left_to_right() -> None:
    assert check("inhale acc(x.f) && x.f == 4\nassert x.f == 4") == PASSED
    assert check("inhale x.f == 4 && acc(x.f)") == "inhale.failed:insufficient.permission"
    assert check("inhale b ==> acc(x.f)\nx.f := 1") == PASSED
    assert check("inhale b ? acc(x.g) : acc(x.f)\nx.f := 1") == (
        "assignment.failed:insufficient.permission"
    )


def test_the_sides_of_an_inhale_exhale_assertion() -> None:
    assert check("inhale [acc(x.f), acc(x.g)]\nx.f := 1") == PASSED
    assert check("inhale acc(x.f)\nexhale [false, acc(x.f)]\nassert perm(x.f) == none") == PASSED
    assert check("inhale [i == 3, false]\nassert [false, i == 3]") == PASSED
    assert check("assert [true, false]") == FALSE


def test_wildcards() -> None:
    some = "inhale acc(x.f, wildcard)\nassert perm(x.f) > none\n"
    assert check(some + "exhale acc(x.f, wildcard)\nexhale acc(x.f, wildcard)") == PASSED
    assert check("exhale acc(x.f, wildcard)") == "exhale.failed:insufficient.permission"
    framed = "inhale acc(x.f)\nx.f := 3\nexhale acc(x.f, wildcard)\nassert x.f == 3\nx.f := 4"
    assert check(framed) == "assignment.failed:insufficient.permission"


def test_a_finding_names_the_conjunct() -> None:
    program = program_of(
        "method m(x: Ref)\n{ inhale acc(x.f) && x.f == 1\nassert x.f > 0 && x.f > 1 }"
    )
    outcome = run_member(program, "m", Inputs({"x": A}), Tape(then=0)).outcome
    assert isinstance(outcome, Failed)
    assert outcome.finding.span.text == "x.f > 0 && x.f > 1"
    assert outcome.finding.offending is not None
    assert outcome.finding.offending.text == "x.f > 1"
    assert outcome.finding.message == "Assert might fail. Assertion x.f > 1 might not hold."
    assert (outcome.finding.member, outcome.assuming) == ("m", ())


def test_a_false_assumption_says_what_it_was() -> None:
    outcome = run("method m(i: Int) requires i > 0 { assert false }", {"i": 0})
    assert isinstance(outcome, Infeasible)
    assert (outcome.assumption, outcome.span.line) == ("i > 0", 5)


def test_assume_of_permissions_adds_none() -> None:
    assert check("assume acc(x.f)\nassert false") == INFEASIBLE
    assert check("inhale acc(x.f)\nassume acc(x.f, 1/2)\nexhale acc(x.f)") == PASSED


def test_asserting_and_unfolding_in_expressions() -> None:
    assert check("assert asserting (i == 3) in b") == PASSED
    assert check("assert asserting (i == 4) in b") == FALSE


def test_unknown_references_may_be_equal() -> None:
    text = "method m(x: Ref, y: Ref) { inhale acc(x.f, 1/2) && acc(y.f, 1/2)\nassert x != y }"
    assert verdict(run(text, decisions=tape(0, 0))) == FALSE
    assert verdict(run(text, decisions=tape(0, 1))) == PASSED
