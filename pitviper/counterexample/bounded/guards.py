"""Which values of a variable a quantifier is about, as far as its guards tell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from pitviper.base.record import record
from pitviper.counterexample.bounded.values import Bag, Value, in_order
from pitviper.terms import operators as op
from pitviper.terms.build import hint
from pitviper.terms.symbol import Function
from pitviper.terms.term import App, Binder, Quantified, Term, Var

if TYPE_CHECKING:
    from pitviper.counterexample.bounded.evaluator import Evaluator


@record
class Range:
    """An interval of integers, either end of which may be open; or just these `members`."""

    low: int | None = None
    high: int | None = None
    members: list[Value] | None = None


def range_of(
    term: Quantified, variable: Var, value: Callable[[Term], Value | None]
) -> Range | None:
    """Returns the range that the guards allow a variable; None if they tell nothing."""
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


Env = dict[Var, Value]


def matches(term: Quantified, evaluator: Evaluator) -> Iterator[Env]:
    """Gives matches of the first trigger made of symbols with ground applications."""
    seen: set[tuple[Value, ...]] = set()
    for group in term.triggers:
        for env in _all(group, {}, evaluator):
            key = tuple([env[v] for v in term.variables if v in env])
            if key not in seen and len(key) == len(term.variables):
                seen.add(key)
                yield env


def _all(patterns: Sequence[Term], env: Env, evaluator: Evaluator) -> Iterator[Env]:
    if not patterns:
        yield env
        return
    for found in _anywhere(patterns[0], env, evaluator):
        yield from _all(patterns[1:], found, evaluator)


def _anywhere(pattern: Term, env: Env, evaluator: Evaluator) -> Iterator[Env]:
    if isinstance(pattern, App) and isinstance(pattern.symbol, Function):
        for args, _ in evaluator.applications(pattern.symbol):
            yield from _each(pattern.args, args, env, evaluator)


def _each(
    patterns: Sequence[Term], values: Sequence[Value], env: Env, evaluator: Evaluator
) -> Iterator[Env]:
    if not patterns:
        yield env
        return
    for found in _one(patterns[0], values[0], env, evaluator):
        yield from _each(patterns[1:], values[1:], found, evaluator)


def _one(pattern: Term, value: Value, env: Env, evaluator: Evaluator) -> Iterator[Env]:
    if isinstance(pattern, Var):
        if pattern not in env:
            yield {**env, pattern: value}
        elif env[pattern] == value:
            yield env
    elif all(v in env for v in pattern.free):
        if evaluator.value(pattern, env) == value:
            yield env
    elif isinstance(pattern, App) and isinstance(pattern.symbol, Function):
        for args, result in evaluator.applications(pattern.symbol):
            if result == value:
                yield from _each(pattern.args, args, env, evaluator)
