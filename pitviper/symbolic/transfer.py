"""Inside a package: moving what is missing from the heaps around it into the hypothetical one."""

from __future__ import annotations

from dataclasses import replace

from pitviper.symbolic import heap_access
from pitviper.symbolic.chunk import Args, Chunk, QuantifiedChunk, Resource
from pitviper.symbolic.consolidate import same_args
from pitviper.symbolic.context import Context
from pitviper.symbolic.heap import Heap
from pitviper.symbolic.quantified_access import amount_at, value_at
from pitviper.symbolic.request import Request
from pitviper.symbolic.state import State
from pitviper.terms import build as tb
from pitviper.terms.term import Term


def moved_in(st: State, request: Request, cx: Context) -> State:
    """Move what a request lacks, nearest heap first. A path that this makes contradictory is over:
    no left-hand state is compatible with the footprint there."""
    need = _missing(st, request, cx)
    for level in range(len(st.outers)):
        if need is tb.NONE:
            break
        if cx.is_dead(st):
            return st.assume(tb.FALSE)
        st, need = _move_all(st, level, request, need, cx)
    return st.assume(tb.FALSE) if need is not tb.NONE and cx.is_dead(st) else st


def _move_all(
    st: State, level: int, request: Request, need: Term, cx: Context
) -> tuple[State, Term]:
    """As long as a chunk of this heap gives something; the rest is what is still needed."""
    while need is not tb.NONE:
        before = st.outers
        st, taken = _move(st, level, request, need, cx)
        if st.outers is before:
            break
        need = tb.NONE if request.wildcard else _rest(st, need, taken, cx)
        if request.resource in cx.services.quantified:
            break
    return st, need


def _missing(st: State, request: Request, cx: Context) -> Term:
    """How much of a location the hypothetical heap does not have."""
    held = heap_access.permission_amount(st, request.resource, request.args)
    if request.wildcard:
        some = tb.greater(held, tb.NONE)
        return tb.NONE if cx.may_prove(st, some) else request.amount
    return _rest(st, request.amount, held, cx)


def _rest(st: State, need: Term, given: Term, cx: Context) -> Term:
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


def _move(st: State, level: int, request: Request, need: Term, cx: Context) -> tuple[State, Term]:
    if request.resource in cx.services.quantified:
        return _move_quantified(st, level, request, need, cx)
    outer = st.outers[level]
    chunks = [c for c in outer.of(request.resource) if c.amount is not tb.NONE]
    chunk = heap_access.find_chunk(st, tuple(chunks), request.args, cx)
    if chunk is None:
        return st, tb.NONE
    st, taken = _amount(st, chunk.amount, request, need, cx)
    rest = tuple(
        [
            replace(c, amount=tb.minus(c.amount, taken)) if c is chunk else c
            for c in outer.of(request.resource)
        ]
    )
    st = _lend(st, level, outer.replacing(request.resource, rest))
    return _receive(st, replace(chunk, args=request.args, amount=taken), cx), taken


def _amount(
    st: State, available: Term, request: Request, need: Term, cx: Context
) -> tuple[State, Term]:
    """All that is needed, or all that there is. A wildcard takes some of it."""
    if request.wildcard:
        part = cx.fresh("part", tb.WRITE.sort)
        some = tb.conjoin(tb.less(tb.NONE, part), tb.less(part, available))
        return st.assume(tb.implies(tb.greater(available, tb.NONE), some)), part
    if cx.may_prove(st, tb.at_most(need, available)):
        return st, need
    if cx.may_prove(st, tb.at_most(available, need)):
        return st, available
    return st, tb.minimum(available, need)


def _lend(st: State, level: int, heap: Heap) -> State:
    outers = (*st.outers[:level], heap, *st.outers[level + 1 :])
    return st.lending(outers)


def _receive(st: State, chunk: Chunk, cx: Context) -> State:
    """The chunk comes into both views of the hypothetical heap: before and during consuming."""
    left = st.left
    st = heap_access.add(st.holding(st.heap), chunk, cx)
    if left is None:
        return st
    heap = st.heap
    st = heap_access.add(st.holding(left), chunk, cx)
    return State(st.store, heap, st.path, st.old, st.heap, st.frames, st.outers)


def _move_quantified(
    st: State, level: int, request: Request, need: Term, cx: Context
) -> tuple[State, Term]:
    """One location of a resource that is quantified in this member."""
    outer, resource, args = st.outers[level], request.resource, request.args
    chunks = outer.quantified(resource)
    total = amount_at(chunks, args)
    if total is tb.NONE or cx.may_prove(st, tb.equal(total, tb.NONE)):
        return st, tb.NONE
    st, value = value_at(st, chunks, resource, args, cx)
    new, left = [], need
    moved: Term = tb.NONE
    for chunk in chunks:
        st, taken = _amount(st, chunk.amount_at(args), request, left, cx)
        new.append(_without(chunk, args, taken))
        left = _rest(st, left, taken, cx)
        moved = tb.plus(moved, taken)
    st = _lend(st, level, outer.replacing_quantified(resource, tuple(new)))
    return _receive(st, Chunk(resource, args, value, moved), cx), moved


def _without(chunk: QuantifiedChunk, args: Args, taken: Term) -> QuantifiedChunk:
    part = tb.ite(same_args(chunk.formals, args), taken, tb.NONE)
    return replace(chunk, amount=tb.minus(chunk.amount, part))


def moved_in_quantified(st: State, resource: Resource, wanted: Term, cx: Context) -> State:
    """Many locations at once: `wanted` is a term over the formals of the resource's maps."""
    for level, outer in enumerate(st.outers):
        held = tb.total([c.amount for c in st.held.quantified(resource)])
        need = tb.minus(wanted, held)
        need = need if held is tb.NONE else tb.ite(tb.at_least(need, tb.NONE), need, tb.NONE)
        new = []
        for chunk in outer.quantified(resource):
            taken = tb.minimum(chunk.amount, need)
            need = tb.minus(need, taken)
            new.append(replace(chunk, amount=tb.minus(chunk.amount, taken)))
            inside = replace(chunk, amount=taken, only=None, value=None)
            heap = st.heap.adding_quantified(inside)
            left = None if st.left is None else st.left.adding_quantified(inside)
            st = State(st.store, heap, st.path, st.old, left, st.frames, st.outers)
        st = _lend(st, level, outer.replacing_quantified(resource, tuple(new)))
    return st.assume(tb.FALSE) if st.outers and cx.is_dead(st) else st
