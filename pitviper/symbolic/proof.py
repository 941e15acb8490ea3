"""Proofs of pure claims: as a whole, part by part, and with all that the heaps imply."""

from __future__ import annotations

from pitviper.program import expr as pe
from pitviper.program.walk import descendants
from pitviper.solver.session import PROVED, Answer
from pitviper.symbolic.context import Context
from pitviper.symbolic.provenance import Provenance
from pitviper.symbolic.quantified_access import enriched
from pitviper.symbolic.state import PRE_STATE, State
from pitviper.terms import build as tb
from pitviper.terms import operators as op
from pitviper.terms.term import App, Term


def prove(st: State, goal: Term, e: pe.Expr, cx: Context) -> State:
    """Prove, if need be with what the heaps as a whole imply; go on as if it had held."""
    if goal is tb.TRUE or not cx.claiming:
        return st
    answer = _answer(st, goal, cx)
    if not answer.proved:
        richer = _with_old_heaps(enriched(st, cx), e, cx)
        if richer is not st:
            st, answer = richer, _answer(richer, goal, cx)
    if not answer.proved:
        cx.report(answer, st, "assertion.false", e, e)
    return st.assume(goal, provenance=Provenance(cx.group, e))


def _answer(st: State, goal: Term, cx: Context) -> Answer:
    whole = cx.ask(st, goal)
    return whole if whole.proved or not _has_parts(goal) else _by_parts(st, goal, cx)


def _has_parts(goal: Term) -> bool:
    while isinstance(goal, App) and goal.symbol is op.IMPLIES:
        goal = goal.args[1]
    return isinstance(goal, App) and goal.symbol is op.AND


def _by_parts(st: State, goal: Term, cx: Context) -> Answer:
    """Each conjunct where those before it hold: what was proved wakes up triggers."""
    while isinstance(goal, App) and goal.symbol is op.IMPLIES:
        st, goal = st.on(st.path.branch(goal.args[0])), goal.args[1]
    if not (isinstance(goal, App) and goal.symbol is op.AND):
        return cx.ask(st, goal)
    for part in goal.args:
        answer = _by_parts(st, part, cx)
        if not answer.proved:
            return answer
        st = st.assume(part)
    return PROVED


def _with_old_heaps(st: State, e: pe.Expr, cx: Context) -> State:
    """With what the old heaps imply that an expression speaks about."""
    labels = dict.fromkeys([n.label for n in descendants(e) if isinstance(n, pe.Old)])
    for label in labels:
        heap = st.old.get(PRE_STATE if label is None else label)
        if heap is not None:
            st = st.on(enriched(st.holding(heap), cx).path)
    return st
