"""Snapshots."""

from __future__ import annotations

from pitviper.terms.snapshot import first, second
from pitviper.terms.term import Term


def split(snap: Term, count: int) -> list[Term]:
    """A snapshot for each of several conjuncts: pairs nested to the right."""
    parts: list[Term] = []
    for _ in range(count - 1):
        parts.append(first(snap))
        snap = second(snap)
    return [*parts, snap] if count else []
