"""What host and workers of an exploration tell each other: plain data, by number of bytes."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from mmap import mmap

from pitviper.base.digest import blake2b
from pitviper.base.record import field, record
from pitviper.engines.explore.report.attempts import Attempt, Repeatable, Tally, Trace
from pitviper.engines.explore.runtime.inputs import Assignment
from pitviper.engines.explore.search.frontier import Entry
from pitviper.engines.explore.search.path_tree import side_name
from pitviper.results.exploration import ExploredRun


@record
class Waiting:
    """An entry of a search: the run that it leaves, and at which decision.

    Whoever takes it up repeats that run to have the path. `origin` is None for the first path.
    """

    name: str = ""
    origin: Assignment | None = None
    given: int = 0
    flipped: int | None = None


def waiting_of(entry: Entry) -> Waiting:
    return Waiting(entry.name, entry.origin, entry.given, entry.flipped)


def sides_of(attempt: Attempt) -> list[Waiting]:
    """The entries that an attempt added to its search."""
    if not attempt.sides:
        return []
    origin = attempt.assignment
    return [Waiting(side_name(attempt.path, s), origin, attempt.given, s) for s in attempt.sides]


@record
class Allowance:
    """What may be done: runs, attempts with and without a run, and steps of all runs together.

    The last run may take more steps than were left.
    """

    runs: int = 0
    nodes: int = 0
    steps: int = 0

    def __bool__(self) -> bool:
        return self.runs > 0 and self.nodes > 0 and self.steps > 0

    def plus(self, other: Allowance) -> Allowance:
        return Allowance(self.runs + other.runs, self.nodes + other.nodes, self.steps + other.steps)

    def minus(self, other: Allowance) -> Allowance:
        return Allowance(self.runs - other.runs, self.nodes - other.nodes, self.steps - other.steps)


def cost_of(attempts: Iterable[Attempt]) -> Allowance:
    """What attempts have used up."""
    runs = nodes = steps = 0
    for attempt in attempts:
        runs += attempt.has_run
        nodes += 1
        steps += attempt.run.steps
    return Allowance(runs, nodes, steps)


@record
class Work:
    """To a worker that rests: take these entries to the others you have; so much may be done.

    `until` is a time of the monotonic clock. Paths in `never` have killed workers before. What was
    taken in another `turn` is forgotten. After `slice` seconds of processor time in a turn the
    worker makes room for other methods.
    """

    method: str
    entries: tuple[Waiting, ...]
    allowed: Allowance
    until: float | None = None
    never: tuple[str, ...] = ()
    turn: int = 0
    slice: float | None = None


@record
class Share:
    """To a worker that works: somebody has nothing to do."""


@record
class Shrink:
    """To a worker that rests: find smaller inputs for these failures."""

    method: str
    failures: tuple[Repeatable, ...]


Message = Work | Share | Shrink


@record
class Glanced:
    """A failing run besides the search: it counts where the search does not get to it."""

    attempt: Attempt
    trace: Trace


@record
class Batch:
    """From a worker: what it has done since the last batch.

    `shared` are entries that it gives away, `waiting` counts those that it keeps. One that `rests`
    does nothing until it gets more to do; it `paused` if its slice was over. `trouble` are the last
    words of one that cannot go on.
    `failures` are certain ones with small inputs, by path; `smaller` answers `Shrink`.
    """

    attempts: tuple[Attempt, ...]
    tally: Tally
    shared: tuple[Waiting, ...] = ()
    waiting: int = 0
    rests: bool = False
    smaller: Mapping[str, ExploredRun] | None = None
    failures: Mapping[str, ExploredRun] = field(default_factory=dict)
    trouble: str = ""
    glanced: tuple[Glanced, ...] = ()
    paused: bool = False
    turn: int = 0


NOTHING = "-"
"""In place of the name of a path."""


class Slot:
    """Memory that a worker shares with its host: the path that it has begun last.

    It is there when the worker is killed, whatever it had no time to send.
    """

    SIZE = 1 << 16
    _LENGTH = struct.Struct("!I")

    def __init__(self) -> None:
        self._memory = mmap(-1, self.SIZE)
        self.write(NOTHING)

    def write(self, name: str) -> None:
        data = short(name).encode("ascii")
        self._memory[: self._LENGTH.size + len(data)] = self._LENGTH.pack(len(data)) + data

    def read(self) -> str:
        (length,) = self._LENGTH.unpack_from(self._memory, 0)
        start = self._LENGTH.size
        return self._memory[start : start + length].decode("ascii")

    def close(self) -> None:
        self._memory.close()


def short(name: str) -> str:
    """A name that fits; those of very long paths end in a number that stands for the rest."""
    most = Slot.SIZE - 100
    if len(name) <= most:
        return name
    return name[:most] + blake2b(name.encode("ascii"), digest_size=16).hexdigest()


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
