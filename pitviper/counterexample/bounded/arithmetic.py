"""Operators of the logic on values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeVar

from pitviper.counterexample.bounded.unevaluable import Unevaluable
from pitviper.terms import build as tb
from pitviper.terms import operators as op
from pitviper.terms.snapshot import UNIT, pair
from pitviper.terms.sort import BOOL, REAL, Sort
from pitviper.terms.symbol import Operator
from pitviper.terms.term import Term

V = TypeVar("V", bound=object)


def apply(symbol: Operator, args: Sequence[Callable[[], V]]) -> V:
    """Arguments are computed on demand: what does not matter need not have a value."""
    found = _connective(symbol, args)
    if found is None:
        found = _strict(symbol, [arg() for arg in args])
    return found  # type: ignore[return-value]  # truth values and numbers are values of either kind


def _connective(symbol: Operator, args: Sequence[Callable[[], V]]) -> object:
    if symbol is op.AND:
        return _decide(args, decisive=False)
    if symbol is op.OR:
        return _decide(args, decisive=True)
    if symbol is op.IMPLIES:
        return _decide([lambda: not args[0](), args[1]], decisive=True)
    if symbol is op.ITE:
        return args[1]() if args[0]() else args[2]()
    return None


def _decide(args: Sequence[Callable[[], object]], *, decisive: bool) -> bool:
    """One decisive argument is enough, whatever the others are."""
    missing: Unevaluable | None = None
    for arg in args:
        try:
            if arg() is decisive:
                return decisive
        except Unevaluable as reason:
            missing = missing or reason
    if missing is not None:
        raise missing
    return not decisive


def _strict(symbol: Operator, values: list[V]) -> object:
    if symbol is op.NOT:
        return not values[0]
    if symbol is op.EQUAL:
        return values[0] == values[1]
    if symbol is op.DISTINCT:
        return len(set(values)) == len(values)
    return _number(symbol, values)


def _number(symbol: Operator, values: Sequence[object]) -> object:
    a = _numeric(values[0])
    if symbol is op.TO_REAL:
        return Fraction(a)
    b = _numeric(values[1])
    if symbol is op.PLUS:
        return a + b
    if symbol is op.MINUS:
        return a - b
    if symbol is op.TIMES:
        return a * b
    if symbol is op.LESS:
        return a < b
    if symbol is op.AT_MOST:
        return a <= b
    if b == 0:
        raise Unevaluable("division by zero")
    if symbol is op.DIVIDE:
        return Fraction(a) / b
    size = b if b > 0 else -b
    remainder = a % size
    return remainder if symbol is op.MOD else (a - remainder) // b


def _numeric(value: object) -> int | Fraction:
    if not isinstance(value, int | Fraction):
        raise Unevaluable(f"{value} is no number")
    return value


def literal_of(value: int | Fraction, sort: Sort) -> Term:
    """Truth values are integers to Python; the sort tells."""
    if sort is BOOL:
        return tb.truth(holds=bool(value))
    return tb.rational(Fraction(value)) if sort is REAL else tb.integer(int(value))


def structure(constructor: str, args: Sequence[Term], wanted: int) -> Term | None:
    """The term of a snapshot, if all its parts have one."""
    if len(args) < wanted:
        return None
    return pair(args[0], args[1]) if constructor == "Snap.pair" else UNIT
