"""Ways to a place: each is a conjunction of conditions, and a place is reached by any of them.

Two ways that differ in one condition only, and its negation, are one way without it: where all ways
meet again, nothing is left of the conditions between.
"""

from __future__ import annotations

from typing import TypeAlias

from pitviper.terms import build as tb
from pitviper.terms.term import Term

PathCondition: TypeAlias = tuple[Term, ...]


def add_path(ways: list[PathCondition], way: PathCondition) -> None:
    """One more way, as one with another where that is possible."""
    for at, other in enumerate(ways):
        merged = _merged(other, way)
        if merged is not None:
            del ways[at]
            add_path(ways, merged)
            return
    ways.append(way)


def are_opposite(a: Term, b: Term) -> bool:
    return tb.negate(a) is b or tb.negate(b) is a


def _merged(a: PathCondition, b: PathCondition) -> PathCondition | None:
    only_a = [part for part in a if part not in b]
    only_b = [part for part in b if part not in a]
    if not only_a:
        return a
    if not only_b:
        return b
    if len(only_a) == len(only_b) == 1 and are_opposite(only_a[0], only_b[0]):
        return tuple([part for part in a if part is not only_a[0]])
    return None
