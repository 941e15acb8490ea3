"""Heap chunks: what is known about one location and how much of it is held."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from pitviper.terms.term import Term


class Kind(Enum):
    FIELD = "field"
    PREDICATE = "predicate"


class Resource(NamedTuple):
    """A field or a predicate of the program."""

    kind: Kind
    name: str


@dataclass(frozen=True, slots=True)
class Chunk:
    """`amount` of the location `resource(args)` is held, and its value (or snapshot) is `value`.

    A field has one argument, its receiver, and a value of the field's sort; a predicate has its
    arguments, and a snapshot as value.
    """

    resource: Resource
    args: tuple[Term, ...]
    value: Term
    amount: Term


def field_resource(name: str) -> Resource:
    return Resource(Kind.FIELD, name)


def predicate_resource(name: str) -> Resource:
    return Resource(Kind.PREDICATE, name)
