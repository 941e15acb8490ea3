"""Expressions that are evaluated in another state: old heaps, bindings, ghost operations."""

from __future__ import annotations

from typing import TypeAlias

from pitviper.base.record import replace
from pitviper.engines.concrete.heap.heap import Heap
from pitviper.engines.concrete.rules import consume as consume_rules
from pitviper.engines.concrete.rules import evaluate as rules
from pitviper.engines.concrete.rules import predicate, wand
from pitviper.engines.concrete.run import Run
from pitviper.engines.concrete.state import UNSETTLED, State
from pitviper.engines.concrete.values.unknown import Raw
from pitviper.program.expr import Applying, Asserting, Expr, Let, Old, Unfolding

Scoped: TypeAlias = Old | Let | Unfolding | Applying | Asserting


def evaluate_scoped(st: State, e: Scoped, run: Run) -> Raw:
    scope, body = enter(st, e, run)
    return rules.evaluate_raw(scope, body, run)


def enter(st: State, e: Scoped, run: Run) -> tuple[State, Expr]:
    """The state in which the body of `e` is evaluated, and that body."""
    match e:
        case Old(label, operand):
            return replace(st, heap=_old_heap(st, e, label, run), outer=(), exhaled=None), operand
        case Let(variable, bound, body):
            return st.binding(variable.name, rules.evaluate_raw(st, bound, run)), body
        case Unfolding(location, amount, body):
            return predicate.unfold(_unsettled(st), location, amount, run), body
        case Applying(applied, body):
            return wand.apply_wand(_unsettled(st), applied, run), body
        case Asserting(assertion, body):
            consume_rules.consume(st, assertion, run)
            return st, body


def _old_heap(st: State, e: Old, label: str | None, run: Run) -> Heap:
    heap = st.old.get(label)
    if heap is None:
        run.fail("labelled.state.not.reached", e, e, str(label))
    return heap


def _unsettled(st: State) -> State:
    """What is held in the middle of an exhale, after an unfolding, has no definite answer."""
    if st.exhaled is None or st.exhaled.chunks == st.heap.chunks:
        return replace(st, exhaled=None)
    return replace(st, exhaled=UNSETTLED)
