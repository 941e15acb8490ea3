"""Contents of resources: made up, found in a snapshot, or agreed upon."""

from __future__ import annotations

from fractions import Fraction

from pitviper.engines.concrete.heap.heap import (
    ONE,
    Chunk,
    Closure,
    Closures,
    Content,
    FieldAt,
    Heap,
    PredicateAt,
    Resource,
    Snapshot,
    WandAt,
)
from pitviper.engines.concrete.run import Run
from pitviper.engines.concrete.state import State


def fresh_content(resource: Resource, run: Run, horizon: int) -> Content:
    """Contents of which nothing is known."""
    match resource:
        case FieldAt(receiver, name):
            kind = run.program.fields[name].type
            return run.hole(kind, f"object{receiver.number}.{name}", horizon)
        case PredicateAt():
            return run.snapshot(horizon)
        case WandAt():
            return Closures((Closure(run.memo.next_wand(), None),))


def content_from(source: Snapshot | None, resource: Resource, run: Run) -> Content:
    """The contents of a resource according to a snapshot, which is completed if need be."""
    if source is None:
        return fresh_content(resource, run, run.heap_horizon)
    known = run.snapshots.contents(source)
    if resource not in known:
        known[resource] = _undecided(source, resource, run)
    return known[resource]


def _undecided(source: Snapshot, resource: Resource, run: Run) -> Content:
    if isinstance(resource, FieldAt) and run.snapshots.is_initial(source):
        given = run.inputs.fields.get((resource.receiver, resource.field))
        if given is not None:
            return given
    content = fresh_content(resource, run, run.snapshots.horizon(source))
    if isinstance(content, Snapshot):
        run.snapshots.inherit(content, source)
    return content


def agree(a: Content, b: Content, run: Run) -> bool:
    """Make two contents of one resource equal, if that is possible."""
    todo = [(a, b)]
    while todo:
        one, other = todo.pop()
        if isinstance(one, Snapshot) and isinstance(other, Snapshot):
            todo.extend(run.snapshots.join(one, other))
        elif isinstance(one, Closures) or isinstance(other, Closures):
            if one != other:
                run.cannot("two wands that are one")
        elif isinstance(one, Snapshot) or isinstance(other, Snapshot):
            raise TypeError("contents of different kinds")
        elif not run.unknowns.equate(one, other):
            return False
    return True


def content_key(content: Content, run: Run) -> object:
    """Equal for contents that are known to be equal."""
    match content:
        case Snapshot():
            return run.snapshots.find(content)
        case Closures(items):
            return tuple([closure.number for closure in items])
        case _:
            return run.unknowns.look(content)


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
