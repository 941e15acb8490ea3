"""Predicate instances inside others: an instance that can be unfolded to the end is not inside
itself.

NOTE(nesting). Instances stand for finite structures. So where `P(xs)` is held folded, none of the
instances inside it, at any depth, is `P(xs)` again. What is known about nesting is kept with the
chunks, because it concerns just the contents that they have: unfolding an instance tells its parts
what they were in, folding one notes what went into it. Example:

    predicate list(x: Ref) { acc(x.next) && (x.next != null ==> list(x.next)) }
    unfold acc(list(x))     // list(x.next) was inside list(x)
    assert x.next != x      // known: otherwise list(x) would be inside itself
"""

from __future__ import annotations

from pitviper.engines.symbolic.heap.chunk import Args, Chunk, Heap, Instance, Kind, Resource
from pitviper.engines.symbolic.state import State
from pitviper.terms import build as tb
from pitviper.terms.term import Term

MAX_KNOWN = 8
"""Instances remembered with a chunk; every one costs a fact per fold or unfold."""


def around(heap: Heap, resource: Resource, args: Args) -> tuple[Instance, ...]:
    """What the parts of an instance are in, if it is unfolded: the instance, and all around it."""
    source = next((c for c in heap.of(resource) if c.args == args), None)
    known = () if source is None else source.around
    return (Instance(resource, args, tb.TRUE), *known)[:MAX_KNOWN]


def inside(before: Heap, after: Heap) -> tuple[Instance, ...]:
    """What went into an instance that was folded: the difference between two heaps."""
    found: list[Instance] = []
    for resource in before.resources():
        if resource.kind is Kind.PREDICATE:
            left = {c.args: c.amount for c in after.of(resource)}
            for chunk in before.of(resource):
                taken = tb.minus(chunk.amount, left.get(chunk.args, tb.NONE))
                found += _parts(chunk, tb.greater(taken, tb.NONE))
    return tuple(found[:MAX_KNOWN])


def _parts(chunk: Chunk, condition: Term) -> list[Instance]:
    if condition is tb.FALSE:
        return []
    own = Instance(chunk.resource, chunk.args, condition)
    deeper = [i._replace(condition=tb.conjoin(condition, i.condition)) for i in chunk.inside]
    return [own, *deeper]


def apart(st: State, instance: Instance, others: tuple[Instance, ...]) -> State:
    """Assume that an instance is none of those that it is in, or that are in it."""
    for other in others:
        if other.resource == instance.resource:
            same = [tb.equal(a, b) for a, b in zip(instance.args, other.args, strict=True)]
            both = tb.conjoin(instance.condition, other.condition)
            st = st.assume(tb.implies(both, tb.negate(tb.conjoin(*same))))
    return st
