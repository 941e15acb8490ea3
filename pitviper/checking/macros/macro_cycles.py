"""Macros that use themselves, directly or through others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

Uses: TypeAlias = Callable[[str], Iterable[str]]
"""The macros that the body of a macro uses."""

Cycle: TypeAlias = tuple[str, ...]
"""Each macro uses the next one, the last one uses the first."""


def find_cycles(uses: Uses, roots: Iterable[str]) -> list[Cycle]:
    """The cycles that can be reached from `roots`, each macro in one of them at most.

    A cycle starts with the macro through which a root reaches it.
    """
    cycles: list[Cycle] = []
    in_cycle: set[str] = set()
    finished: set[str] = set()
    for root in roots:
        for cycle in _cycles_from(root, uses, finished):
            if in_cycle.isdisjoint(cycle):
                cycles.append(cycle)
                in_cycle.update(cycle)
    return cycles


def _cycles_from(root: str, uses: Uses, finished: set[str]) -> Iterator[Cycle]:
    """Depth first with a stack of our own: a chain of macros may be long."""
    if root in finished:
        return
    path = {root: iter(uses(root))}
    order = [root]
    while order:
        used = next(path[order[-1]], None)
        if used is None:
            finished.add(order[-1])
            del path[order.pop()]
        elif used in path:
            yield tuple(order[order.index(used) :])
        elif used not in finished:
            path[used] = iter(uses(used))
            order.append(used)
