"""The finite values that programs compute with, of the interpreter and of exploration.

References, multisets, maps and data are the same classes for both, sequences are tuples for both.
They differ in what is inside. Values of the interpreter are known, so pairs stand in a frozen set,
and `==` is equality of values. Exploration has symbolic parts inside, so pairs stand in a tuple,
and whether two values are equal is a condition of the path (`explore/runtime/equality.py`).
The functions here are about values that are known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Generic, TypeAlias, TypeVar

from pitviper.base.record import record
from pitviper.program.types import Type

Pairs = TypeVar("Pairs", covariant=True)
Part = TypeVar("Part", covariant=True)


@record
class Ref:
    """An object by its number; 0 is null.

    A negative number stands for any object that a run of the interpreter has not met (see
    `instances.py`); in exploration, for an object that the run has made.
    """

    number: int

    @property
    def is_generic(self) -> bool:
        return self.number < 0

    def __repr__(self) -> str:
        return "null" if self.number == 0 else f"object{self.number}"


NULL = Ref(0)


@record
class Multiset(Generic[Pairs]):
    """Elements with how often each occurs; if they are known, all positive."""

    items: Pairs


@record
class FiniteMap(Generic[Pairs]):
    """Keys with their values."""

    items: Pairs


@record
class Token:
    """A value of a domain type: nothing is known of it but its identity."""

    type: Type
    number: int


@record
class Constructed(Generic[Part]):
    """A value of an algebraic data type."""

    constructor: str
    args: tuple[Part, ...]


Value: TypeAlias = (
    int | bool | Fraction | Ref | Token | Constructed["Value"]
    | Multiset[frozenset[tuple["Value", int]]] | FiniteMap[frozenset[tuple["Value", "Value"]]]
    | tuple["Value", ...] | frozenset["Value"]
)  # fmt: skip
"""Sequences are tuples, sets are frozen sets; all elements of a collection have one type."""


def multiset(counts: Mapping[Value, int]) -> Multiset[frozenset[tuple[Value, int]]]:
    return Multiset(frozenset([(v, n) for v, n in counts.items() if n > 0]))


def multiset_of(elements: Iterable[Value]) -> Multiset[frozenset[tuple[Value, int]]]:
    counts: dict[Value, int] = {}
    for element in elements:
        counts[element] = counts.get(element, 0) + 1
    return multiset(counts)


def finite_map(entries: Mapping[Value, Value]) -> FiniteMap[frozenset[tuple[Value, Value]]]:
    return FiniteMap(frozenset(entries.items()))


def elements_of(collection: Value) -> list[Value]:
    """The different elements (keys) of a collection, in an order that is the same in every run."""
    match collection:
        case tuple():
            return list(dict.fromkeys(collection))
        case frozenset():
            return sorted(collection, key=order_key)
        case Multiset(counts):
            return sorted([element for element, _ in counts], key=order_key)
        case FiniteMap(entries):
            return sorted([key for key, _ in entries], key=order_key)
        case _:
            raise TypeError(f"no collection: {collection!r}")


def size_of(collection: Value) -> int:
    match collection:
        case tuple() | frozenset():
            return len(collection)
        case Multiset(counts):
            return sum([count for _, count in counts])
        case FiniteMap(entries):
            return len(entries)
        case _:
            raise TypeError(f"no collection: {collection!r}")


_Key: TypeAlias = tuple[int | Fraction | str | tuple["_Key", ...], ...]


def order_key(value: Value) -> _Key:
    """An order among the values of one type that does not depend on hashes."""
    match value:
        case int() | Fraction():
            return (value,)
        case Ref(number):
            return (number,)
        case tuple():
            return (len(value), tuple([order_key(v) for v in value]))
        case frozenset():
            return (len(value), tuple(sorted([order_key(v) for v in value])))
        case Multiset(counts):
            return (len(counts), tuple(sorted([(*order_key(v), n) for v, n in counts])))
        case FiniteMap(entries):
            pairs = sorted([(*order_key(k), *order_key(v)) for k, v in entries])
            return (len(entries), tuple(pairs))
        case Token(_, number):
            return (number,)
        case Constructed(constructor, args):
            return (constructor, tuple([order_key(a) for a in args]))


def references_in(value: Value) -> list[Ref]:
    """The references that a value holds, at any depth."""
    match value:
        case Ref():
            return [value]
        case tuple() | frozenset():
            return _references(value)
        case Multiset(counts):
            return _references([element for element, _ in counts])
        case FiniteMap(entries):
            return _references([part for entry in entries for part in entry])
        case Constructed(_, args):
            return _references(args)
        case _:
            return []


def _references(values: Iterable[Value]) -> list[Ref]:
    return [ref for value in values for ref in references_in(value)]


def value_text(value: Value) -> str:
    """The value as one would write it in a program."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case Fraction():
            return f"{value.numerator}/{value.denominator}"
        case Ref(number):
            return "null" if number == 0 else f"object{number}"
        case tuple():
            return f"Seq({_texts(value)})"
        case frozenset():
            return f"Set({_texts(elements_of(value))})"
        case Multiset(counts):
            known = dict(counts)
            return f"Multiset({_texts([e for e in elements_of(value) for _ in range(known[e])])})"
        case FiniteMap(entries):
            at = dict(entries)
            pairs = [f"{value_text(k)} := {value_text(at[k])}" for k in elements_of(value)]
            return f"Map({', '.join(pairs)})"
        case Token(kind, number):
            return f"{kind}#{number}"
        case Constructed(constructor, args):
            return f"{constructor}({_texts(args)})"


def _texts(values: Iterable[Value]) -> str:
    return ", ".join([value_text(v) for v in values])
