"""What a worker process of an exploration does: search the part of the tree that it was given.

It has a frontier of its own. Between two runs it looks for messages, gives away a part of its
frontier if it was asked for that, and tells what it has found, a batch at a time.
"""

from __future__ import annotations

import pickle
import select
import time
from collections import deque
from collections.abc import Iterator

from pitviper.base.memory import limit_growth
from pitviper.driver.explore.explore import EarlyFailures, Explorer
from pitviper.driver.explore.glance import AFTER
from pitviper.driver.explore.messages import (
    NOTHING,
    Allowance,
    Batch,
    Glanced,
    Message,
    Share,
    Shrink,
    Slot,
    Waiting,
    Work,
    cost_of,
    short,
    waiting_of,
)
from pitviper.driver.work.process import Gone, read_message, write_message
from pitviper.driver.work.transport import to_bytes
from pitviper.engines.explore.report.attempts import Attempt, Tally, attempt_of, trace_of
from pitviper.engines.explore.report.inputs import Recorder
from pitviper.engines.explore.search.engine import FIRST, Node, Search
from pitviper.engines.explore.search.frontier import FRONTIERS, Entry, half_of
from pitviper.results.exploration import ExploredRun
from pitviper.solver.z3.library import limit_with_solver

INTERVAL = 0.05
"""Seconds between two batches: what is lost with a worker."""

RESTING = Work("", (), Allowance())
"""In place of work."""


def live(explorer: Explorer, slot: Slot, inbox: int, outbox: int) -> None:
    """Until the host closes the pipe, or something happens that must not."""
    options = explorer.options
    limit_growth(options.memory << 20)
    limit_with_solver(options.memory)
    worker = Worker(explorer, slot, (inbox, outbox))
    try:
        worker.serve()
    except (Gone, BrokenPipeError):
        return
    except MemoryError:
        worker.last_words(options.out_of_memory)
    except Exception as error:  # a bug of ours costs this run, not the exploration
        worker.last_words(f"{type(error).__name__}: {error}")


class _Part:
    """The part of the search of one method that a worker has to do with."""

    def __init__(self, explorer: Explorer, method: str, turn: int = 0) -> None:
        options = explorer.options.search
        self.method, self.turn = method, turn
        self._begun = time.process_time()
        self.search: Search = explorer.search(method)
        self.search.frontier = FRONTIERS[options.frontier](options.seed)
        self.recorder: Recorder = explorer.recorder(method)
        self.early = EarlyFailures(explorer, method)
        self._groups: deque[list[Waiting]] = deque()
        self._explorer = explorer
        self._attempts = 0

    def __len__(self) -> int:
        return len(self.search.frontier) + sum(map(len, self._groups))

    def is_paused(self, slice_: float | None) -> bool:
        """Whether it has used its slice and is not done."""
        used = time.process_time() - self._begun
        return slice_ is not None and used >= slice_ and bool(len(self))

    def take(self, entries: tuple[Waiting, ...]) -> None:
        """Entries of another worker; those of one run are made together, when they are needed."""
        groups: dict[int, list[Waiting]] = {}
        for entry in entries:
            groups.setdefault(id(entry.origin), []).append(entry)
        self._groups += groups.values()

    def next(self, slot: Slot) -> Entry:
        frontier = self.search.frontier
        if not len(frontier):
            group = self._groups.popleft()
            slot.write(group[0].name)
            for entry in self._made(group):
                frontier.add(entry)
        return frontier.next()

    def _made(self, group: list[Waiting]) -> list[Entry]:
        first = group[0]
        if first.origin is None:
            return [FIRST]
        node = self.search.again(first.origin, first.given)
        return self.search.sides(node, [e.flipped for e in group])

    def besides(self) -> Iterator[Node]:
        """Failing runs besides the search, once it has gone on for long enough."""
        self._attempts += 1
        if self._attempts == AFTER:
            yield from self._explorer.glanced(self.search, self.method)

    def half(self) -> list[Waiting]:
        """What is given away; what has not been made here goes first."""
        if len(self._groups) > 1 or (self._groups and len(self.search.frontier)):
            number = (len(self._groups) + 1) // 2
            return [entry for _ in range(number) for entry in self._groups.popleft()]
        return [waiting_of(entry) for entry in half_of(self.search.frontier)]


class Worker:
    def __init__(self, explorer: Explorer, slot: Slot, pipes: tuple[int, int]) -> None:
        self._explorer = explorer
        self._slot = slot
        self._inbox, self._outbox = pipes
        self._part: _Part | None = None
        self._work, self._turn = RESTING, 0
        self._left = Allowance()
        self._never: dict[str, None] = {}
        self._attempts: list[Attempt] = []
        self._tally = Tally("")
        self._failures: dict[str, ExploredRun] = {}
        self._glanced: list[Glanced] = []
        self._asked = False
        self._sent = 0.0

    def serve(self) -> None:
        while True:
            self._obey()
            part = self._part
            while part is not None and self._may_go_on(part):
                self._step(part)
                while select.select([self._inbox], [], [], 0)[0]:
                    self._obey()
                self._tell(part)
            if part is not None and self._work is not RESTING:
                self._rest(part)

    def last_words(self, trouble: str) -> None:
        """What is finished is told; what is not, the host knows."""
        batch = Batch(tuple(self._attempts), self._tally, trouble=trouble, turn=self._turn)
        self._send(batch)

    def _may_go_on(self, part: _Part) -> bool:
        """A word that comes too late, when it rests, is no work."""
        if (
            self._work is RESTING
            or not self._left
            or not len(part)
            or part.is_paused(self._work.slice)
        ):
            return False
        until = self._work.until
        return until is None or time.monotonic() < until

    def _step(self, part: _Part) -> None:
        entry = part.next(self._slot)
        name = short(entry.name)
        if name in self._never:
            return
        self._slot.write(name)
        node = part.search.step(entry)
        attempt = attempt_of(node, part.recorder)
        self._attempts.append(attempt)
        self._tally.add(attempt.run, trace_of(node.run))
        self._left = self._left.minus(cost_of((attempt,)))
        failure = part.early.next(attempt)
        if failure is not None:
            self._failures[attempt.path] = failure
        for further in part.besides():
            glanced = attempt_of(further, part.recorder)
            failure = part.early.next(glanced)
            if failure is not None:
                self._failures[glanced.path] = failure
                self._glanced.append(Glanced(glanced, trace_of(further.run)))

    def _tell(self, part: _Part) -> None:
        """A batch, if it is time for one or somebody waits."""
        shared: list[Waiting] = []
        if self._asked:
            shared = part.half()
            self._asked = not shared
        now = time.monotonic()
        if shared or self._failures or now - self._sent > INTERVAL:
            self._flush(part, shared=tuple(shared))

    def _rest(self, part: _Part) -> None:
        paused = bool(self._left) and part.is_paused(self._work.slice)
        self._work = RESTING
        self._asked = False
        self._slot.write(NOTHING)
        self._flush(part, rests=True, paused=paused)

    def _flush(
        self,
        part: _Part,
        shared: tuple[Waiting, ...] = (),
        *,
        rests: bool = False,
        paused: bool = False,
    ) -> None:
        done, failures = tuple(self._attempts), self._failures
        glanced = tuple(self._glanced)
        batch = Batch(
            done,
            self._tally,
            shared,
            len(part),
            rests,
            failures=failures,
            glanced=glanced,
            paused=paused,
            turn=self._turn,
        )
        self._attempts, self._tally, self._failures = [], Tally(part.method), {}
        self._glanced = []
        self._send(batch)

    def _send(self, batch: Batch) -> None:
        write_message(self._outbox, to_bytes(batch))
        self._sent = time.monotonic()

    def _obey(self) -> None:
        message: Message = pickle.loads(read_message(self._inbox))
        match message:
            case Work():
                self._begin(message)
            case Share():
                self._asked = self._work is not RESTING
            case Shrink(method, failures):
                self._part = None
                smaller = EarlyFailures(self._explorer, method).all(failures)
                self._send(Batch((), Tally(method), rests=True, smaller=smaller))

    def _begin(self, work: Work) -> None:
        part, self._turn = self._part, work.turn
        if part is None or (part.method, part.turn) != (work.method, work.turn):
            self._part = part = _Part(self._explorer, work.method, work.turn)
            self._tally = Tally(work.method)
        part.take(work.entries)
        self._work = work
        self._left = work.allowed
        self._never = dict.fromkeys(work.never)
        self._sent = time.monotonic()
