"""What is owned: amounts of permission to resources, with the contents of these."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeAlias

from pitviper.base.record import record
from pitviper.engines.concrete.values.unknown import Raw
from pitviper.engines.shared.values import Ref, Value
from pitviper.program.assertion import Wand
from pitviper.program.stmt import Block

ZERO = Fraction(0)
ONE = Fraction(1)


@record
class FieldAt:
    receiver: Ref
    field: str


@record
class PredicateAt:
    predicate: str
    args: tuple[Value, ...]


@record
class WandAt:
    """Wands with the same shape and the same values in its gaps are one resource."""

    shape: Wand
    values: tuple[Value, ...]


Resource: TypeAlias = FieldAt | PredicateAt | WandAt


@record
class Snapshot:
    """The contents of a predicate instance, kept by number in `snapshot.py`."""

    number: int


@record
class Closure:
    """One wand: `package` is None if it was inhaled, so that nothing is known of it."""

    number: int
    package: Packaged | None


@record
class Packaged:
    """What a packaged wand needs to be applied: the footprint it owns, the script, the variables.

    `old` are the old heaps that its right-hand side may look at.
    """

    wand: Wand
    script: Block
    footprint: Heap
    store: Mapping[str, Raw]
    old: Mapping[str | None, Heap]


@record
class Closures:
    """The wands that are held under one resource."""

    items: tuple[Closure, ...]


Content: TypeAlias = Raw | Snapshot | Closures


@record
class Chunk:
    amount: Fraction
    content: Content


@record
class Heap:
    """`chunks` have positive amounts only: what is not owned has no contents."""

    chunks: Mapping[Resource, Chunk]

    def amount(self, resource: Resource) -> Fraction:
        chunk = self.chunks.get(resource)
        return ZERO if chunk is None else chunk.amount

    def with_chunk(self, resource: Resource, chunk: Chunk) -> Heap:
        return Heap({**self.chunks, resource: chunk})

    def without(self, resource: Resource, amount: Fraction) -> Heap:
        """Less of a resource; at least `amount` of it is held."""
        chunk = self.chunks[resource]
        left = chunk.amount - amount
        if left > 0:
            return self.with_chunk(resource, Chunk(left, _rest(chunk.content, int(amount))))
        return Heap({r: c for r, c in self.chunks.items() if r != resource})


def part_of(chunk: Chunk, amount: Fraction) -> Content:
    """The contents of an amount of a chunk. Wands come in whole numbers, the last ones go first."""
    content = chunk.content
    return Closures(content.items[-int(amount) :]) if isinstance(content, Closures) else content


def _rest(content: Content, gone: int) -> Content:
    return Closures(content.items[:-gone]) if isinstance(content, Closures) else content


EMPTY_HEAP = Heap({})
