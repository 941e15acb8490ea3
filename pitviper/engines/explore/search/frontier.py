"""Which of the waiting parts of the search comes next."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from heapq import heapify, heappop, heappush
from itertools import chain
from typing import Protocol

from pitviper.base.record import record
from pitviper.engines.explore.runtime.ending import Site
from pitviper.engines.explore.runtime.inputs import Assignment
from pitviper.engines.explore.runtime.run import CONTRACT
from pitviper.engines.explore.runtime.value import Decision, Kind
from pitviper.engines.explore.search.path_tree import path_name, side_name
from pitviper.solver.session import Path
from pitviper.terms.operators import NOT
from pitviper.terms.term import App, Term

ASIDE = 4
"""Of so many paths one looks at a contract alone."""


@record
class Entry:
    """A path that nobody has run: the path of `parent` up to a decision, and then the other way.

    `flipped` is None where the same path is solved again with more known. `bound` counts the
    decisions that the path is made of. `origin` are the values of the run of `parent`, and `given`
    the number of decisions that the solver knew when it chose them: enough to make the entry again.
    `is_aside` says that the path looks at a contract alone, without the body; `is_large` that it is
    one to an input above the limit.
    """

    number: int
    parent: int
    path: Path
    decisions: tuple[Decision, ...]
    flipped: int | None
    bound: int
    origin: Assignment | None = None
    given: int = 0
    is_aside: bool = False
    is_large: bool = False

    @property
    def name(self) -> str:
        """The same in every process."""
        if self.origin is None:
            return ""
        return side_name(path_name(self.decisions[: self.bound]), self.flipped)

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


def judges_contract(term: Term, *, holds: bool) -> bool:
    """Whether a decision was for the run that judges a contract."""
    if isinstance(term, App) and term.symbol is NOT:
        return judges_contract(term.args[0], holds=not holds)
    return holds and isinstance(term, App) and term.symbol.name.startswith(CONTRACT)


class Frontier(Protocol):
    """The waiting entries; exchangeable."""

    def add(self, entry: Entry) -> None: ...

    def next(self) -> Entry: ...

    def remove(self, entries: Mapping[int, Entry]) -> None:
        """Some of those that wait, by number: somebody else takes them."""
        ...

    def __iter__(self) -> Iterator[Entry]:
        """All that wait, in no particular order."""
        ...

    def __len__(self) -> int: ...


class BreadthFirst:
    def __init__(self) -> None:
        self._entries: deque[Entry] = deque()

    def add(self, entry: Entry) -> None:
        self._entries.append(entry)

    def next(self) -> Entry:
        return self._entries.popleft()

    def remove(self, entries: Mapping[int, Entry]) -> None:
        self._entries = deque([e for e in self._entries if e.number not in entries])

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


class _Listed:
    """Entries in the order in which they came."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []

    def add(self, entry: Entry) -> None:
        self._entries.append(entry)

    def remove(self, entries: Mapping[int, Entry]) -> None:
        self._entries = [e for e in self._entries if e.number not in entries]

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


class DepthFirst(_Listed):
    """The last decision of the last run first: the solver keeps most of what it knows."""

    def next(self) -> Entry:
        return self._entries.pop()


class Mixed:
    """Attacks on assertions first; of the others in turn the oldest and the newest.

    The oldest are many small inputs, the newest are those that come far into a method. Every
    fourth looks at contracts alone. Inputs above the limit come last.
    """

    def __init__(self) -> None:
        self._attacks, self._aside = BreadthFirst(), BreadthFirst()
        self._entries, self._large = _TwoEnds(), _TwoEnds()
        self._turn = 0

    @property
    def _parts(self) -> tuple[BreadthFirst, ...]:
        return (self._attacks, self._aside, self._entries, self._large)

    def add(self, entry: Entry) -> None:
        if entry.is_aside:
            self._aside.add(entry)
        elif entry.attacks:
            self._attacks.add(entry)
        elif entry.is_large:
            self._large.add(entry)
        else:
            self._entries.add(entry)

    def next(self) -> Entry:
        self._turn += 1
        if len(self._aside) and self._turn % ASIDE == 0:
            return self._aside.next()
        waiting = (self._attacks, self._entries, self._aside, self._large)
        return next(part for part in waiting if len(part)).next()

    def remove(self, entries: Mapping[int, Entry]) -> None:
        for part in self._parts:
            part.remove(entries)

    def __iter__(self) -> Iterator[Entry]:
        return chain(*self._parts)

    def __len__(self) -> int:
        return sum(map(len, self._parts))


class _TwoEnds(BreadthFirst):
    """The newest and the oldest in turn."""

    def __init__(self) -> None:
        super().__init__()
        self._newest = False

    def next(self) -> Entry:
        self._newest = not self._newest
        return self._entries.pop() if self._newest else self._entries.popleft()


class Random(_Listed):
    def __init__(self, seed: int = 0) -> None:
        super().__init__()
        self._random = random.Random(seed)

    def next(self) -> Entry:
        at = self._random.randrange(len(self._entries))
        self._entries[at], self._entries[-1] = self._entries[-1], self._entries[at]
        return self._entries.pop()


class _Ranked:
    """Entries with the least rank first, then those near the start of the program."""

    def __init__(self) -> None:
        self._entries: list[tuple[int, int, int, Entry]] = []

    def _push(self, rank: int, entry: Entry) -> None:
        heappush(self._entries, (rank, entry.bound, entry.number, entry))

    def next(self) -> Entry:
        return heappop(self._entries)[-1]

    def remove(self, entries: Mapping[int, Entry]) -> None:
        self._entries = [e for e in self._entries if e[-1].number not in entries]
        heapify(self._entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter([e[-1] for e in self._entries])

    def __len__(self) -> int:
        return len(self._entries)


class Generational(_Ranked):
    """Children of early runs first, among them those that flip an early decision."""

    def __init__(self) -> None:
        super().__init__()
        self._generation: dict[int, int] = {}

    def add(self, entry: Entry) -> None:
        generation = self._generation.get(entry.parent, 0) + 1
        self._generation[entry.number] = generation
        self._push(generation, entry)


class CoverageGuided(_Ranked):
    """Entries that leave an instruction on a side no run has taken, then attacks, then others."""

    def __init__(self) -> None:
        super().__init__()
        self._sites: dict[tuple[Site | None, bool], int] = {}

    def add(self, entry: Entry) -> None:
        key = (entry.site, entry.attacks)
        seen = self._sites[key] = self._sites.get(key, 0) + 1
        self._push(seen, entry)


FRONTIERS: Mapping[str, Callable[[int], Frontier]] = {
    "mixed": lambda seed: Mixed(),
    "breadth-first": lambda seed: BreadthFirst(),
    "depth-first": lambda seed: DepthFirst(),
    "generational": lambda seed: Generational(),
    "coverage": lambda seed: CoverageGuided(),
    "random": Random,
}
"""By name; each is made with a seed."""


MOST = 64
"""Entries that change hands at once."""


def half_of(frontier: Frontier) -> list[Entry]:
    """About half of the work that waits, in few entries; they are taken out.

    Below a decision there is half as much as below the one before it, if nothing else is known.
    One entry stays at least.
    """
    entries = sorted(frontier, key=lambda e: (e.bound, e.number))
    if len(entries) < 2:
        return []
    nearest = entries[0].bound
    weights = [0.5 ** min(e.bound - nearest, 1000) for e in entries]
    half, taken, weight = sum(weights) / 2, dict[int, Entry](), 0.0
    for entry, one in zip(entries[: min(MOST, len(entries) - 1)], weights, strict=False):
        if taken and weight + one > half * 1.1:
            break
        taken[entry.number] = entry
        weight += one
    frontier.remove(taken)
    return list(taken.values())
