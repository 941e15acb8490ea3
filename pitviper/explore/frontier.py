"""Which of the waiting parts of the search comes next."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Protocol

from pitviper.explore.runtime.run import Decision, Kind, Site
from pitviper.solver.session import Path


@dataclass(frozen=True, slots=True)
class Entry:
    """A path that nobody has run: the path of `parent` up to a decision, and then the other way.

    `flipped` is None where the same path is solved again with more known. `bound` counts the
    decisions that the path is made of.
    """

    number: int
    parent: int
    path: Path
    decisions: tuple[Decision, ...]
    flipped: int | None
    bound: int

    @property
    def site(self) -> Site | None:
        return None if self.flipped is None else self.decisions[self.flipped].site

    @property
    def attacks(self) -> bool:
        """Whether the path is one on which an assertion would fail."""
        if self.flipped is None:
            return False
        decision = self.decisions[self.flipped]
        return decision.kind is Kind.ASSERT and decision.taken


class Frontier(Protocol):
    """The waiting entries; exchangeable. `covered` tells what runs have seen so far."""

    def add(self, entry: Entry) -> None: ...

    def next(self) -> Entry: ...

    def __len__(self) -> int: ...


class BreadthFirst:
    def __init__(self) -> None:
        self._entries: deque[Entry] = deque()

    def add(self, entry: Entry) -> None:
        self._entries.append(entry)

    def next(self) -> Entry:
        return self._entries.popleft()

    def __len__(self) -> int:
        return len(self._entries)


class DepthFirst:
    """The last decision of the last run first: the solver keeps most of what it knows."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []

    def add(self, entry: Entry) -> None:
        self._entries.append(entry)

    def next(self) -> Entry:
        return self._entries.pop()

    def __len__(self) -> int:
        return len(self._entries)


class Generational:
    """Children of early runs first, among them those that flip an early decision."""

    def __init__(self) -> None:
        self._entries: list[tuple[int, int, int, Entry]] = []
        self._generation: dict[int, int] = {}

    def add(self, entry: Entry) -> None:
        generation = self._generation.get(entry.parent, 0) + 1
        self._generation[entry.number] = generation
        heappush(self._entries, (generation, entry.bound, entry.number, entry))

    def next(self) -> Entry:
        return heappop(self._entries)[-1]

    def __len__(self) -> int:
        return len(self._entries)


class CoverageGuided:
    """Entries that leave an instruction on a side no run has taken, then attacks, then others."""

    def __init__(self) -> None:
        self._sites: dict[tuple[Site | None, bool], int] = {}
        self._entries: list[tuple[int, int, int, Entry]] = []

    def add(self, entry: Entry) -> None:
        key = (entry.site, entry.attacks)
        seen = self._sites[key] = self._sites.get(key, 0) + 1
        heappush(self._entries, (seen, entry.bound, entry.number, entry))

    def next(self) -> Entry:
        return heappop(self._entries)[-1]

    def __len__(self) -> int:
        return len(self._entries)


class Random:
    def __init__(self, seed: int = 0) -> None:
        self._entries: list[Entry] = []
        self._random = random.Random(seed)

    def add(self, entry: Entry) -> None:
        self._entries.append(entry)

    def next(self) -> Entry:
        at = self._random.randrange(len(self._entries))
        self._entries[at], self._entries[-1] = self._entries[-1], self._entries[at]
        return self._entries.pop()

    def __len__(self) -> int:
        return len(self._entries)


FRONTIERS: Mapping[str, Callable[[int], Frontier]] = {
    "breadth-first": lambda seed: BreadthFirst(),
    "depth-first": lambda seed: DepthFirst(),
    "generational": lambda seed: Generational(),
    "coverage": lambda seed: CoverageGuided(),
    "random": Random,
}
"""By name; each is made with a seed."""
