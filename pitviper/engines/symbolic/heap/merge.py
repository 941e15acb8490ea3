"""One heap for two: chunks of the same location become one, whose value depends on the way taken.

Amounts, too, where the two hold different amounts, or only one of them holds anything.

NOTE(sums). Values that the branches have named are looked at by their definitions where both add to
the same number: many conditionals in a row then make one sum, which the solver bounds at once, and
not a tower of cases. Example:

    if (c) { n := n + 1 } else { n := n + 2 }   // the branches say n1 = n0 + 1 and n2 = n0 + 2
    // merged: n is n0 + (c ? 1 : 2), not c ? n1 : n2
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from pitviper.base.record import replace, struct
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.chunk import Chunk, Heap, QuantifiedChunk
from pitviper.engines.symbolic.quantified.access import singleton
from pitviper.engines.symbolic.state import State
from pitviper.solver.session import FactKind, Path
from pitviper.terms import build as tb
from pitviper.terms.operators import EQUAL, PLUS
from pitviper.terms.sort import INT
from pitviper.terms.term import App, Term

C = TypeVar("C", Chunk, QuantifiedChunk)


@struct
class Merging:
    """The condition under which the first state is meant, the state that learns new names, and what
    the names stand for that the two have given since they parted."""

    condition: Term
    state: State
    cx: Context
    definitions: Mapping[Term, Term]

    def choice(self, a: Term, b: Term) -> Term:
        """The first value under the condition, the second otherwise."""
        if a.sort is INT and a is not b:
            value = tb.ite(self.condition, self._defined(a), self._defined(b))
            if isinstance(value, App) and value.symbol is PLUS:
                return value
        return tb.ite(self.condition, a, b)

    def _defined(self, value: Term) -> Term:
        return self.definitions.get(value, value)


def definitions_since(base: Path, *paths: Path) -> dict[Term, Term]:
    """What the names of whole numbers stand for that paths have given after `base`."""
    return {
        entry.fact.args[0]: entry.fact.args[1]
        for path in paths
        for entry in path.since(base)
        if entry.kind is FactKind.DEFINITION
        and isinstance(entry.fact, App)
        and entry.fact.symbol is EQUAL
        and entry.fact.args[0].sort is INT
    }


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
    value = m.choice(a.value, b.value)
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
