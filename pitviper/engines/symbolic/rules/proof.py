"""Proofs of pure claims: as a whole, part by part, and with all that the heaps imply."""

from __future__ import annotations

from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.provenance import Provenance
from pitviper.engines.symbolic.quantified.access import enriched
from pitviper.engines.symbolic.state import PRE_STATE, State
from pitviper.program import expr as pe
from pitviper.program.walk import descendants
from pitviper.solver.session import ASSERT, PROVED, SPLIT, Answer
from pitviper.terms import build as tb
from pitviper.terms import operators as op
from pitviper.terms.term import App, Term

FIRST_TRY = 20_000_000
"""What a claim may cost before the heaps are looked at; then it has the whole limit again."""


def prove(st: State, goal: Term, e: pe.Expr, cx: Context) -> State:
    """Prove, if need be with what the heaps as a whole imply; go on as if it had held.

    A claim that failed on another path is not worth much time: it will not be saved.
    """
    if goal is tb.TRUE or not cx.claiming:
        return st
    failed_before = cx.has_failed("assertion.false", e)
    limit = SPLIT if failed_before else ASSERT
    answer = _answer(st, goal, min(limit, FIRST_TRY), cx)
    if not answer.proved:
        richer = _with_old_heaps(enriched(st, cx), e, cx)
        if richer is not st or answer.exhausted:
            st, answer = richer, _answer(richer, goal, limit, cx)
    if not answer.proved and not (failed_before and answer.exhausted):
        cx.about(goal).report(answer, st, "assertion.false", e, e)
    return st.assume(goal, provenance=Provenance(cx.group, e))


def _answer(st: State, goal: Term, limit: int, cx: Context) -> Answer:
    whole = cx.ask(st, goal, limit)
    return whole if whole.proved or not _has_parts(goal) else _by_parts(st, goal, limit, cx)


def _has_parts(goal: Term) -> bool:
    while isinstance(goal, App) and goal.symbol is op.IMPLIES:
        goal = goal.args[1]
    return isinstance(goal, App) and goal.symbol is op.AND


def _by_parts(st: State, goal: Term, limit: int, cx: Context) -> Answer:
    """Each conjunct where those before it hold: what was proved wakes up triggers."""
    while isinstance(goal, App) and goal.symbol is op.IMPLIES:
        st, goal = st.on(st.path.branch(goal.args[0])), goal.args[1]
    if not (isinstance(goal, App) and goal.symbol is op.AND):
        return cx.ask(st, goal, limit)
    for part in goal.args:
        answer = _by_parts(st, part, limit, cx)
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
