"""What became of a missing permission, found without a solver where terms say it all."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.engines.symbolic.heap.chunk import EMPTY, Chunk, Heap, field_resource
from pitviper.engines.symbolic.provenance import BranchPoint, Location, Step
from pitviper.engines.symbolic.state import State
from pitviper.explain.findings import conditions_of
from pitviper.explain.history import MAX_QUESTIONS, history_of
from pitviper.program import stmt as ps
from pitviper.program.assertion import PredicateLocation
from pitviper.program.expr import BoolLit, PermConstant, PermLit, Var
from pitviper.program.types import REF
from pitviper.source.span import SourceFile, Span
from pitviper.terms import build as tb
from pitviper.terms.sort import BOOL, INT
from pitviper.terms.sort import REF as REF_SORT
from pitviper.terms.term import Term

FILE = SourceFile(Path("a.vpr"), "m(x)\nexhale acc(x.f)\nwhile (b) {}\n")
F = field_resource("f")
X, Y = tb.constant("x@0", REF_SORT), tb.constant("y@0", REF_SORT)
LACKING = Location(F, (X,))
CALL = ps.MethodCall("m", (), (), span=Span(FILE, 0, 4))
EXHALE = ps.Exhale(BoolLit(True), span=Span(FILE, 5, 20))
INHALE = ps.Inhale(BoolLit(True), span=Span(FILE, 5, 20))
LOOP = ps.While(
    BoolLit(True, span=Span(FILE, 28, 29)), (), (), ps.Block(()), span=Span(FILE, 21, 33)
)


def held(receiver: Term, amount: Term = tb.WRITE) -> Heap:
    return EMPTY.adding(Chunk(F, (receiver,), tb.constant("v", INT), amount))


def nothing(_: State, __: Term) -> bool:
    return False


@pytest.mark.smoke
def test_the_call_that_took_the_permission() -> None:
    st = State({})
    events = history_of(st, LACKING, [Step(CALL, held(X), st)], nothing)
    assert [(e.text, e.span) for e in events] == [
        ("the permission was given up by this call of m and not returned", CALL.span)
    ]


def test_a_part_of_the_permission() -> None:
    st = State({}, held(X, tb.rational(1, 2)))
    events = history_of(st, LACKING, [Step(CALL, held(X), st)], nothing)
    assert [e.text for e in events] == [
        "part of the permission was given up by this call of m and not returned"
    ]


def test_the_last_loss_counts() -> None:
    st = State({})
    gained = st.holding(held(X))
    steps = [Step(CALL, held(X), st), Step(INHALE, EMPTY, gained), Step(EXHALE, held(X), st)]
    assert [e.text for e in history_of(st, LACKING, steps, nothing)] == [
        "the permission was exhaled here"
    ]


def test_nothing_is_said_if_the_permission_came_back_and_was_lost_elsewhere() -> None:
    st = State({})
    steps = [Step(CALL, held(X), st), Step(INHALE, EMPTY, st.holding(held(X)))]
    assert history_of(st, LACKING, steps, nothing) == ()


def test_steps_of_other_paths_do_not_count() -> None:
    condition = tb.constant("b", BOOL)
    here = State({}).on(State({}).path.branch(condition))
    there = State({}).on(State({}).path.branch(tb.negate(condition)))
    assert history_of(here, LACKING, [Step(CALL, held(X), there)], nothing) == ()


def test_steps_before_a_branch_count() -> None:
    st = State({})
    here = st.on(st.path.branch(tb.constant("b", BOOL)))
    assert len(history_of(here, LACKING, [Step(CALL, held(X), st)], nothing)) == 1


def test_another_name_of_the_same_object_is_asked_about() -> None:
    st = State({})
    steps = [Step(CALL, held(Y), st)]
    assert history_of(st, LACKING, steps, nothing) == ()
    assert len(history_of(st, LACKING, steps, lambda _, __: True)) == 1


def test_questions_are_bounded() -> None:
    asked: list[Term] = []

    def count(_: State, goal: Term) -> bool:
        asked.append(goal)
        return False

    st = State({})
    others = [tb.constant(f"z@{i}", REF_SORT) for i in range(40)]
    history_of(st, LACKING, [Step(CALL, held(z), st) for z in others], count)
    assert len(asked) == MAX_QUESTIONS


def test_a_loop_counts_only_while_it_lasts() -> None:
    frame = held(X)
    inside = State({}, frames=(frame,))
    steps = [Step(LOOP, frame, inside)]
    [event] = history_of(inside, LACKING, steps, nothing)
    assert event.text.startswith("the permission stayed outside this loop")
    assert event.span == LOOP.condition.span
    assert history_of(inside.framed(()), LACKING, steps, nothing) == ()


def test_what_an_earlier_part_of_the_assertion_has_is_not_lost() -> None:
    st = State({}, held(X)).leaving(EMPTY)
    assert history_of(st, LACKING, [Step(CALL, held(X), State({}))], nothing) == ()


def test_a_fold_says_into_what() -> None:
    location = PredicateLocation("P", (Var("x", REF),))
    fold = ps.Fold(location, PermLit(PermConstant.WRITE), span=CALL.span)
    st = State({})
    assert history_of(st, LACKING, [Step(fold, held(X), st)], nothing)[0].text == (
        "the permission was folded into P(x) here"
    )


@pytest.mark.smoke
def test_the_decisions_on_a_path() -> None:
    b = tb.constant("b", BOOL)
    body = ps.Block((), span=Span(FILE, 0, 33))
    free = BranchPoint(LOOP.condition, body, taken=False, forced=False)
    forced = BranchPoint(LOOP.condition, body, taken=True, forced=True)
    elsewhere = BranchPoint(LOOP.condition, CALL, taken=True, forced=False)
    path = State({}).path.branch(b, free).branch(b, forced).branch(b).branch(b, elsewhere)
    assert [(c.holds, c.used) for c in conditions_of(path)] == [
        ("!true", None),
        ("true", CALL.span),
    ]
