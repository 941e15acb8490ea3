"""Heap chunks: what is known about one location, or about many at once, and how much is held."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple, TypeAlias

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


def field_resource(name: str) -> Resource:
    return Resource(Kind.FIELD, name)


def wand_resource(shape: str) -> Resource:
    return Resource(Kind.WAND, shape)


def predicate_resource(name: str) -> Resource:
    return Resource(Kind.PREDICATE, name)
