"""Proofs of pure claims, part by part."""

from __future__ import annotations

from pitviper.engines.symbolic.rules.consume import prove
from pitviper.engines.symbolic.state import State
from pitviper.terms import build as tb
from tests.unit.engines.symbolic.bench_of_rules import B, b, codes, context, facts, n, v

LOW, HIGH = tb.less(tb.integer(0), n), tb.less(n, v)


def test_a_goal_that_follows_as_a_whole_is_known_afterwards() -> None:
    goal = tb.conjoin(LOW, HIGH)
    cx = context(goal)

    st = prove(State({}), goal, B, cx)

    assert codes(cx) == []
    assert facts(st) == [LOW, HIGH]


def test_a_goal_may_follow_part_by_part() -> None:
    cx = context(LOW, HIGH)

    prove(State({}), tb.implies(b, tb.conjoin(LOW, HIGH)), B, cx)

    assert codes(cx) == []


def test_a_part_that_does_not_follow_is_a_finding() -> None:
    cx = context(LOW)

    prove(State({}), tb.conjoin(LOW, HIGH), B, cx)

    assert codes(cx) == ["assert.failed:assertion.false"]


def test_where_nothing_is_claimed_nothing_is_proved() -> None:
    cx = context().unjudged()

    assert facts(prove(State({}), LOW, B, cx)) == []
    assert codes(cx) == []
