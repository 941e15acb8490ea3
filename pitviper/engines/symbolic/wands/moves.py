"""The two sides of a move into a package: one heap has less afterwards, another has more."""

from __future__ import annotations

from typing import TypeVar

from pitviper.base.record import replace
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap import access
from pitviper.engines.symbolic.heap.chunk import Chunk, Heap, QuantifiedChunk
from pitviper.engines.symbolic.state import State
from pitviper.engines.symbolic.wands.ongoing import Moved, Place
from pitviper.terms import build as tb
from pitviper.terms.term import Term

C = TypeVar("C", Chunk, QuantifiedChunk)


def lent(st: State, moved: Moved) -> State:
    """A heap around the package has less now, and the path remembers that."""
    level = moved.place.level
    outer = reduced(st.outers[level], moved.place, moved.amount)
    st = st.lending((*st.outers[:level], outer, *st.outers[level + 1 :]))
    return st.on(st.path.noting(moved))


def reduced(heap: Heap, place: Place, amount: Term) -> Heap:
    """Without an amount of one chunk, which keeps its place even if nothing is left of it."""
    plain = list(heap.of(place.resource))
    if plain:
        plain[place.at] = _less(plain[place.at], amount)
        return heap.replacing(place.resource, tuple(plain))
    wide = list(heap.quantified(place.resource))
    wide[place.at] = _less(wide[place.at], amount)
    return heap.replacing_quantified(place.resource, tuple(wide))


def _less(chunk: C, amount: Term) -> C:
    return replace(chunk, amount=tb.minus(chunk.amount, amount))


def received(st: State, chunk: Chunk, cx: Context) -> State:
    """The chunk comes into both views of the hypothetical heap: before and during consuming."""
    left = st.left
    st = access.add(st.holding(st.heap), chunk, cx)
    if left is None:
        return st
    heap = st.heap
    st = access.add(st.holding(left), chunk, cx)
    return State(st.store, heap, st.path, st.old, st.heap, st.frames, st.outers)


def received_wide(st: State, chunk: QuantifiedChunk) -> State:
    heap = st.heap.adding_quantified(chunk)
    left = None if st.left is None else st.left.adding_quantified(chunk)
    return State(st.store, heap, st.path, st.old, left, st.frames, st.outers)
