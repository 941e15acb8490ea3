"""Values of an instance: what a term means, with collections as collections.

References and values of domains are elements, snapshots are structures, as in a model of the
solver; sets, sequences, multisets and maps are what their names say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import TypeAlias

from pitviper.base.record import field, record
from pitviper.encoding.symbols import Symbols
from pitviper.encoding.theories import sequences as seq
from pitviper.encoding.theories.maps import Maps
from pitviper.encoding.theories.multisets import Multisets
from pitviper.encoding.theories.sequences import Sequences
from pitviper.encoding.theories.sets import Sets
from pitviper.solver.model import Element, Structure, Text
from pitviper.terms.sort import Sort
from pitviper.terms.symbol import Function


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


@record
class Built:
    """A value of an algebraic data type."""

    constructor: str
    args: tuple[Value, ...]


Value: TypeAlias = (
    bool | int | Fraction | Element | Structure | Text | Bag | Table | Built
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
    if isinstance(value, Built):
        return 6, Fraction(0), repr([value.constructor, *map(_key, value.args)])
    return 5, Fraction(0), repr(value)


class Unevaluable(Exception):
    """The value of a term cannot be computed; caught where facts are judged."""


class Circular(Unevaluable):
    """Whether a quantified statement is true is an argument of what it speaks about."""


class Underspecified(Exception):
    """A function outside of its domain: it has some value, whichever the model gives it."""


Meaning: TypeAlias = Callable[..., Value]
Theory: TypeAlias = Sequences | Sets | Multisets | Maps

LONGEST_RANGE = 2000


@record
class Case:
    """A constructor: its number, the symbol that builds, and those that take apart."""

    name: str
    number: int
    build: Function
    parts: tuple[Function, ...]


@record
class Adt:
    """An algebraic data type with given type arguments."""

    sort: Sort
    tag: Function
    cases: tuple[Case, ...]

    def case(self, name: str) -> Case:
        return next(case for case in self.cases if case.name == name)


@record
class Theories:
    """The collections of a program and its data types, by their sorts; and what symbols mean."""

    by_sort: Mapping[Sort, Theory]
    meanings: Mapping[Function, Meaning]
    adts: Mapping[Sort, Adt] = field(default_factory=dict)

    def is_read(self, sort: Sort) -> bool:
        """Whether values of the solver are read as others."""
        return sort in self.by_sort or sort in self.adts


def theories_of(symbols: Symbols) -> Theories:
    by_sort: dict[Sort, Theory] = {}
    meanings: dict[Function, Meaning] = {seq.PLUS: _plus, seq.MINUS: _minus}
    for sequences in symbols.sequences.values():
        by_sort[sequences.sort] = sequences
        meanings.update(_sequence_meanings(sequences))
    for sets in symbols.sets.values():
        by_sort[sets.sort] = sets
        meanings.update(_set_meanings(sets))
    for multisets in symbols.multisets.values():
        by_sort[multisets.sort] = multisets
        meanings.update(_multiset_meanings(multisets))
    for maps in symbols.maps.values():
        by_sort[maps.sort] = maps
        meanings.update(_map_meanings(maps))
    for locations in symbols.snapshot_maps.values():
        meanings[locations.touched] = _always
    return Theories(by_sort, meanings)


def _always(*location: Value) -> Value:
    """That a location is looked at is true of every one; only triggers care for it."""
    return True


def _plus(a: int, b: int) -> Value:
    return a + b


def _minus(a: int, b: int) -> Value:
    return a - b


def _sequence_meanings(th: Sequences) -> dict[Function, Meaning]:
    found: dict[Function, Meaning] = {
        th.length: len,
        th.empty: lambda: (),
        th.singleton: lambda e: (e,),
        th.append: lambda s, t: (*s, *t),
        th.index: _index,
        th.take: lambda s, n: s[: max(n, 0)],
        th.drop: lambda s, n: s[max(n, 0) :],
        th.update: _update,
        th.contains: lambda s, e: e in s,
        th.marks: lambda s, e: e in s,
        th.equals: lambda s, t: s == t,
    }
    if th.range is not None:
        found[th.range] = _range
    return found


def _index(s: tuple[Value, ...], i: int) -> Value:
    if not 0 <= i < len(s):
        raise Underspecified("an index outside of a sequence")
    return s[i]


def _update(s: tuple[Value, ...], i: int, e: Value) -> Value:
    return (*s[:i], e, *s[i + 1 :]) if 0 <= i < len(s) else s


def _range(low: int, high: int) -> Value:
    if high - low > LONGEST_RANGE:
        raise Unevaluable(f"a range of {high - low} numbers")
    return tuple(range(low, high))


def _set_meanings(th: Sets) -> dict[Function, Meaning]:
    return {
        th.contains: lambda x, s: x in s,
        th.size: len,
        th.empty: frozenset,
        th.singleton: lambda x: frozenset((x,)),
        th.insert: lambda s, x: s | {x},
        th.union: lambda s, t: s | t,
        th.intersection: lambda s, t: s & t,
        th.difference: lambda s, t: s - t,
        th.subset: lambda s, t: s <= t,
        th.equals: lambda s, t: s == t,
    }


def _multiset_meanings(th: Multisets) -> dict[Function, Meaning]:
    return {
        th.count: lambda x, m: m.count(x),
        th.size: lambda m: m.size,
        th.empty: lambda: bag({}),
        th.singleton: lambda x: bag({x: 1}),
        th.insert: lambda m, x: _combined(m, bag({x: 1}), lambda a, b: a + b),
        th.union: lambda m, n: _combined(m, n, lambda a, b: a + b),
        th.intersection: lambda m, n: _combined(m, n, min),
        th.difference: lambda m, n: _combined(m, n, lambda a, b: a - b),
        th.subset: lambda m, n: all(c <= n.count(x) for x, c in m.counts),
        th.equals: lambda m, n: m == n,
    }


def _combined(m: Bag, n: Bag, counts: Callable[[int, int], int]) -> Bag:
    a, b = dict(m.counts), dict(n.counts)
    return bag({x: counts(a.get(x, 0), b.get(x, 0)) for x in {**a, **b}})


def _map_meanings(th: Maps) -> dict[Function, Meaning]:
    return {
        th.size: lambda m: len(m.entries),
        th.empty: lambda: table(()),
        th.lookup: _lookup,
        th.update: lambda m, k, v: table([*m.entries, (k, v)]),
        th.domain: lambda m: m.keys,
        th.range: lambda m: frozenset([v for _, v in m.entries]),
        th.equals: lambda m, n: m == n,
    }


def _lookup(m: Table, key: Value) -> Value:
    found = m.get(key)
    if found is None:
        raise Underspecified("a key that a map lacks")
    return found
