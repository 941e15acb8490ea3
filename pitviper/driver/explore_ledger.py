"""What the host of an exploration knows about workers: what each may do, and what it has open."""

from __future__ import annotations

from pitviper.driver.explore_messages import Waiting, short, sides_of
from pitviper.driver.explore_tally import Attempt

LEAST = 8
"""Attempts that are granted at once, if there are so many."""


class Budget:
    """Runs and nodes that nobody has been granted yet.

    Grants become smaller towards the end, so that workers come to their last run together.
    """

    def __init__(self, runs: int, nodes: int, workers: int) -> None:
        self.runs = runs
        self.nodes = nodes
        self._workers = workers

    def __bool__(self) -> bool:
        return self.runs > 0 and self.nodes > 0

    def grant(self) -> tuple[int, int]:
        runs, nodes = self._part(self.runs), self._part(self.nodes)
        self.runs -= runs
        self.nodes -= nodes
        return runs, nodes

    def _part(self, left: int) -> int:
        return min(left, max(LEAST, left // (2 * self._workers)))

    def take_back(self, runs: int, nodes: int) -> None:
        self.runs += runs
        self.nodes += nodes


class Ledger:
    """All that came to a worker and from it, in order; what is open is found out at need."""

    def __init__(self) -> None:
        self._events: list[Waiting | Attempt | str] = []

    def handed(self, entries: tuple[Waiting, ...]) -> None:
        self._events += entries

    def told(self, attempts: tuple[Attempt, ...], shared: tuple[Waiting, ...]) -> None:
        self._events += attempts
        self._events += [entry.name for entry in shared]

    def open(self) -> list[Waiting]:
        """The entries that the worker has, as far as it has told."""
        found: dict[str, list[Waiting]] = {}
        for event in self._events:
            match event:
                case Waiting():
                    found.setdefault(event.name, []).append(event)
                case Attempt():
                    _remove(found, event.entry)
                    for side in sides_of(event):
                        found.setdefault(side.name, []).append(side)
                case _:
                    _remove(found, event)
        return [entry for entries in found.values() for entry in entries]

    def has_told(self, name: str) -> bool:
        """Whether an attempt was told about; the name is as in a slot."""
        return any(isinstance(e, Attempt) and short(e.entry) == name for e in self._events)

    def clear(self) -> None:
        self._events.clear()


def _remove(found: dict[str, list[Waiting]], name: str) -> None:
    """One of this name: should two have it, both must be done."""
    entries = found.get(name)
    if entries:
        entries.pop()
