"""One heap for two: chunks of the same location become one, whose value depends on the way taken.

Amounts, too, where the two hold different amounts, or only one of them holds anything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from pitviper.base.record import replace, struct
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.chunk import Chunk, Heap, QuantifiedChunk
from pitviper.engines.symbolic.quantified.access import singleton
from pitviper.engines.symbolic.state import State
from pitviper.terms import build as tb
from pitviper.terms.term import Term

C = TypeVar("C", Chunk, QuantifiedChunk)


@struct
class Merging:
    """The condition under which the first heap is meant, and the state that learns new names."""

    condition: Term
    state: State
    cx: Context


def is_same_shape(a: Heap, b: Heap) -> bool:
    """Whether the two hold the same amounts of the same locations."""
    if a is b:
        return True
    if set(a.resources()) != set(b.resources()):
        return False
    if set(a.quantified_resources()) != set(b.quantified_resources()):
        return False
    return all(_are_twins(a.of(r), b.of(r), _plain_twin) for r in a.resources()) and all(
        _are_twins(a.quantified(r), b.quantified(r), _quantified_twin)
        for r in a.quantified_resources()
    )


def _are_twins(
    mine: tuple[C, ...], theirs: tuple[C, ...], twin: Callable[[C, Sequence[C]], C | None]
) -> bool:
    if mine is theirs:
        return True
    if len(mine) != len(theirs):
        return False
    remaining = list(theirs)
    for chunk in mine:
        found = twin(chunk, remaining)
        if found is None or found.amount is not chunk.amount:
            return False
        remaining.remove(found)
    return True


def _plain_twin(chunk: Chunk, among: Sequence[Chunk]) -> Chunk | None:
    """A chunk of the same location, if possible with the same amount."""
    same = [c for c in among if c.args == chunk.args]
    return next((c for c in same if c.amount is chunk.amount), same[0] if same else None)


def _quantified_twin(
    chunk: QuantifiedChunk, among: Sequence[QuantifiedChunk]
) -> QuantifiedChunk | None:
    """A chunk of the same locations, if possible with the same values."""
    same = [c for c in among if _is_alike(c, chunk)]
    return next((c for c in same if c.map is chunk.map), same[0] if same else None)


def _is_alike(a: QuantifiedChunk, b: QuantifiedChunk) -> bool:
    if a.only is not None or b.only is not None:
        return a.only == b.only and (a.value is None) == (b.value is None)
    return a.amount is b.amount and a.inverses == b.inverses


def merged_heap(m: Merging, a: Heap, b: Heap) -> Heap:
    if a is b:
        return a
    heap = Heap()
    for resource in dict.fromkeys((*a.resources(), *b.resources())):
        mine, theirs = a.of(resource), b.of(resource)
        chunks = mine if mine is theirs else _merge_plain(m, mine, theirs)
        heap = heap.replacing(resource, chunks)
    for resource in dict.fromkeys((*a.quantified_resources(), *b.quantified_resources())):
        ours, others = a.quantified(resource), b.quantified(resource)
        merged = ours if ours is others else _merge_quantified(m, ours, others)
        heap = heap.replacing_quantified(resource, merged)
    return heap


# ---------------------------------------------------------------- one location


def _merge_plain(
    m: Merging, mine: tuple[Chunk, ...], theirs: tuple[Chunk, ...]
) -> tuple[Chunk, ...]:
    remaining, result = list(theirs), list[Chunk]()
    for chunk in mine:
        twin = _plain_twin(chunk, remaining)
        if twin is None:
            amount = tb.ite(m.condition, chunk.amount, tb.NONE)
            result.append(Chunk(chunk.resource, chunk.args, chunk.value, amount))
        else:
            remaining.remove(twin)
            result.append(chunk if twin is chunk else _of_both(m, chunk, twin))
    for chunk in remaining:
        amount = tb.ite(m.condition, tb.NONE, chunk.amount)
        result.append(Chunk(chunk.resource, chunk.args, chunk.value, amount))
    return tuple(result)


def _of_both(m: Merging, a: Chunk, b: Chunk) -> Chunk:
    value = tb.ite(m.condition, a.value, b.value)
    return Chunk(a.resource, a.args, value, tb.ite(m.condition, a.amount, b.amount))


# ---------------------------------------------------------------- many locations


def _merge_quantified(
    m: Merging, mine: tuple[QuantifiedChunk, ...], theirs: tuple[QuantifiedChunk, ...]
) -> tuple[QuantifiedChunk, ...]:
    remaining, result = list(theirs), list[QuantifiedChunk]()
    for chunk in mine:
        twin = _quantified_twin(chunk, remaining)
        if twin is None:
            amount = tb.ite(m.condition, chunk.amount, tb.NONE)
            result.append(replace(chunk, amount=amount))
        else:
            remaining.remove(twin)
            result.append(chunk if twin == chunk else _of_both_quantified(m, chunk, twin))
    for chunk in remaining:
        amount = tb.ite(m.condition, tb.NONE, chunk.amount)
        result.append(replace(chunk, amount=amount))
    return tuple(result)


def _of_both_quantified(m: Merging, a: QuantifiedChunk, b: QuantifiedChunk) -> QuantifiedChunk:
    """Triggers mention maps, so a new one gets a name."""
    if a.only is not None and a.value is not None and b.value is not None:
        value = tb.ite(m.condition, a.value, b.value)
        amount = tb.ite(m.condition, a.amount_at(a.only), b.amount_at(a.only))
        m.state, single = singleton(m.state, Chunk(a.resource, a.only, value, amount), m.cx)
        return single
    m.state, map_ = m.cx.named(m.state, "map", tb.ite(m.condition, a.map, b.map))
    return replace(a, map=map_, amount=tb.ite(m.condition, a.amount, b.amount))
