"""Values for a path without a solver: most paths of a program are about bounds of few numbers.

A path differs from a run that was made by one condition. The values of that run are changed where a
condition of the path is false: a linear one is made true by moving one of its variables, the one
that came last into the path. If all conditions hold in the end, these are the values; if bounds of
one variable contradict each other, there are none; otherwise the solver is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import add, mul, sub
from typing import Final, TypeAlias

from pitviper.base.record import record
from pitviper.engines.explore.runtime.value import Scalar
from pitviper.solver.session import Path
from pitviper.terms.operators import (
    AND,
    AT_MOST,
    DIV,
    EQUAL,
    IMPLIES,
    ITE,
    LESS,
    MINUS,
    MOD,
    NOT,
    OR,
    PLUS,
    TIMES,
)
from pitviper.terms.sort import BOOL, INT
from pitviper.terms.symbol import Operator, Symbol
from pitviper.terms.term import App, Literal, Term

Values: TypeAlias = dict[str, int]
"""Numbers and truth values by the names of their symbols."""

ROUNDS = 3
"""How often all conditions are looked at."""
KEPT = 50_000
"""Conditions that are remembered."""
LONGEST = 400
"""Facts of a path; for a longer one the solver is quicker, since it knows the older part."""


@record
class Linear:
    """A sum that is at most 0, or is 0, or is not 0: coefficients by name, and a number."""

    parts: tuple[tuple[str, int], ...]
    number: int
    relation: str

    def is_met(self, values: Mapping[str, int]) -> bool:
        total = self.number
        for name, factor in self.parts:
            total += factor * values[name]
        if self.relation == "<=":
            return total <= 0
        return (total == 0) == (self.relation == "==")

    @property
    def names(self) -> tuple[str, ...]:
        return tuple([name for name, _ in self.parts])


@record
class Other:
    """Any other condition about numbers and truth values, that holds or does not."""

    term: Term
    names: tuple[str, ...]
    holds: bool

    def is_met(self, values: Mapping[str, int]) -> bool:
        return bool(_value(self.term, values)) == self.holds


Condition: TypeAlias = Linear | Other


@record
class Guessed:
    """`values` are such that the path is taken; without them it is refuted: no values take it."""

    values: Mapping[str, Scalar] | None = None


REFUTED: Final = Guessed()


class Guesses:
    """Looks for values of paths; keeps what is known about their conditions."""

    def __init__(self) -> None:
        self._known: dict[Term, tuple[Condition, ...] | None] = {}

    def of(self, path: Path, origin: Mapping[str, Scalar]) -> Guessed | None:
        """Values for a path that begin with those of another one; None if the solver must tell."""
        if path.length > LONGEST:
            return None
        conditions: list[tuple[Condition, ...]] = []
        entry: Path | None = path
        while entry is not None:
            found = self._conditions(entry.fact)
            if found is None:
                return None
            conditions.append(found)
            entry = entry.older
        conditions.reverse()
        return _guessed([one for some in conditions for one in some], origin)

    def _conditions(self, fact: Term) -> tuple[Condition, ...] | None:
        if fact not in self._known:
            if len(self._known) > KEPT:
                self._known.clear()
            found = list(_split(fact, holds=True))
            self._known[fact] = None if None in found else tuple([c for c in found if c])
        return self._known[fact]


def _guessed(conditions: list[Condition], origin: Mapping[str, Scalar]) -> Guessed | None:
    bounds = _bounds(conditions)
    if bounds is None:
        return REFUTED
    values: Values = {}
    order: dict[str, int] = {}
    for condition in conditions:
        for name in condition.names:
            if name not in order:
                order[name] = len(order)
                start = origin.get(name, 0)
                if not isinstance(start, int):
                    return None
                values[name] = _within(start, bounds.get(name, FREE))
    for _ in range(ROUNDS):
        is_done = True
        for condition in conditions:
            if not condition.is_met(values):
                is_done = False
                if not isinstance(condition, Linear):
                    return None
                if not _mend(condition, values, bounds, order):
                    return None
        if is_done:
            return Guessed(values)
    return None


# ---------------------------------------------------------------- bounds

Bounds: TypeAlias = tuple[int | None, int | None]
FREE: Final[Bounds] = (None, None)


def _bounds(conditions: list[Condition]) -> dict[str, Bounds] | None:
    """The least and the largest value of each symbol, by conditions about it alone."""
    bounds: dict[str, Bounds] = {}
    for condition in conditions:
        if not isinstance(condition, Linear) or len(condition.parts) != 1:
            continue
        ((name, factor),) = condition.parts
        low, high = bounds.get(name, FREE)
        number = -condition.number
        if condition.relation == "==":
            if number % factor:
                return None
            low, high = _higher(low, number // factor), _lower(high, number // factor)
        elif condition.relation == "<=" and factor > 0:
            high = _lower(high, number // factor)
        elif condition.relation == "<=":
            low = _higher(low, -(number // -factor))
        if low is not None and high is not None and low > high:
            return None
        bounds[name] = low, high
    return bounds


def _higher(a: int | None, b: int) -> int:
    return b if a is None or b > a else a


def _lower(a: int | None, b: int) -> int:
    return b if a is None or b < a else a


def _within(value: int, bounds: Bounds) -> int:
    """The nearest number between the bounds."""
    low, high = bounds
    if low is not None and value < low:
        return low
    return high if high is not None and value > high else value


def _mend(
    condition: Linear, values: Values, bounds: dict[str, Bounds], order: Mapping[str, int]
) -> bool:
    """Whether one variable could be moved so that a condition holds; the last one comes first."""
    for name, factor in sorted(condition.parts, key=lambda part: -order[part[0]]):
        rest = condition.number
        for other, times in condition.parts:
            if other != name:
                rest += times * values[other]
        for value in _solutions(rest, factor, condition.relation, values[name]):
            if _within(value, bounds.get(name, FREE)) == value:
                values[name] = value
                return True
    return False


def _solutions(rest: int, factor: int, relation: str, now: int) -> Iterator[int]:
    """Values `x` near the one that is now there for which `factor * x + rest` is as it should."""
    if relation == "!=":
        yield from (now + 1, now - 1)
    elif relation == "<=":
        yield -rest // factor if factor > 0 else -(-rest // -factor)
    elif rest % factor == 0:
        yield -rest // factor


# ---------------------------------------------------------------- conditions


def _split(fact: Term, *, holds: bool) -> Iterator[Condition | None]:
    """The conditions that a fact consists of; None where it is about something else."""
    if isinstance(fact, Literal):
        if bool(fact.value) != holds:
            yield Linear((), 1, "==")
        return
    if not isinstance(fact, App):
        yield None
        return
    symbol, args = fact.symbol, fact.args
    if symbol is NOT:
        yield from _split(args[0], holds=not holds)
    elif symbol is (AND if holds else OR):
        for arg in args:
            yield from _split(arg, holds=holds)
    elif not args and fact.sort is BOOL:
        yield Linear(((symbol.name, 1),), -1 if holds else 0, "==")
    else:
        yield _relation(fact, holds=holds)


def _relation(fact: App, *, holds: bool) -> Condition | None:
    symbol, args = fact.symbol, fact.args
    if symbol in (LESS, AT_MOST, EQUAL) and args[0].sort is INT:
        left, right = _sum(args[0]), _sum(args[1])
        if left is not None and right is not None:
            if symbol is EQUAL:
                return _linear(left, right, 0, "==" if holds else "!=")
            strict = 1 if (symbol is LESS) == holds else 0
            return (
                _linear(left, right, strict, "<=") if holds else _linear(right, left, strict, "<=")
            )
    names: dict[str, None] = {}
    return Other(fact, tuple(names), holds) if _is_plain(fact, names) else None


Sum: TypeAlias = tuple[dict[str, int], int]


def _linear(left: Sum, right: Sum, more: int, relation: str) -> Linear:
    parts = dict(left[0])
    for name, factor in right[0].items():
        parts[name] = parts.get(name, 0) - factor
    kept = tuple([(name, factor) for name, factor in parts.items() if factor])
    return Linear(kept, left[1] - right[1] + more, relation)


def _sum(term: Term) -> Sum | None:
    """A term as numbers times symbols, and a number; None if it is something else."""
    if isinstance(term, Literal):
        return {}, int(term.value)
    if not isinstance(term, App):
        return None
    if not term.args:
        return {term.symbol.name: 1}, 0
    if term.symbol not in (PLUS, MINUS, TIMES):
        return None
    left, right = _sum(term.args[0]), _sum(term.args[1])
    if left is None or right is None:
        return None
    if term.symbol is TIMES:
        return _product(left, right)
    sign = 1 if term.symbol is PLUS else -1
    parts = dict(left[0])
    for name, factor in right[0].items():
        parts[name] = parts.get(name, 0) + sign * factor
    return parts, left[1] + sign * right[1]


def _product(left: Sum, right: Sum) -> Sum | None:
    if left[0] and right[0]:
        return None
    sum_, factor = (left, right[1]) if left[0] else (right, left[1])
    return {name: factor * times for name, times in sum_[0].items()}, factor * sum_[1]


PLAIN: Final = frozenset(
    [AND, OR, NOT, IMPLIES, EQUAL, ITE, PLUS, MINUS, TIMES, DIV, MOD, LESS, AT_MOST]
)


def _is_plain(term: Term, names: dict[str, None]) -> bool:
    """Whether `_value` knows all of a term; collects the names of its symbols."""
    if isinstance(term, Literal):
        return term.sort in (INT, BOOL)
    if not isinstance(term, App) or term.sort not in (INT, BOOL):
        return False
    if not term.args:
        names[term.symbol.name] = None
        return True
    if not isinstance(term.symbol, Operator) or term.symbol not in PLAIN:
        return False
    if term.symbol in (DIV, MOD):
        divisor = term.args[1]
        if not isinstance(divisor, Literal) or not divisor.value:
            return False
    return all([_is_plain(arg, names) for arg in term.args])


def _value(term: Term, values: Mapping[str, int]) -> int:
    if isinstance(term, Literal):
        return int(term.value)
    assert isinstance(term, App)
    if not term.args:
        return values[term.symbol.name]
    return _applied(term, [_value(arg, values) for arg in term.args])


def _applied(term: App, args: list[int]) -> int:
    symbol = term.symbol
    if symbol is NOT:
        return not args[0]
    if symbol is AND:
        return all(args)
    if symbol is OR:
        return any(args)
    if symbol is ITE:
        return args[1] if args[0] else args[2]
    a, b = args
    if symbol is IMPLIES:
        return not a or bool(b)
    if symbol is EQUAL:
        return a == b
    if symbol is LESS:
        return a < b
    if symbol is AT_MOST:
        return a <= b
    if symbol in SIMPLE:
        return SIMPLE[symbol](a, b)
    quotient = a // b if b > 0 else -(a // -b)
    return quotient if symbol is DIV else a - b * quotient


SIMPLE: Final[Mapping[Symbol, Callable[[int, int], int]]] = {PLUS: add, MINUS: sub, TIMES: mul}
