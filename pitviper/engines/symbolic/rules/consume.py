"""Figure 7: consumption of assertions; what is left is `st.left`, the result is a snapshot."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.base.record import replace
from pitviper.encoding.inhale_exhale import brings_more, flattened
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap import nesting
from pitviper.engines.symbolic.heap.access import permission_amount, take
from pitviper.engines.symbolic.heap.chunk import Kind
from pitviper.engines.symbolic.heap.request import Request
from pitviper.engines.symbolic.outcomes import branch, in_order
from pitviper.engines.symbolic.provenance import Provenance
from pitviper.engines.symbolic.quantified import permissions as quantified_rules
from pitviper.engines.symbolic.quantified.access import enriched
from pitviper.engines.symbolic.rules import evaluate as evaluate_rules
from pitviper.engines.symbolic.rules import predicate as predicate_rules
from pitviper.engines.symbolic.rules import quantifier
from pitviper.engines.symbolic.rules.produce import check_amount
from pitviper.engines.symbolic.state import PRE_STATE, State
from pitviper.engines.symbolic.wands import apply as wand_rules
from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program.assertion import Assertion
from pitviper.program.walk import descendants
from pitviper.solver.session import ASSERT, PROVED, SPLIT, Answer
from pitviper.terms import build as tb
from pitviper.terms import operators as op
from pitviper.terms.snapshot import SNAP, UNIT, combined
from pitviper.terms.term import App, Term

Consumed = tuple[State, Term]


def consume_all(st: State, assertions: tuple[Assertion, ...], cx: Context) -> Iterator[Consumed]:
    """Conjuncts from left to right; expressions are evaluated in the heap before the first."""
    conjuncts = flattened(assertions)
    inner = cx.on_side(exhaling=True)

    def rule(
        done: tuple[State, tuple[Term, ...]], a: Assertion
    ) -> Iterator[tuple[State, tuple[Term, ...]]]:
        for s1, snap in consume(done[0], a, inner):
            yield s1, (*done[1], snap)

    start: tuple[State, tuple[Term, ...]] = (st, ())
    for s1, snaps in in_order(start, conjuncts, rule):
        yield s1, combined(snaps)


def consume(st: State, a: Assertion, cx: Context) -> Iterator[Consumed]:
    outcomes = _consume(st, a, cx)
    recorder = cx.services.recorder
    return outcomes if recorder is None else recorder.following("consume", st, a, outcomes)


def _consume(st: State, a: Assertion, cx: Context) -> Iterator[Consumed]:
    """This match is the table of contents."""
    match a:
        case pa.Access():
            yield from consume_access(st, a, cx)
        case pa.Star():
            yield from consume_all(st, (a,), cx)
        case pa.Guarded(condition, body):
            st, value = evaluate_rules.evaluate(st, condition, cx)
            for s1, taken in branch(st, value, condition, cx):
                if taken:
                    yield from consume(s1, body, cx)
                else:
                    yield s1, UNIT
        case pa.Choice(condition, then, otherwise):
            st, value = evaluate_rules.evaluate(st, condition, cx)
            for s1, taken in branch(st, value, condition, cx):
                yield from consume(s1, then if taken else otherwise, cx)
        case pa.Binding(variable, bound, body):
            st, value = evaluate_rules.evaluate(st, bound, cx)
            store = st.store
            for s1, snap in consume(st.binding(variable.name, value), body, cx):
                yield s1.storing(store), snap
        case pa.InhaleExhale():
            yield from consume_exhaled(st, a, replace(cx, folding=False) if cx.folding else cx)
        case pa.QuantifiedPermission():
            yield quantified_rules.consume_quantified(st, a, cx)
        case pa.Wand():
            st, resource, args = wand_rules.locate_wand(st, a, cx)
            yield take(st, Request(resource, args, tb.WRITE, node=a), cx)
        case _:
            yield consume_pure(st, a, cx), UNIT


def consume_exhaled(st: State, a: pa.InhaleExhale, cx: Context) -> Iterator[Consumed]:
    """The side that is given; its snapshot tells nothing about what only the other one brings."""
    for s1, snap in consume(st, a.exhaled, cx):
        yield s1, cx.fresh("snapshot", SNAP) if brings_more(a) else snap


def consume_access(st: State, a: pa.Access, cx: Context) -> Iterator[Consumed]:
    """Figure 7, acc: the location must be held with at least this amount."""
    st, resource, args = evaluate_rules.locate(st, a.location, cx)
    st, amount, wildcard = evaluate_rules.amount_of(st, a.amount, cx)
    request = Request(resource, args, amount, wildcard=wildcard, node=a.location)
    if wildcard:
        yield _given(st, request, cx)
        return
    st = check_amount(st, amount, a, cx)
    if amount is tb.NONE:
        yield st, UNIT
    elif not cx.modes.scale.free:
        yield _given(st, request, cx)
    else:  # a free scale may be as small as need be, wherever there is something to scale
        for s1, some in branch(st, tb.greater(amount, tb.NONE), a.amount, cx):
            yield _given(s1, replace(request, wildcard=True), cx) if some else (s1, UNIT)


def _given(st: State, request: Request, cx: Context) -> Consumed:
    st, snap = take(st, request, cx)
    resource, args = request.resource, request.args
    if cx.modes.reading and resource.kind is Kind.PREDICATE:
        held = permission_amount(st, resource, args)
        predicate_rules.check_part(st, replace(request, amount=held), cx.for_claim())
    if cx.folding and resource.kind is Kind.PREDICATE:
        st = nesting.given(st, resource, args, request.amount)
    return st, snap


def consume_pure(st: State, e: pe.Expr, cx: Context, later: tuple[pe.Expr, ...] = ()) -> State:
    """Figure 7, e: must follow from the path. Each conjunct fails on its own; `later` are those
    that come behind it."""
    match e:
        case pe.And(conjuncts):
            for at, conjunct in enumerate(conjuncts, 1):
                st = consume_pure(st, conjunct, cx, (*conjuncts[at:], *later))
            return st
        case pe.InhaleExhaleExpr(_, exhaled):
            return consume_pure(st, exhaled, cx, later)
        case pe.Forall() | pe.ForPerm() | pe.Implies():
            return consume_universal(st, e, cx)
    reported = cx.reported
    st, value = evaluate_rules.evaluate(st, e, cx)
    if cx.reported > reported:
        return st.assume(value)  # its value rests on something that is not there
    return prove(st, value, e, cx, later)


def consume_universal(st: State, e: pe.Expr, cx: Context) -> State:
    """Proved for any values of its variables, then known for all of them."""
    reported = cx.reported
    statement = quantifier.opened(st, e, cx)
    if cx.reported == reported:
        for inside, goal in statement.goals:
            prove(inside, goal, e, cx)
    return statement.state.assume(statement.value, provenance=Provenance(cx.group, e))


FIRST_TRY = 20_000_000
"""What a claim may cost before the heaps are looked at; then it has the whole limit again."""


def prove(st: State, goal: Term, e: pe.Expr, cx: Context, later: tuple[pe.Expr, ...] = ()) -> State:
    """Prove, if need be with what the heaps as a whole imply; go on as if it had held.

    A claim that failed on another path is not worth much time: it will not be saved.
    """
    if goal is tb.TRUE or not cx.modes.claiming:
        return st
    failed_before = cx.has_failed("assertion.false", e)
    limit = SPLIT if failed_before else ASSERT
    answer = _answer(st, goal, min(limit, FIRST_TRY), cx)
    if not answer.proved:
        richer = _with_old_heaps(enriched(st, cx), e, cx)
        if richer is not st or answer.exhausted:
            st, answer = richer, _answer(richer, goal, limit, cx)
    if not answer.proved and not failed_before and later:
        st = _mentioning(st, later, cx)
        answer = cx.ask(st, goal, limit)
    if not answer.proved and not (failed_before and answer.exhausted):
        cx.about(goal).report(answer, st, "assertion.false", e, e)
    return st.assume(goal, provenance=Provenance(cx.group, e))


def _mentioning(st: State, later: tuple[pe.Expr, ...], cx: Context) -> State:
    """With names for the values of conjuncts: their terms wake up triggers. Nothing is known about
    these values, not even that they make sense."""
    for e in later:
        if not any(isinstance(n, pe.Forall | pe.Exists | pe.ForPerm) for n in descendants(e)):
            _, value = evaluate_rules.evaluate(st, e, cx.unjudged())
            st, _ = cx.named(st, "later", value)
    return st


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
