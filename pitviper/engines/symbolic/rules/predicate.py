"""Predicates: folding and unfolding instances, whole or in part."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.base.record import replace
from pitviper.engines.shared.parts import PART, is_plainly_divisible
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap import nesting
from pitviper.engines.symbolic.heap.access import add, find_chunk, permission_amount, take
from pitviper.engines.symbolic.heap.chunk import EMPTY, Chunk, Instance, predicate_resource
from pitviper.engines.symbolic.heap.request import Request
from pitviper.engines.symbolic.modes import Modes
from pitviper.engines.symbolic.outcomes import join
from pitviper.engines.symbolic.rules import consume as consume_rules
from pitviper.engines.symbolic.rules import evaluate as evaluate_rules
from pitviper.engines.symbolic.rules import produce as produce_rules
from pitviper.engines.symbolic.services import Log
from pitviper.engines.symbolic.state import State
from pitviper.engines.symbolic.wands.apply import apply_wand
from pitviper.program import expr as pe
from pitviper.program.assertion import Assertion
from pitviper.terms import build as tb
from pitviper.terms.term import Term


def check_part(st: State, request: Request, cx: Context) -> None:
    """What is folded, unfolded or looked into in part makes sense in part: see NOTE(parts)."""
    if not cx.modes.checking or cx.modes.ignores_amounts or _divides(request, cx):
        return
    if cx.may_prove(st, tb.at_least(request.amount, tb.WRITE)):
        return
    judged = cx.proving(PART, cx.obligation.node, request.node)
    judged = judged.in_modes(judged.modes.for_a_part()).visiting_from(st)
    alone = st.storing(_formals(request, cx)).holding(EMPTY).with_outers(())
    for _ in produce_rules.produce_all(alone, (_body(request, cx),), None, judged):
        pass


def _divides(request: Request, cx: Context) -> bool:
    """Whether every part of every instance makes sense, whatever else is known: asked once."""
    name, services = request.resource.name, cx.services
    known = services.divisible.get(name)
    if known is None:
        known = is_plainly_divisible(name, services.program)
        if not known:
            trial = replace(services, log=Log(), recorder=None, checked={})
            judged = Context(trial, cx.obligation, modes=Modes().for_a_part())
            params = services.program.predicates[name].params
            store = {p.name: judged.fresh(p.name, services.symbols.sort(p.type)) for p in params}
            for _ in produce_rules.produce_all(State(store), (_body(request, cx),), None, judged):
                pass
            known = judged.reported == 0
        services.divisible[name] = known
    return known


def unfold_instance(st: State, request: Request, cx: Context) -> Iterator[State]:
    """Take an instance, then produce its body from its snapshot, every amount scaled.

    The store of the result is that of the body: callers put their own back.
    """
    before = st.heap
    st, snap = take(st.leaving(st.heap), request, cx)
    st = st.settled()
    trigger = _trigger(request, snap, cx)
    body = _body(request, cx)
    outer = nesting.around(st.holding(before), request.resource, request.args, cx)
    inside = cx.trusting_contract(body).visiting_from(st)
    inside = replace(inside, modes=inside.modes.scaled(request.amount), around=outer)
    for s1 in produce_rules.produce_all(st.storing(_formals(request, cx)), (body,), snap, inside):
        yield s1.assume(trigger)


def fold_instance(st: State, request: Request, cx: Context) -> Iterator[State]:
    """Consume the body, every amount scaled, then add the instance with the snapshot taken."""
    start = st.storing(_formals(request, cx)).leaving(st.heap)
    body = _body(request, cx)
    inside = cx.trusting_body(body, request.amount).with_snapshots().visiting_from(st)
    modes = inside.modes.scaled(request.amount, free=request.wildcard)
    inside = replace(inside, modes=modes, folding=True)
    for s1, snap in consume_rules.consume_all(start, (body,), inside):
        s2 = s1.settled().storing(st.store).assume(_trigger(request, snap, cx))
        parts = nesting.inside(st, s1.path, cx)
        s2 = nesting.apart(s2, Instance(request.resource, request.args, tb.TRUE), parts)
        folded = Chunk(request.resource, request.args, snap, request.amount, inside=parts)
        yield add(s2, folded, cx)


def _trigger(request: Request, snap: Term, cx: Context) -> Term:
    """Makes functions over this instance unroll: see the axioms of functions."""
    symbol = cx.services.symbols.predicate_trigger(request.resource.name)
    return tb.apply(symbol, snap, *request.args)


def _body(request: Request, cx: Context) -> Assertion:
    body = cx.services.program.predicates[request.resource.name].body
    if body is None:
        raise ValueError(f"predicate {request.resource.name} has no body: the checker rejects this")
    return body


def _formals(request: Request, cx: Context) -> dict[str, Term]:
    params = cx.services.program.predicates[request.resource.name].params
    return {p.name: value for p, value in zip(params, request.args, strict=True)}


MAX_DEPTH = 2
"""Instances of one predicate inside each other whose bodies are looked into for an expression."""


def eval_unfolding(st: State, e: pe.Unfolding, cx: Context) -> tuple[State, Term]:
    """The body is evaluated where the instance is unfolded; values learnt there are kept.

    A predicate whose own body unfolds it would never be done: at some depth inside bodies the
    value is unknown.
    """
    sort = cx.services.symbols.sort(e.type)
    name = e.predicate.predicate
    cx = cx.in_modes(cx.modes.in_expression())
    if cx.visiting.count(name) >= MAX_DEPTH:
        return st, cx.fresh("cut", sort)
    st, args = evaluate_rules.evaluate_all(st, e.predicate.args, cx)
    st, amount, wildcard = evaluate_rules.amount_of(st, e.amount, cx)
    if not wildcard:
        st = cx.check(
            st, tb.greater(amount, tb.NONE), "permission.not.positive", e.amount, e.amount
        )
    visiting = replace(cx.for_expression(), visiting=(*cx.visiting, name))
    request = Request(predicate_resource(name), args, amount, wildcard=wildcard, node=e.predicate)
    if not cx.modes.checking and not _is_there(st.holding(st.heap), request, cx):
        return st, cx.fresh("cut", sort)  # nobody has checked that there is something to learn
    if visiting.modes.reads_a_state:
        st, request = _as_it_is_held(st, request, visiting)
        visiting = visiting.in_modes(visiting.modes.taking())
    check_part(st, request, cx)
    outcomes = [
        evaluate_rules.evaluate(inner.storing(st.store), e.body, cx)
        for inner in unfold_instance(st.holding(st.heap).with_outers(()), request, visiting)
    ]
    return join(st, outcomes, sort, cx)


def _as_it_is_held(st: State, request: Request, cx: Context) -> tuple[State, Request]:
    """The instance with the amount that is held of it, which must be positive.

    NOTE(looking in). Amounts in preconditions of functions count only as positive or none. But
    where a function is applied, what comes out of an instance stands beside what is held there: of
    half an instance comes the half of its body. All of it would be more than there can be.
    """
    looked, _ = take(st.holding(st.heap).with_outers(()), request, cx)
    st = st.on(looked.path)
    chunk = find_chunk(st, st.heap.of(request.resource), request.args, cx)
    if chunk is not None and cx.may_prove(st, tb.greater(chunk.amount, tb.NONE)):
        return st, replace(request, amount=chunk.amount, wildcard=False)
    held = permission_amount(st.holding(st.heap), request.resource, request.args)
    return st, replace(request, amount=held, wildcard=False)


def _is_there(st: State, request: Request, cx: Context) -> bool:
    """Whether an instance is surely held with the amount that is looked into."""
    some = request.wildcard or cx.modes.reading
    chunk = find_chunk(st, st.heap.of(request.resource), request.args, cx)
    held = tb.NONE if chunk is None else chunk.amount
    if cx.may_prove(st, _suffices(held, request.amount, some=some)):
        return True
    total = permission_amount(st, request.resource, request.args)
    return cx.may_prove(st, _suffices(total, request.amount, some=some))


def _suffices(held: Term, wanted: Term, *, some: bool) -> Term:
    return tb.greater(held, tb.NONE) if some else tb.at_least(held, wanted)


def eval_applying(st: State, e: pe.Applying, cx: Context) -> tuple[State, Term]:
    """The body is evaluated where the wand is applied; values learnt there are kept."""
    inside = replace(cx, around=())  # what the wand gives was in none of the instances around
    outcomes = [
        evaluate_rules.evaluate(inner, e.body, cx)
        for inner in apply_wand(st.holding(st.heap).with_outers(()), e.wand, inside)
    ]
    return join(st, outcomes, cx.services.symbols.sort(e.type), cx)


def eval_asserting(st: State, e: pe.Asserting, cx: Context) -> tuple[State, Term]:
    """The assertion must hold here; the body then has its ordinary value."""
    cx = cx.in_modes(cx.modes.in_expression())
    outcomes = [
        evaluate_rules.evaluate(st.on(s1.path), e.body, cx)
        for s1, _ in consume_rules.consume_all(
            st.leaving(st.heap).with_outers(()), (e.assertion,), cx.for_expression()
        )
    ]
    return join(st, outcomes, cx.services.symbols.sort(e.type), cx)
