"""Values that nobody has decided on yet.

An arbitrary value (uninitialised, havocked, inhaled) starts as a `Hole`. Assumptions about it
narrow it down: an equation fills it, an inequality gives it a limit. Only when its value is needed
does the tape decide, among the values that are left. So assumptions such as `x.f == old(x.f) + 1`
rarely make a run infeasible, and no search is needed.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from pitviper.base.record import field, record, struct
from pitviper.engines.concrete.values.objects import Objects
from pitviper.engines.shared.values import Value, elements_of, size_of
from pitviper.program.expr import CompareOp
from pitviper.program.types import BOOL, INT, Type

Number: TypeAlias = int | Fraction


@record
class Hole:
    """An undecided value; for an Int hole, the value plus `offset`."""

    number: int
    type: Type
    offset: int = 0

    def shifted(self, by: int) -> Hole:
        return Hole(self.number, self.type, self.offset + by)


Raw: TypeAlias = Value | Hole


@record
class Limit:
    """A bound; a strict one is not itself possible. Those of integers are never strict."""

    value: Number
    strict: bool


@struct
class Unknown:
    """What is known about a hole.

    An undecided collection has a hole for its size, `length`, and elements that it must have.
    `is_part` holds for the elements themselves.
    """

    type: Type
    horizon: int
    what: str
    value: Raw | None = None
    low: Limit | None = None
    high: Limit | None = None
    excluded: list[Value] = field(default_factory=list)
    length: Hole | None = None
    elements: list[Value] = field(default_factory=list)
    is_part: bool = False

    def in_limits(self, value: Number) -> bool:
        low, high = self.low, self.high
        above = low is None or value > low.value or (value == low.value and not low.strict)
        below = high is None or value < high.value or (value == high.value and not high.strict)
        return above and below

    def is_possible(self) -> bool:
        """Whether a value is left."""
        if self.type == BOOL:
            return len(set(self.excluded)) < 2
        if self.low is None or self.high is None:
            return True
        low, high = self.low.value, self.high.value
        if low > high or (low == high and (self.low.strict or self.high.strict)):
            return False
        if self.type == INT:
            return self._integers_left(int(low), int(high))
        return low < high or low not in self.excluded

    def _integers_left(self, low: int, high: int) -> bool:
        if high - low >= len(self.excluded):
            return True
        return any(value not in self.excluded for value in range(low, high + 1))


class Unknowns:
    """All holes of a run. Every operation answers whether what it says is possible."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._all: list[Unknown] = []

    def __len__(self) -> int:
        return len(self._all)

    def fresh(self, kind: Type, horizon: int, what: str) -> Hole:
        self._all.append(Unknown(kind, horizon, what))
        return Hole(len(self._all) - 1, kind)

    def about(self, hole: Hole) -> Unknown:
        return self._all[hole.number]

    def undecided(self) -> list[Hole]:
        return [Hole(at, u.type) for at, u in enumerate(self._all) if u.value is None]

    def look(self, raw: Raw) -> Raw:
        """The value of a hole if it has one, else the hole that stands for it."""
        while isinstance(raw, Hole):
            found = self._all[raw.number].value
            if found is None:
                return raw
            raw = _plus(found, raw.offset)
        return raw

    def equate(self, a: Raw, b: Raw) -> bool:
        """Make two values equal."""
        a, b = self.look(a), self.look(b)
        if isinstance(a, Hole):
            return self._join(a, b) if isinstance(b, Hole) else self._fill(a, b)
        return self._fill(b, a) if isinstance(b, Hole) else a == b

    def exclude(self, hole: Hole, value: Value) -> bool:
        """The hole gets another value than this."""
        unknown = self._all[hole.number]
        unknown.excluded.append(_minus(value, hole.offset))
        return unknown.is_possible()

    def limit(self, hole: Hole, op: CompareOp, value: Number) -> bool:
        """The hole compares like this with a number."""
        unknown = self._all[hole.number]
        value = value - hole.offset
        strict = op in (CompareOp.LT, CompareOp.GT)
        if op in (CompareOp.LT, CompareOp.LE):
            unknown.high = _lower(unknown.high, _limit(unknown.type, value, -1 if strict else 0))
        else:
            unknown.low = _higher(unknown.low, _limit(unknown.type, value, 1 if strict else 0))
        return unknown.is_possible()

    def contain(self, hole: Hole, element: Value) -> bool:
        """The undecided collection has this element."""
        unknown = self._all[hole.number]
        if element not in unknown.elements:
            unknown.elements.append(element)
        possible = self._objects.existed(element, unknown.horizon)
        length = self.look(self.length_of(hole))
        if isinstance(length, Hole):
            return possible and self.limit(length, CompareOp.GE, len(unknown.elements))
        assert isinstance(length, int)
        return possible and length >= len(unknown.elements)

    def length_of(self, hole: Hole) -> Hole:
        """The hole of the size of an undecided collection."""
        unknown = self._all[hole.number]
        if unknown.length is None:
            unknown.length = self.fresh(INT, unknown.horizon, f"the size of {unknown.what}")
            self.limit(unknown.length, CompareOp.GE, 0)
        return unknown.length

    def allows(self, hole: Hole, value: Value) -> bool:
        """Whether the hole may get a value, as far as it is known."""
        unknown = self._all[hole.number]
        value = _minus(value, hole.offset)
        if isinstance(value, int | Fraction) and not unknown.in_limits(value):
            return False
        if unknown.elements and not set(unknown.elements) <= set(elements_of(value)):
            return False
        return value not in unknown.excluded and self._objects.existed(value, unknown.horizon)

    def _fill(self, hole: Hole, value: Value) -> bool:
        if not self.allows(hole, value):
            return False
        unknown = self._all[hole.number]
        unknown.value = _minus(value, hole.offset)
        return unknown.length is None or self.equate(unknown.length, size_of(value))

    def _join(self, a: Hole, b: Hole) -> bool:
        if a.number == b.number:
            return a.offset == b.offset
        newer, older = (a, b) if a.number > b.number else (b, a)
        gone, kept = self._all[newer.number], self._all[older.number]
        shift = older.offset - newer.offset
        gone.value = Hole(older.number, older.type, shift)
        kept.horizon = min(kept.horizon, gone.horizon)
        kept.excluded.extend([_minus(value, shift) for value in gone.excluded])
        kept.elements.extend([e for e in gone.elements if e not in kept.elements])
        kept.low = _higher(kept.low, _moved(gone.low, -shift))
        kept.high = _lower(kept.high, _moved(gone.high, -shift))
        return kept.is_possible() and self._join_lengths(gone, kept)

    def _join_lengths(self, gone: Unknown, kept: Unknown) -> bool:
        if gone.length is not None and kept.length is not None:
            return self.equate(gone.length, kept.length)
        kept.length = kept.length or gone.length
        return True


def _plus(raw: Raw, offset: int) -> Raw:
    if offset == 0:
        return raw
    if isinstance(raw, Hole):
        return raw.shifted(offset)
    assert isinstance(raw, int)
    return raw + offset


def _minus(value: Value, offset: int) -> Value:
    if offset == 0:
        return value
    assert isinstance(value, int)
    return value - offset


def _limit(kind: Type, value: Number, beyond: int) -> Limit:
    """A limit at `value`, or right behind it in direction `beyond`."""
    if kind == INT:
        return Limit(value + beyond, strict=False)
    return Limit(value, strict=beyond != 0)


def _moved(limit: Limit | None, by: int) -> Limit | None:
    return None if limit is None else Limit(limit.value + by, limit.strict)


def _higher(a: Limit | None, b: Limit | None) -> Limit | None:
    if a is None or b is None:
        return a or b
    return a if (a.value, a.strict) >= (b.value, b.strict) else b


def _lower(a: Limit | None, b: Limit | None) -> Limit | None:
    if a is None or b is None:
        return a or b
    return a if (a.value, not a.strict) <= (b.value, not b.strict) else b
