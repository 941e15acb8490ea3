"""Gaining permission, and the contents that come with it."""

from __future__ import annotations

from fractions import Fraction

from pitviper.engines.concrete.heap.contents import agree, content_from
from pitviper.engines.concrete.heap.heap import (
    ONE,
    Chunk,
    Closures,
    Content,
    FieldAt,
    Heap,
    Resource,
    Snapshot,
    WandAt,
)
from pitviper.engines.concrete.run import Run
from pitviper.engines.concrete.state import State

WILDCARDS = tuple(Fraction(1, n) for n in (2, 4, 3, 100))
"""The part of what is possible that a wildcard takes."""


def gain(
    st: State, resource: Resource, amount: Fraction, source: Snapshot | None, run: Run
) -> State:
    chunk = st.heap.chunks.get(resource)
    if chunk is None or isinstance(resource, WandAt):
        content = content_from(source, resource, run)
    elif source is None:
        content = chunk.content
    else:
        known = run.snapshots.contents(source)
        content = known.setdefault(resource, chunk.content)
    return add_chunk(st, resource, Chunk(ONE if st.binary else amount, content), run)


def wildcard_gain(st: State, resource: Resource, run: Run) -> Fraction:
    room = ONE - st.heap.amount(resource) if isinstance(resource, FieldAt) else ONE
    if st.binary or room <= 0:
        return ONE
    return room * run.pick("an amount for a wildcard", WILDCARDS)


def add_chunk(st: State, resource: Resource, chunk: Chunk, run: Run) -> State:
    """More of a resource. Null and more than everything are impossible."""
    if isinstance(resource, FieldAt) and resource.receiver.number == 0:
        run.infeasible("permission to a field of null", run.obligation.span)
    held = st.heap.chunks.get(resource)
    if held is None:
        total, content = chunk.amount, chunk.content
    else:
        total = held.amount + chunk.amount
        content = _together(held.content, chunk.content, run)
    if isinstance(resource, FieldAt) and total > 1 and not st.binary:
        run.infeasible("more than full permission to a field", run.obligation.span)
    total = min(total, ONE) if st.binary else total
    return st.on(st.heap.with_chunk(resource, Chunk(total, content)))


def _together(held: Content, gained: Content, run: Run) -> Content:
    if isinstance(held, Closures) and isinstance(gained, Closures):
        return Closures((*held.items, *gained.items))
    if not agree(held, gained, run):
        run.infeasible("two contents of one resource", run.obligation.span)
    return held


def add_heap(st: State, heap: Heap, run: Run) -> State:
    """All that another heap holds, too."""
    for resource, chunk in heap.chunks.items():
        st = add_chunk(st, resource, chunk, run)
    return st
