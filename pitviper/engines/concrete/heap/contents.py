"""Contents of resources: made up, found in a snapshot, or agreed upon."""

from __future__ import annotations

from pitviper.engines.concrete.heap.heap import (
    Closure,
    Closures,
    Content,
    FieldAt,
    PredicateAt,
    Resource,
    Snapshot,
    WandAt,
)
from pitviper.engines.concrete.run import Run


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
        case Closures():
            return content
        case _:
            return run.unknowns.look(content)
