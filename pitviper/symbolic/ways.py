"""Conditions of merged states as sets of ways: each way is a conjunction of decisions.

Ways that differ in one decision only are one way without it, so that where all ways meet again
nothing is left of the decisions between.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from pitviper.terms import build as tb
from pitviper.terms.operators import AND, OR
from pitviper.terms.term import App, Term

Way: TypeAlias = tuple[Term, ...]

MOST: Final = 256
"""Ways that are still looked at one by one."""


def ways_of(condition: Term) -> list[Way] | None:
    """The ways of which a condition is the disjunction; None if there are too many."""
    ways: list[Way] = [()]
    for part in _parts(condition, AND):
        choices: list[Way] | None = [(part,)]
        if isinstance(part, App) and part.symbol is OR:
            choices = _choices(part)
        if choices is None or len(ways) * len(choices) > MOST:
            return None
        ways = [_joined(way, choice) for way in ways for choice in choices]
    return ways


def _choices(part: App) -> list[Way] | None:
    found: list[Way] = []
    for arg in part.args:
        inner = ways_of(arg)
        if inner is None:
            return None
        found += inner
    return found


def _parts(term: Term, symbol: object) -> tuple[Term, ...]:
    if term is tb.TRUE:
        return ()
    return term.args if isinstance(term, App) and term.symbol is symbol else (term,)


def _joined(way: Way, more: Way) -> Way:
    return tuple(dict.fromkeys((*way, *more)))


def exclude(a: list[Way], b: list[Way]) -> bool:
    """Whether it is plain to see that no way of one is a way of the other."""
    refuted = [frozenset([tb.negate(part) for part in way]) for way in a]
    return all(not denied.isdisjoint(way) for denied in refuted for way in b)


def either(a: list[Way], b: list[Way]) -> Term:
    """The condition that one of the ways is taken."""
    ways: list[Way] = []
    for way in (*a, *b):
        _add(ways, way)
    return tb.disjoin(*[tb.conjoin(*way) for way in ways])


def _add(ways: list[Way], way: Way) -> None:
    for at, other in enumerate(ways):
        merged = _merged(other, way)
        if merged is not None:
            del ways[at]
            _add(ways, merged)
            return
    ways.append(way)


def _merged(a: Way, b: Way) -> Way | None:
    """One way for two: what they share, if they differ in one decision and its negation."""
    only_a = [part for part in a if part not in b]
    only_b = [part for part in b if part not in a]
    if not only_a:
        return a
    if not only_b:
        return b
    if len(only_a) == len(only_b) == 1 and tb.negate(only_a[0]) is only_b[0]:
        return tuple([part for part in a if part is not only_a[0]])
    return None
