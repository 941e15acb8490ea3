"""Whether a heap can have all that a state says it has.

Predicate instances are opaque to a run, and so to verifiers: it may hold full permission to a field
together with an instance that holds the same field, until the instance is unfolded. No heap has
both. A verifier that finds this out is right to accept whatever follows, so a failure in such a
state, or behind one, does not count. What loops have set aside is held as well, and so is what
wands contain.
"""

from __future__ import annotations

from pitviper.engines.concrete.heap.contents import add_chunk
from pitviper.engines.concrete.heap.heap import (
    Chunk,
    Closure,
    Closures,
    FieldAt,
    PredicateAt,
    Resource,
    Snapshot,
    WandAt,
)
from pitviper.engines.concrete.rules import predicate
from pitviper.engines.concrete.rules.lent import check_wands
from pitviper.engines.concrete.run import Moment, Run
from pitviper.engines.concrete.state import State


def check_possible(moment: Moment, run: Run) -> None:
    """Open everything; the run is infeasible if that is more than there can be."""
    fields, wands = State({}), list[WandAt]()
    todo = [item for heap in (moment.heap, *moment.frames) for item in heap.chunks.items()]
    while todo:
        run.tick()
        resource, chunk = todo.pop()
        match resource:
            case FieldAt():
                fields = add_chunk(fields, resource, chunk, run)
            case PredicateAt():
                todo.extend(_inside(resource, chunk, run))
            case WandAt():
                todo.extend(_footprints(chunk))
                wands += [resource] * len(_from_outside(chunk, moment, run))
    amounts = {at: c.amount for at, c in fields.heap.chunks.items() if isinstance(at, FieldAt)}
    check_wands(wands, amounts, run)


def _inside(instance: PredicateAt, chunk: Chunk, run: Run) -> list[tuple[Resource, Chunk]]:
    declaration = run.program.predicates[instance.predicate]
    if declaration.body is None:
        return []
    assert isinstance(chunk.content, Snapshot)
    st = State({}, scale=chunk.amount).binding_all(declaration.params, instance.args)
    opened = predicate.open_body(st, instance, chunk.content, run)
    return list(opened.heap.chunks.items())


def _from_outside(chunk: Chunk, moment: Moment, run: Run) -> list[Closure]:
    """Wands that nobody packaged here, but those that are applied next: what these hold is looked
    at when it has come out."""
    assert isinstance(chunk.content, Closures)
    opaque = [closure for closure in chunk.content.items if closure.package is None]
    return [closure for closure in opaque if run.applied.get(closure.number) != moment]


def _footprints(chunk: Chunk) -> list[tuple[Resource, Chunk]]:
    assert isinstance(chunk.content, Closures)
    packages = [closure.package for closure in chunk.content.items]
    return [item for p in packages if p is not None for item in p.footprint.chunks.items()]
