"""What the host of an exploration knows about workers: what each may do, and what it has open."""

from __future__ import annotations

from pitviper.driver.explore.messages import Allowance, Waiting, short, sides_of
from pitviper.engines.explore.report.tally import Attempt

LEAST = Allowance(8, 8, 1_000)
"""What is granted at once, if there is so much."""


class Budget:
    """What nobody has been granted yet.

    Grants become smaller towards the end, so that workers come to their last run together.
    """

    def __init__(self, left: Allowance, workers: int) -> None:
        self.left = left
        self._workers = workers

    def __bool__(self) -> bool:
        return bool(self.left)

    def grant(self) -> Allowance:
        left = self.left
        part = Allowance(
            self._part(left.runs, LEAST.runs),
            self._part(left.nodes, LEAST.nodes),
            self._part(left.steps, LEAST.steps),
        )
        self.left = left.minus(part)
        return part

    def _part(self, left: int, least: int) -> int:
        return min(left, max(least, left // (2 * self._workers)))

    def take_back(self, unused: Allowance) -> None:
        """Less than nothing where a run took more steps than were left."""
        self.left = self.left.plus(unused)


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
