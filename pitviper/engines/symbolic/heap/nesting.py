"""Predicate instances inside others: an instance that can be unfolded to the end is not inside
itself.

NOTE(nesting). Instances stand for finite structures. So where `P(xs)` is held folded, none of the
instances inside it, at any depth, is `P(xs)` again: two parts of one location have the same
contents, as long as something of both is held, and these would have no end. What is known about
nesting comes from the fold or unfold itself, and only where an amount is positive: a fold notes
the instances that its body names and gives away, an unfold tells the instances that its body names
what they were in. It is kept with the chunks, because it concerns just the contents that they have.
What a pair `[A, B]` gives away is not what it brings, and a wand may give what was nowhere before:
both tell nothing. Example:

    predicate list(x: Ref) { acc(x.next) && (x.next != null ==> list(x.next)) }
    unfold acc(list(x))     // list(x.next) was inside list(x)
    assert x.next != x      // known: otherwise list(x) would be inside itself
"""

from __future__ import annotations

from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.access import find_chunk
from pitviper.engines.symbolic.heap.chunk import Args, Instance, Resource
from pitviper.engines.symbolic.state import State
from pitviper.solver.session import Path
from pitviper.terms import build as tb
from pitviper.terms.term import Term

MAX_KNOWN = 8
"""Instances remembered with a chunk; every one costs a fact per fold or unfold."""


def around(st: State, resource: Resource, args: Args, cx: Context) -> tuple[Instance, ...]:
    """What the parts of an instance are in, if it is unfolded: the instance, and all around it."""
    own = Instance(resource, args, tb.TRUE)
    chunks = st.heap.of(resource)
    if not any(chunk.around for chunk in chunks):
        return (own,)
    source = find_chunk(st, chunks, args, cx)
    if source is None:
        return (own,)
    held = tb.greater(source.amount, tb.NONE)
    return (own, *[_if(held, instance) for instance in source.around])[:MAX_KNOWN]


def _if(condition: Term, instance: Instance) -> Instance:
    return instance._replace(condition=tb.conjoin(condition, instance.condition))


def given(st: State, resource: Resource, args: Args, amount: Term) -> State:
    """Notes on the path that an amount of an instance goes into the one that is being folded."""
    return st.on(st.path.noting(Instance(resource, args, tb.greater(amount, tb.NONE))))


def inside(before: State, path: Path, cx: Context) -> tuple[Instance, ...]:
    """What went into an instance, as noted by a fold since a state, and what was in that."""
    found: list[Instance] = []
    for entry in path.since(before.path):
        if isinstance(entry.provenance, Instance):
            found += _parts(before.on(path), entry.provenance, cx)
    return tuple(found[:MAX_KNOWN])


def _parts(before: State, own: Instance, cx: Context) -> list[Instance]:
    """An instance, and what is inside it, if it was folded before."""
    folded = tuple([chunk for chunk in before.heap.of(own.resource) if chunk.inside])
    source = find_chunk(before, folded, own.args, cx)
    if source is None:
        return [own]
    held = tb.conjoin(own.condition, tb.greater(source.amount, tb.NONE))
    return [own, *[_if(held, instance) for instance in source.inside]]


def apart(st: State, instance: Instance, others: tuple[Instance, ...]) -> State:
    """Assume that an instance is none of those that it is in, or that are in it."""
    for other in others:
        if other.resource == instance.resource:
            same = [tb.equal(a, b) for a, b in zip(instance.args, other.args, strict=True)]
            both = tb.conjoin(instance.condition, other.condition)
            st = st.assume(tb.implies(both, tb.negate(tb.conjoin(*same))))
    return st
