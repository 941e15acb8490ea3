"""Which values of a variable a quantifier is about, as far as its guards tell."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pitviper.counterexample.bounded.values import Bag, Value, in_order
from pitviper.terms import operators as op
from pitviper.terms.build import hint
from pitviper.terms.symbol import Function
from pitviper.terms.term import App, Binder, Quantified, Term, Var


@dataclass(frozen=True, slots=True)
class Range:
    """An interval of integers, either end of which may be open; or just these `members`."""

    low: int | None = None
    high: int | None = None
    members: list[Value] | None = None


def range_of(
    term: Quantified, variable: Var, value: Callable[[Term], Value | None]
) -> Range | None:
    """Values outside of it make the guards false; None if the guards tell nothing."""
    lows: list[int] = []
    highs: list[int] = []
    for guard in _guards(term.body, holds=term.binder is Binder.EXISTS):
        members = _members(guard, variable, value)
        if members is not None:
            return Range(members=members)
        low, high = _ends(guard, variable, value)
        lows += [] if low is None else [low]
        highs += [] if high is None else [high]
    if not lows and not highs:
        return None
    return Range(max(lows, default=None), min(highs, default=None))


def _guards(body: Term, *, holds: bool) -> Iterator[Term]:
    """What must hold for the body to matter: to be true, or else to be false."""
    if isinstance(body, App):
        if body.symbol is (op.AND if holds else op.OR):
            for part in body.args:
                yield from _guards(part, holds=holds)
            return
        if body.symbol is op.NOT:
            yield from _guards(body.args[0], holds=not holds)
            return
        if body.symbol is op.IMPLIES and not holds:
            yield from _guards(body.args[0], holds=True)
            yield from _guards(body.args[1], holds=False)
            return
        if not holds and body.symbol in (op.LESS, op.AT_MOST):
            other = op.AT_MOST if body.symbol is op.LESS else op.LESS
            yield hint(other, body.args[1], body.args[0])
            return
    if holds:
        yield body


def _ends(
    guard: Term, variable: Var, value: Callable[[Term], Value | None]
) -> tuple[int | None, int | None]:
    if not isinstance(guard, App) or guard.symbol not in (op.LESS, op.AT_MOST, op.EQUAL):
        return None, None
    strict = guard.symbol is op.LESS
    left, right = guard.args
    low = high = None
    if left is variable:
        bound = value(right)
        high = bound - strict if isinstance(bound, int) else None
    if right is variable:
        bound = value(left)
        low = bound + strict if isinstance(bound, int) else None
    if guard.symbol is op.EQUAL:
        found = high if high is not None else low
        return found, found
    return low, high


def _members(
    guard: Term, variable: Var, value: Callable[[Term], Value | None]
) -> list[Value] | None:
    """The elements of a collection that contains the variable."""
    if not isinstance(guard, App) or not isinstance(guard.symbol, Function):
        return None
    if not guard.symbol.name.endswith(".contains") or variable not in guard.args:
        return None
    others = [arg for arg in guard.args if arg is not variable]
    found = value(others[0]) if others else None
    if isinstance(found, frozenset):
        return in_order(found)
    if isinstance(found, tuple):
        return in_order(set(found))
    return in_order([x for x, _ in found.counts]) if isinstance(found, Bag) else None
