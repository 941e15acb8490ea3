"""Values of an instance: what a term means, with collections as collections.

References and values of domains are elements, snapshots are structures, as in a model of the
solver; sets, sequences, multisets and maps are what their names say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TypeAlias

from pitviper.base.record import record
from pitviper.solver.model import Element, Structure, Text


@record
class Bag:
    """A multiset: elements with their counts, all positive."""

    counts: frozenset[tuple[Value, int]]

    def count(self, element: Value) -> int:
        return dict(self.counts).get(element, 0)

    @property
    def size(self) -> int:
        return sum(count for _, count in self.counts)


@record
class Table:
    """A finite map."""

    entries: frozenset[tuple[Value, Value]]

    def get(self, key: Value) -> Value | None:
        return dict(self.entries).get(key)

    @property
    def keys(self) -> frozenset[Value]:
        return frozenset([key for key, _ in self.entries])


Value: TypeAlias = (
    bool | int | Fraction | Element | Structure | Text | Bag | Table
    | tuple["Value", ...] | frozenset["Value"]
)  # fmt: skip


def bag(counts: Mapping[Value, int]) -> Bag:
    return Bag(frozenset([(v, n) for v, n in counts.items() if n > 0]))


def table(entries: Iterable[tuple[Value, Value]]) -> Table:
    """Returns a finite map; later entries win."""
    return Table(frozenset(dict(entries).items()))


def in_order(values: Iterable[Value]) -> list[Value]:
    """Returns the same order in every run, numbers by size."""
    return sorted(values, key=_key)


def _key(value: Value) -> tuple[int, Fraction, str]:
    if isinstance(value, bool | int | Fraction):
        return 0, Fraction(value), ""
    if isinstance(value, Element):
        base, _, number = value.name.rpartition("!")
        return 1, Fraction(int(number) if number.isdigit() else 0), base
    if isinstance(value, frozenset):
        return 2, Fraction(len(value)), repr([_key(v) for v in in_order(value)])
    if isinstance(value, tuple):
        return 3, Fraction(len(value)), repr([_key(v) for v in value])
    if isinstance(value, Bag | Table):
        pairs = value.counts if isinstance(value, Bag) else value.entries
        return 4, Fraction(len(pairs)), repr(sorted([(_key(a), _key(b)) for a, b in pairs]))
    return 5, Fraction(0), repr(value)


class Unevaluable(Exception):
    """The value of a term cannot be computed; caught where facts are judged."""


class Underspecified(Exception):
    """A function outside of its domain: it has some value, whichever the model gives it."""
