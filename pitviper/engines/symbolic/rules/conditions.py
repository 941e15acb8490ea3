"""Conditions of merged states as sets of ways: each way is a conjunction of decisions.

A decision is looked at as a whole, whatever it consists
of: otherwise the two sides of `if (a && b)` would be four ways that never become one again. Only
what an earlier merge has written is taken apart, into the ways that it was made of.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

from pitviper.terms import build as tb
from pitviper.terms.operators import AND
from pitviper.terms.path_conditions import PathCondition, add_path, are_opposite
from pitviper.terms.term import App, Term

Merges: TypeAlias = dict[Term, tuple[PathCondition, ...]]
"""Conditions that merges have written, and the ways they were made of."""

MOST: Final = 64
"""Ways that are still looked at one by one."""


def ways_of(decisions: Iterable[Term], merges: Merges) -> list[PathCondition] | None:
    """The ways of which some decisions together are the disjunction; None if there are too many."""
    ways: list[PathCondition] = [()]
    for decision in decisions:
        choices = merges.get(decision, ((decision,),))
        if len(ways) * len(choices) > MOST:
            return None
        ways = [_joined(way, choice) for way in ways for choice in choices]
    return ways


def _joined(way: PathCondition, more: PathCondition) -> PathCondition:
    return tuple(dict.fromkeys((*way, *more)))


def exclude(a: list[PathCondition], b: list[PathCondition]) -> bool:
    """Whether it is plain to see that no way of one is a way of the other."""
    return all(_deny(way, other) for way in a for other in b)


def _deny(a: PathCondition, b: PathCondition) -> bool:
    """Some decision of one is the opposite of a decision of the other; conjunctions that decisions
    consist of count as well."""
    if any(are_opposite(one, other) for one in a for other in b):
        return True
    denied = frozenset([tb.negate(part) for one in a for part in _parts(one)])
    return not denied.isdisjoint([part for other in b for part in _parts(other)])


def _parts(term: Term) -> tuple[Term, ...]:
    return term.args if isinstance(term, App) and term.symbol is AND else (term,)


def either(a: list[PathCondition], b: list[PathCondition], merges: Merges) -> Term:
    """The condition that one of the ways is taken, for later merges to know what it is made of."""
    ways: list[PathCondition] = []
    for way in (*a, *b):
        add_path(ways, way)
    condition = tb.disjoin(*[tb.conjoin(*way) for way in ways])
    merges[condition] = tuple(ways)
    return condition
