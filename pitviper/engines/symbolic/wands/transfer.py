"""Inside a package: moving what is missing from the heaps around it into the hypothetical one."""

from __future__ import annotations

from typing import TypeVar

from pitviper.base.record import replace
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap import access
from pitviper.engines.symbolic.heap.chunk import Chunk, Heap, QuantifiedChunk
from pitviper.engines.symbolic.heap.consolidate import same_args
from pitviper.engines.symbolic.heap.request import Request
from pitviper.engines.symbolic.state import State
from pitviper.engines.symbolic.wands import quantified as quantified_transfer
from pitviper.engines.symbolic.wands.amount import (
    Supplier,
    amount_to_transfer,
    wildcard_to_transfer,
)
from pitviper.engines.symbolic.wands.hypothetical import Place, Transferred
from pitviper.terms import build as tb
from pitviper.terms.term import Term

C = TypeVar("C", Chunk, QuantifiedChunk)


def transfer_missing(st: State, request: Request, cx: Context) -> State:
    """Move what a request lacks, nearest heap first. A path that this makes contradictory is over:
    no left-hand state is compatible with the footprint there."""
    need = _missing(st, request, cx)
    for level in range(len(st.outers)):
        if need is tb.NONE:
            break
        if cx.is_dead(st):
            return st.assume(tb.FALSE)
        if request.resource in cx.services.quantified:
            st, need = quantified_transfer.transfer_location(st, level, request, need, cx)
        else:
            st, need = _transfer_location(st, level, request, need, cx)
    return st.assume(tb.FALSE) if need is not tb.NONE and cx.is_dead(st) else st


def _missing(st: State, request: Request, cx: Context) -> Term:
    """How much of a location the hypothetical heap does not have for sure."""
    held = _surely_held(st, request, cx)
    if request.wildcard:
        some = tb.greater(held, tb.NONE)
        return tb.NONE if cx.may_prove(st, some) else request.amount
    return still_needed(st, request.amount, held, cx)


def _surely_held(st: State, request: Request, cx: Context) -> Term:
    """Returns what chunks hold that surely name the location. A chunk that names it only if two
    references are equal does not count: the package then takes the whole amount elsewhere, and if
    that makes more than can be held, the references are known to differ."""
    resource, args = request.resource, request.args
    if resource in cx.services.quantified:
        return access.permission_amount(st, resource, args)
    todo = st.held.of(resource)
    amount: Term = tb.NONE
    while (chunk := access.find_chunk(st, todo, args, cx)) is not None:
        todo = tuple([c for c in todo if c is not chunk])
        amount = tb.plus(amount, chunk.amount)
    return amount


def still_needed(st: State, need: Term, given: Term, cx: Context) -> Term:
    if given is tb.NONE:
        return need
    rest = tb.minus(need, given)
    if cx.may_prove(st, tb.equal(given, tb.NONE)):
        return need
    if cx.may_prove(st, tb.at_most(rest, tb.NONE)):
        return tb.NONE
    if cx.may_prove(st, tb.at_least(rest, tb.NONE)):
        return rest
    return tb.ite(tb.at_least(rest, tb.NONE), rest, tb.NONE)


def _transfer_location(
    st: State, level: int, request: Request, need: Term, cx: Context
) -> tuple[State, Term]:
    """Every chunk that is surely meant gives what it can; the result is what is still needed."""
    chunks = st.outers[level].of(request.resource)
    todo = [c for c in chunks if c.amount is not tb.NONE]
    while need is not tb.NONE:
        chunk = access.find_chunk(st, tuple(todo), request.args, cx)
        if chunk is None:
            break
        todo = [c for c in todo if c is not chunk]
        supplier = Supplier(level, chunk.amount)
        if request.wildcard:
            st, taken = wildcard_to_transfer(st, supplier, tb.TRUE, cx)
        else:
            taken = amount_to_transfer(st, supplier, need, cx)
        at = next(i for i, c in enumerate(chunks) if c is chunk)
        joined = need is not request.amount
        st = transferred_out(st, Transferred(Place(level, request.resource, at), taken, joined))
        st = transferred_in(st, replace(chunk, args=request.args, amount=taken), cx)
        if request.wildcard:
            return _transfer_aliases(st, level, request, todo, cx), tb.NONE
        need = still_needed(st, need, taken, cx)
    return st, need


def _transfer_aliases(
    st: State, level: int, request: Request, others: list[Chunk], cx: Context
) -> State:
    """A wildcard is less than all that is held of a location, not less than one chunk of it: each
    chunk that may be meant as well gives something, if it is meant."""
    chunks = st.outers[level].of(request.resource)
    for chunk in others:
        same = same_args(chunk.args, request.args)
        if cx.may_prove(st, tb.negate(same)):
            continue
        st, taken = wildcard_to_transfer(st, Supplier(level, chunk.amount), same, cx)
        at = next(i for i, c in enumerate(chunks) if c is chunk)
        moved = Transferred(Place(level, request.resource, at), taken, joined=True)
        st = transferred_in(transferred_out(st, moved), replace(chunk, amount=taken), cx)
    return st


# ---------------------------------------------------------------- the two sides of a transfer


def transferred_out(st: State, moved: Transferred) -> State:
    """A heap around the package has less now, and the path remembers that."""
    level = moved.place.level
    outer = reduced(st.outers[level], moved.place, moved.amount)
    st = st.with_outers((*st.outers[:level], outer, *st.outers[level + 1 :]))
    return st.on(st.path.noting(moved))


def reduced(heap: Heap, place: Place, amount: Term) -> Heap:
    """Without an amount of one chunk, which keeps its place even if nothing is left of it."""
    plain = list(heap.of(place.resource))
    if plain:
        plain[place.at] = _less(plain[place.at], amount)
        return heap.replacing(place.resource, tuple(plain))
    quantified = list(heap.quantified(place.resource))
    quantified[place.at] = _less(quantified[place.at], amount)
    return heap.replacing_quantified(place.resource, tuple(quantified))


def _less(chunk: C, amount: Term) -> C:
    return replace(chunk, amount=tb.minus(chunk.amount, amount))


def transferred_in(st: State, chunk: Chunk, cx: Context) -> State:
    """The chunk comes into both views of the hypothetical heap: before and during consuming."""
    left = st.left
    st = access.add(st.holding(st.heap), chunk, cx)
    if left is None:
        return st
    heap = st.heap
    st = access.add(st.holding(left), chunk, cx)
    return State(st.store, heap, st.path, st.old, st.heap, st.frames, st.outers)


def quantified_transferred_in(st: State, chunk: QuantifiedChunk) -> State:
    heap = st.heap.adding_quantified(chunk)
    left = None if st.left is None else st.left.adding_quantified(chunk)
    return State(st.store, heap, st.path, st.old, left, st.frames, st.outers)
