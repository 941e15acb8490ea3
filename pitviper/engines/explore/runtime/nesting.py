"""Which predicate instances are inside of another, at any depth.

No instance contains itself: whoever closes one looks for it inside. Going through everything that
is inside makes a list of n elements cost n steps for each of them, so that what is inside is also
kept as a set. It grows with the list: the set of the tail is not copied, but is the first part of
that of the list.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TypeAlias

from pitviper.engines.explore.runtime.equality import conjunction, equal, negation
from pitviper.engines.explore.runtime.heap import Contents, Heap
from pitviper.engines.explore.runtime.run import Run
from pitviper.engines.explore.runtime.value import Lazy, Value
from pitviper.engines.shared.values import Ref

Name: TypeAlias = tuple[object, ...]
"""A predicate and its arguments, where these are objects and numbers that are known."""


class Inside:
    """The first `count` of the names in `order`, and what has none.

    Several of these share `order`, and `places`, which says where a name stands in it. `nameless`
    are instances with arguments that the path tells apart, `unknown` are contents of which nobody
    made such a set: what the input has there, if somebody has looked.
    """

    __slots__ = ("count", "nameless", "order", "places", "unknown")

    def __init__(self) -> None:
        self.order: list[Name] = []
        self.places: dict[Name, int] = {}
        self.count = 0
        self.nameless: list[tuple[str, tuple[Value, ...]]] = []
        self.unknown: list[Contents] = []

    def __contains__(self, name: Name) -> bool:
        place = self.places.get(name)
        return place is not None and place < self.count

    @property
    def names(self) -> Iterable[Name]:
        return self.order[: self.count]

    def continued(self) -> Inside:
        """The same, to be added to."""
        made = Inside()
        made.order, made.places, made.count = self.order, self.places, self.count
        made.nameless, made.unknown = list(self.nameless), list(self.unknown)
        return made

    def add(self, name: Name) -> None:
        if name in self:
            return
        if self.count < len(self.order) and self.order[self.count] != name:
            self.order = self.order[: self.count]
            self.places = {known: place for place, known in enumerate(self.order)}
        if self.count == len(self.order):
            self.order.append(name)
            self.places[name] = self.count
        self.count += 1


def what_is_inside(heap: Heap) -> Inside:
    """All instances in a heap, and all inside of them."""
    listed = [(name, i) for name, instances in heap.instances.items() for i in instances]
    parts = [i.contents.inside for _, i in listed if i.contents.inside is not None]
    largest = max(parts, key=lambda part: part.count, default=None)
    found = Inside() if largest is None else largest.continued()
    for part in [p for p in parts if p is not largest]:
        for known in part.names:
            found.add(known)
        found.nameless += part.nameless
        found.unknown += part.unknown
    for predicate, instance in listed:
        name = name_of(predicate, instance.args)
        if name is None:
            found.nameless.append((predicate, instance.args))
        else:
            found.add(name)
        if instance.contents.inside is None:
            found.unknown.append(instance.contents)
    return found


def name_of(predicate: str, args: tuple[Value, ...]) -> Name | None:
    """None where it takes the path, or a decision, to say whether arguments are equal."""
    known: list[object] = [predicate]
    for arg in args:
        value = arg.decided if isinstance(arg, Lazy) else arg
        if not isinstance(value, Ref | int | Fraction):
            return None
        known.append(value)
    return tuple(known)


def must_not_contain(run: Run, heap: Heap, predicate: str, args: tuple[Value, ...]) -> Inside:
    """Assumes that an instance is not in a heap, at any depth; returns what is."""
    inside, name = what_is_inside(heap), name_of(predicate, args)
    if name is None:
        _differs_from_all(run, heap, predicate, args)
        return inside
    run.assume(name not in inside)
    for other, others in inside.nameless:
        if other == predicate:
            run.assume(negation(same(run, args, others)))
    for contents in inside.unknown:
        if contents.heap is not None:
            _differs_from_all(run, contents.heap, predicate, args)
    return inside


def _differs_from_all(run: Run, heap: Heap, predicate: str, args: tuple[Value, ...]) -> None:
    for instance in heap.instances.get(predicate, ()):
        run.assume(negation(same(run, args, instance.args)))
    for instances in heap.instances.values():
        for instance in instances:
            if instance.contents.heap is not None:
                _differs_from_all(run, instance.contents.heap, predicate, args)


def same(run: Run, args: tuple[Value, ...], others: tuple[Value, ...]) -> Value:
    return conjunction([equal(run, a, b) for a, b in zip(args, others, strict=True)])
