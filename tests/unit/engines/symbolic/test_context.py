"""What a run remembers about checks that failed or were not decided."""

from __future__ import annotations

from pitviper.engines.symbolic.state import State
from pitviper.solver.session import Answer
from tests.unit.engines.symbolic.bench_of_rules import B, X, codes, context

EXHAUSTED = Answer(proved=False, unknown="canceled", exhausted=True)
DISPROVED = Answer(proved=False)


def test_a_check_that_fails_on_one_path_is_decided() -> None:
    cx = context()

    cx.report(EXHAUSTED, State({}), "assertion.false", B, B)
    assert len(cx.services.log.left_undecided()) == 1

    cx.report(DISPROVED, State({}), "assertion.false", B, B)
    assert codes(cx) == ["assert.failed:assertion.false"]
    assert cx.services.log.left_undecided() == ()


def test_the_same_failure_on_another_path_counts_as_reported() -> None:
    cx = context()
    cx.fail(State({}), "assertion.false", B, B)
    before = cx.reported

    cx.fail(State({}), "assertion.false", B, B)

    assert cx.reported > before
    assert codes(cx) == ["assert.failed:assertion.false"]


def test_checks_of_different_constructs_fail_on_their_own() -> None:
    cx = context()
    cx.fail(State({}), "assertion.false", B, B)

    assert cx.has_failed("assertion.false", B)
    assert not cx.has_failed("insufficient.permission", B)
    assert not cx.proving("fold.failed", X).has_failed("assertion.false", B)
