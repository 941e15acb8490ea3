"""What a recorder keeps of rules at work."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.rules.consume import consume
from pitviper.engines.symbolic.rules.evaluate import evaluate
from pitviper.engines.symbolic.rules.flow import execute_body
from pitviper.engines.symbolic.rules.produce import produce
from pitviper.explain.recorder import PRUNED, TraceRecorder
from pitviper.program import assertion as pa
from pitviper.program import stmt as ps
from pitviper.program.member import Method
from pitviper.results.trace import TraceStep
from pitviper.terms import build as tb
from pitviper.terms.term import Term
from tests.unit.engines.symbolic.bench_of_rules import (
    ACC_X_F,
    X_F,
    B,
    X,
    b,
    context,
    field_chunk,
    holding,
)

MEMBER = Method("m", (X,), (), (), (), (), None)


def recorded(*proved: Term) -> tuple[Context, TraceRecorder]:
    cx, recorder = context(*proved), TraceRecorder()
    recorder.started(MEMBER)
    services = replace(cx.services, recorder=recorder, origins=recorder.origins)
    return replace(cx, services=services), recorder


def inner(recorder: TraceRecorder) -> tuple[TraceStep, ...]:
    [root] = recorder.steps()
    assert (root.rule, root.text) == ("member", "m")
    return root.steps


@pytest.mark.smoke
def test_a_rule_has_its_node_and_the_states_around_it() -> None:
    cx, recorder = recorded()
    [after] = produce(holding(), ACC_X_F, None, cx)
    [step] = inner(recorder)
    assert (step.rule, step.text, step.outcome) == ("produce", "acc(x.f, write)", "done")
    assert step.before is not None
    assert recorder.view(step.before).heap == ()
    assert recorder.view(step.after[0]).heap == ("acc(x.f, write) with value old[debug@0](x.f)",)
    assert after.heap is not holding().heap


def test_both_sides_of_a_branch() -> None:
    cx, recorder = recorded()
    list(produce(holding(), pa.Guarded(B, ACC_X_F), None, cx))
    [step] = inner(recorder)
    assert [s.rule for s in step.steps] == ["branch", "produce"]
    branch = step.steps[0]
    assert [(side.taken, side.pruned) for side in branch.sides] == [(True, None), (False, None)]
    assert len(branch.after) == 2
    assert len(step.after) == 2


def test_a_side_that_is_impossible_says_why() -> None:
    cx, recorder = recorded(b)
    list(produce(holding(), pa.Guarded(B, ACC_X_F), None, cx))
    branch = inner(recorder)[0].steps[0]
    assert [(side.taken, side.pruned) for side in branch.sides] == [(True, None), (False, PRUNED)]


def test_questions_and_their_answers() -> None:
    cx, recorder = recorded(b)
    list(consume(holding().leaving(holding().heap), B, cx))
    [step] = inner(recorder)
    assert [(q.goal, q.answer) for q in step.questions] == [("b", "proved")]


def test_a_failure_has_the_state_being_built() -> None:
    cx, recorder = recorded()
    evaluate(holding(), X_F, cx)
    [step] = inner(recorder)
    assert (step.rule, step.text) == ("evaluate", "x.f")
    assert step.outcome == "assert.failed:insufficient.permission"
    failure = step.steps[-1]
    assert failure.rule == "failure"
    assert failure.before is not None
    assert dict(recorder.view(failure.before).store)["x"] == "x"


def test_steps_after_another_are_not_inside_it() -> None:
    cx, recorder = recorded()
    assign = ps.LocalAssign(B, B)
    execute_body(holding(), ps.Block((assign, assign)), cx)
    steps = inner(recorder)
    assert [s.rule for s in steps] == ["execute", "execute"]
    assert steps[0].after == (steps[1].before,)


def test_merged_states() -> None:
    cx, recorder = recorded()
    branch = ps.If(B, ps.Block((ps.LocalAssign(B, B),)), ps.Block(()))
    assert len(execute_body(holding(field_chunk()), ps.Block((branch,)), cx)) == 1
    merge = inner(recorder)[-1]
    assert merge.rule == "merge"
    assert (len(merge.merged), len(merge.after)) == (2, 1)


def test_assumptions_say_where_they_come_from() -> None:
    cx, recorder = recorded()
    [after] = produce(holding(), B, None, cx.assuming_from("precondition of m"))
    number = inner(recorder)[0].after[0]
    assert [(a.text, a.description) for a in recorder.view(number).assumptions] == [
        ("b", "precondition of m: b")
    ]
    assert after.path.fact is b


def test_without_a_recorder_nothing_is_kept() -> None:
    cx = context()
    assert cx.services.recorder is None
    [after] = produce(holding(), ACC_X_F, None, cx)
    assert after.heap.of(next(iter(after.heap)).resource)[0].amount is tb.WRITE
