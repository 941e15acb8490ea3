"""What a recorder keeps of rules at work."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.provenance import Provenance
from pitviper.engines.symbolic.rules.consume import consume
from pitviper.engines.symbolic.rules.evaluate import evaluate
from pitviper.engines.symbolic.rules.flow import execute_body
from pitviper.engines.symbolic.rules.produce import produce
from pitviper.explain.recorder import Action, TraceRecorder, node_text, outcome_text
from pitviper.program import assertion as pa
from pitviper.program import stmt as ps
from pitviper.program.member import Method
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


def inner(recorder: TraceRecorder) -> list[Action]:
    [root] = recorder.roots
    assert (root.rule, node_text(root.node)) == ("member", "m")
    return root.inner


@pytest.mark.smoke
def test_a_rule_has_its_node_and_the_states_around_it() -> None:
    cx, recorder = recorded()
    [after] = produce(holding(), ACC_X_F, None, cx)
    [step] = inner(recorder)
    assert (step.rule, node_text(step.node)) == ("produce", "acc(x.f, write)")
    assert outcome_text(step) == "done"
    assert step.before is not None
    assert list(step.before.heap) == []
    assert step.after == [after]
    assert [chunk.amount for chunk in after.heap] == [tb.WRITE]


def test_both_sides_of_a_branch() -> None:
    cx, recorder = recorded()
    list(produce(holding(), pa.Guarded(B, ACC_X_F), None, cx))
    [step] = inner(recorder)
    assert [s.rule for s in step.inner] == ["branch", "produce"]
    branch = step.inner[0]
    assert branch.sides == ((True, branch.after[0]), (False, branch.after[1]))
    assert len(branch.after) == 2
    assert len(step.after) == 2


def test_a_side_that_is_impossible_has_no_state() -> None:
    cx, recorder = recorded(b)
    list(produce(holding(), pa.Guarded(B, ACC_X_F), None, cx))
    branch = inner(recorder)[0].inner[0]
    assert branch.sides == ((True, branch.after[0]), (False, None))
    assert len(branch.after) == 1


def test_questions_and_their_answers() -> None:
    cx, recorder = recorded(b)
    list(consume(holding().leaving(holding().heap), B, cx))
    [step] = inner(recorder)
    assert [(asked.goal, asked.answer.proved) for asked in step.asked] == [(b, True)]


def test_a_failure_has_the_state_being_built() -> None:
    cx, recorder = recorded()
    evaluate(holding(), X_F, cx)
    [step] = inner(recorder)
    assert (step.rule, node_text(step.node)) == ("evaluate", "x.f")
    assert outcome_text(step) == "assert.failed:insufficient.permission"
    failure = step.inner[-1]
    assert failure.rule == "failure"
    assert failure.before is not None
    assert failure.before.store["x"] is holding().store["x"]
    assert [failing.action for failing in recorder.failures] == [failure]


def test_steps_after_another_are_not_inside_it() -> None:
    cx, recorder = recorded()
    assign = ps.LocalAssign(B, B)
    execute_body(holding(), ps.Block((assign, assign)), cx)
    steps = inner(recorder)
    assert [s.rule for s in steps] == ["execute", "execute"]
    assert steps[0].after == [steps[1].before]


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
    assert inner(recorder)[0].after == [after]
    assert after.path.fact is b
    assert after.path.provenance == Provenance("precondition of m", B)


def test_without_a_recorder_nothing_is_kept() -> None:
    cx = context()
    assert cx.services.recorder is None
    [after] = produce(holding(), ACC_X_F, None, cx)
    assert after.heap.of(next(iter(after.heap)).resource)[0].amount is tb.WRITE
