"""Moving into a package what is missing of a resource that the member treats as quantified."""

from __future__ import annotations

from pitviper.base.record import record, replace
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.chunk import Chunk, Kind, QuantifiedChunk, Resource
from pitviper.engines.symbolic.heap.consolidate import same_args
from pitviper.engines.symbolic.heap.request import Request
from pitviper.engines.symbolic.quantified.access import amount_at, maps_of, value_at
from pitviper.engines.symbolic.state import State
from pitviper.engines.symbolic.wands import transfer
from pitviper.engines.symbolic.wands.amount import (
    Supplier,
    amount_to_transfer,
    wildcard_to_transfer,
)
from pitviper.engines.symbolic.wands.hypothetical import Place, Transferred
from pitviper.terms import build as tb
from pitviper.terms.term import Term


def transfer_location(
    st: State, level: int, request: Request, need: Term, cx: Context
) -> tuple[State, Term]:
    """One location; the result is what is still needed. If the left-hand side decides which
    location it is, whole chunks are moved."""
    outside = cx.packages[level].on(st.path)
    known = [outside.resolved(arg) for arg in request.args]
    args = tuple([arg for arg in known if arg is not None])
    if len(args) < len(known):
        return _transfer_chunks(st, level, request, need, cx)
    givers: list[QuantifiedChunk] = []
    total: Term = tb.NONE
    for at, chunk in enumerate(st.outers[level].quantified(request.resource)):
        supplier = Supplier(level, chunk.amount_at(args))
        if need is tb.NONE or supplier.gives_nothing(st, need, cx):
            continue
        if request.wildcard:
            st, taken = wildcard_to_transfer(st, supplier, tb.TRUE, cx)
        else:
            taken = amount_to_transfer(st, supplier, need, cx)
            need = transfer.still_needed(st, need, taken, cx)
        part = tb.ite(same_args(chunk.formals, args), taken, tb.NONE)
        st = transfer.transferred_out(st, Transferred(Place(level, request.resource, at), part))
        givers.append(chunk)
        total = tb.plus(total, taken)
    if not givers:
        return st, need
    st, value = value_at(st, tuple(givers), request.resource, args, cx)
    new = Chunk(request.resource, request.args, value, total)
    st = transfer.transferred_in(_fitting(st, new, cx), new, cx)
    return st, _after_wildcard(st, request, total, need, cx)


def _fitting(st: State, new: Chunk, cx: Context) -> State:
    """What comes in fits together with what is there: its value, and the amount of a field."""
    kind, maps = new.resource.kind, maps_of(new.resource, cx)
    there = st.heap.quantified(new.resource)
    for chunk in there if kind is not Kind.WAND else ():
        amount = chunk.amount_at(new.args)
        both = tb.conjoin(tb.greater(amount, tb.NONE), tb.greater(new.amount, tb.NONE))
        value = tb.apply(maps.look, chunk.map, *new.args)
        st = st.assume(tb.implies(both, tb.equal(value, new.value)))
    if kind is Kind.FIELD and there:
        held = tb.plus(amount_at(there, new.args), new.amount)
        st = st.assume(tb.at_most(held, tb.WRITE))
    return st


def _after_wildcard(st: State, request: Request, total: Term, need: Term, cx: Context) -> Term:
    """A wildcard needs nothing more if it surely got something."""
    if request.wildcard and cx.may_prove(st, tb.greater(total, tb.NONE)):
        return tb.NONE
    return need


def _transfer_chunks(
    st: State, level: int, request: Request, need: Term, cx: Context
) -> tuple[State, Term]:
    for at, chunk in enumerate(st.outers[level].quantified(request.resource)):
        here = chunk.amount_at(request.args)
        if need is tb.NONE or Supplier(level, here).gives_nothing(st, need, cx):
            continue
        place = Place(level, request.resource, at)
        if request.wildcard:
            everywhere = Supplier(level, chunk.amount, chunk.formals)
            st, part = wildcard_to_transfer(st, everywhere, tb.TRUE, cx)
            st = transfer.transferred_out(st, Transferred(place, part))
            st = transfer.quantified_transferred_in(st, replace(chunk, amount=part))
            need = _after_wildcard(st, request, here, need, cx)
        else:
            st = transfer.transferred_out(st, Transferred(place, chunk.amount))
            st = transfer.quantified_transferred_in(st, chunk)
            need = transfer.still_needed(st, need, here, cx)
    return st, need


# ---------------------------------------------------------------- many locations


@record
class Wanted:
    """Many locations of a resource: `amount` is a term over the formals of its maps. For wildcards
    it only tells the locations."""

    resource: Resource
    amount: Term
    wildcard: bool


def transfer_quantified(st: State, wanted: Wanted, cx: Context) -> State:
    """Move what is missing of many locations at once, nearest heap first."""
    start = st
    for level in range(len(st.outers)):
        if st is start and cx.is_dead(st):
            return st.assume(tb.FALSE)
        held = tb.total([c.amount for c in st.held.quantified(wanted.resource)])
        need = _lacking(wanted, held)
        for at, chunk in enumerate(st.outers[level].quantified(wanted.resource)):
            supplier = Supplier(level, chunk.amount, chunk.formals)
            if _gives_nothing(st, level, chunk, need, cx):
                continue
            if wanted.wildcard:
                where = tb.greater(need, tb.NONE)
                st, taken = wildcard_to_transfer(st, supplier, where, cx)
            else:
                taken = amount_to_transfer(st, supplier, need, cx)
                need = _positive(tb.minus(need, taken))
            st = transfer.transferred_out(st, Transferred(Place(level, wanted.resource, at), taken))
            st = transfer.quantified_transferred_in(st, replace(chunk, amount=taken))
    return st.assume(tb.FALSE) if st is not start and cx.is_dead(st) else st


def _lacking(wanted: Wanted, held: Term) -> Term:
    if held is tb.NONE:
        return wanted.amount
    if wanted.wildcard:
        return tb.ite(tb.greater(held, tb.NONE), tb.NONE, wanted.amount)
    return _positive(tb.minus(wanted.amount, held))


def _positive(amount: Term) -> Term:
    return tb.ite(tb.at_least(amount, tb.NONE), amount, tb.NONE)


def _gives_nothing(st: State, level: int, chunk: QuantifiedChunk, need: Term, cx: Context) -> bool:
    """A chunk for one location is judged there."""
    if chunk.only is None:
        return Supplier(level, chunk.amount, chunk.formals).gives_nothing(st, need, cx)
    here = replace(chunk, amount=need).amount_at(chunk.only)
    return Supplier(level, chunk.amount_at(chunk.only)).gives_nothing(st, here, cx)
