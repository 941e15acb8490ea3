"""Heap chunks: what is known about one location, or about many at once, and how much is held."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple, TypeAlias, TypeVar

from pitviper.base.record import field, record
from pitviper.terms.substitute import substitute
from pitviper.terms.term import Term, Var


class Kind(Enum):
    FIELD = "field"
    PREDICATE = "predicate"
    WAND = "magic wand"


class Resource(NamedTuple):
    """A field or a predicate of the program, or a shape of magic wands."""

    kind: Kind
    name: str


Args: TypeAlias = tuple[Term, ...]


class Instance(NamedTuple):
    """A predicate instance that is nested with another one, if a condition holds."""

    resource: Resource
    args: Args
    condition: Term


@record
class Chunk:
    """`amount` of the location `resource(args)` is held, and its value (or snapshot) is `value`.

    A field has one argument, its receiver, and a value of the field's sort; a predicate has its
    arguments, and a snapshot as value; of some instances `around` it and `inside` it is known that
    its present contents were found there.
    """

    resource: Resource
    args: Args
    value: Term
    amount: Term
    around: tuple[Instance, ...] = field(default=(), compare=False)
    inside: tuple[Instance, ...] = field(default=(), compare=False)


@record
class QuantifiedChunk:
    """Many locations of one resource: `amount` is a term over `formals`, `map` has the values.

    `inverses` are terms over `formals` that wake up the axioms of inverse functions. A chunk for
    one location has its arguments in `only`, and its value in `value`.
    """

    resource: Resource
    formals: tuple[Var, ...]
    amount: Term
    map: Term
    inverses: tuple[Term, ...] = ()
    only: Args | None = None
    value: Term | None = None

    def amount_at(self, args: Args) -> Term:
        return substitute(self.amount, dict(zip(self.formals, args, strict=True)))


AnyChunk: TypeAlias = Chunk | QuantifiedChunk


def plain(chunk: QuantifiedChunk) -> AnyChunk:
    """A chunk for one location needs no quantifier: as if it had been held like any other."""
    if chunk.only is None or chunk.value is None:
        return chunk
    return Chunk(chunk.resource, chunk.only, chunk.value, chunk.amount_at(chunk.only))


def field_resource(name: str) -> Resource:
    return Resource(Kind.FIELD, name)


def wand_resource(shape: str) -> Resource:
    return Resource(Kind.WAND, shape)


def predicate_resource(name: str) -> Resource:
    return Resource(Kind.PREDICATE, name)


C = TypeVar("C", Chunk, QuantifiedChunk)
Plain = dict[Resource, tuple[Chunk, ...]]
Quantified = dict[Resource, tuple[QuantifiedChunk, ...]]


class Heap:
    """The order of the chunks of one resource decides what is taken first: new ones come last.

    In one member, all chunks of a resource are plain or all are quantified.
    """

    __slots__ = ("_plain", "_quantified")

    def __init__(self, plain: Plain | None = None, quantified: Quantified | None = None) -> None:
        self._plain = plain or {}
        self._quantified = quantified or {}

    def of(self, resource: Resource) -> tuple[Chunk, ...]:
        return self._plain.get(resource, ())

    def quantified(self, resource: Resource) -> tuple[QuantifiedChunk, ...]:
        return self._quantified.get(resource, ())

    def replacing(self, resource: Resource, chunks: tuple[Chunk, ...]) -> Heap:
        return Heap(_with(self._plain, resource, chunks), self._quantified)

    def replacing_quantified(self, resource: Resource, chunks: tuple[QuantifiedChunk, ...]) -> Heap:
        return Heap(self._plain, _with(self._quantified, resource, chunks))

    def adding(self, chunk: Chunk) -> Heap:
        return self.replacing(chunk.resource, (*self.of(chunk.resource), chunk))

    def adding_quantified(self, chunk: QuantifiedChunk) -> Heap:
        return self.replacing_quantified(chunk.resource, (*self.quantified(chunk.resource), chunk))

    def resources(self) -> tuple[Resource, ...]:
        """Those with plain chunks."""
        return tuple(self._plain)

    def quantified_resources(self) -> tuple[Resource, ...]:
        return tuple(self._quantified)

    def __iter__(self) -> Iterator[Chunk]:
        """The plain chunks."""
        for chunks in self._plain.values():
            yield from chunks

    def quantified_chunks(self) -> Iterator[QuantifiedChunk]:
        for chunks in self._quantified.values():
            yield from chunks

    def __repr__(self) -> str:
        return f"Heap({list(self)!r}, {list(self.quantified_chunks())!r})"


@record
class HeldTogether:
    """Why a fact holds: because these chunks are held at the same time."""

    chunks: tuple[QuantifiedChunk, ...]

    def in_heap(self, heap: Heap) -> bool:
        held = heap.quantified(self.chunks[0].resource) if self.chunks else ()
        return held == self.chunks or all(chunk in held for chunk in self.chunks)


def _with(
    table: dict[Resource, tuple[C, ...]], resource: Resource, chunks: tuple[C, ...]
) -> dict[Resource, tuple[C, ...]]:
    new = dict(table)
    if chunks:
        new[resource] = chunks
    else:
        new.pop(resource, None)
    return new


EMPTY = Heap()
