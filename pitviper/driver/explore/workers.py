"""Explores in worker processes, which may crash, hang or use up memory without harm.

Each worker searches a part of the tree of paths by itself, with a frontier of its own, and tells
in batches what it found. One that has nothing to do gets a part of what another one has. The host
only counts: what each worker was given and has told about is enough to know what is open, so what
a worker had when it died goes to others.
"""

from __future__ import annotations

import pickle
import select
import time
from collections.abc import Iterator

from pitviper.base.record import field, struct
from pitviper.driver.explore import worker as explore_worker
from pitviper.driver.explore.explore import Explorer
from pitviper.driver.explore.messages import (
    NOTHING,
    Allowance,
    Batch,
    Budget,
    Ledger,
    Message,
    Share,
    Shrink,
    Slot,
    Waiting,
    Work,
    cost_of,
    short,
)
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.front.frontend import FrontEnd
from pitviper.driver.work.process import ChildProcess, Gone, load_solver
from pitviper.driver.work.stop import Stop
from pitviper.driver.work.transport import Files, from_bytes
from pitviper.engines.explore.report.summary import Summary
from pitviper.engines.explore.report.tally import Attempt, Repeatable, Tally, Trace
from pitviper.engines.explore.runtime.ending import Status
from pitviper.results.exploration import INTERRUPTED, ExploredRun, MethodExploration

NONE = Allowance()

PATIENCE = 60.0
"""Seconds without a word after which a worker is stopped."""

LOOK = 2.0
"""Seconds between two looks that count at most: while we are stopped ourselves (Ctrl-Z), no worker
can be heard."""

GRACE = 1.0
"""Seconds that a run under way may take when the time of its method is over."""

TRIES = 2
"""Workers that a path may kill before nobody runs it any more."""

MOST_DEATHS = 50
"""Workers that a method may kill."""


def explore_in_workers(
    front: FrontEnd, options: ExploreOptions, stop: Stop
) -> Iterator[MethodExploration]:
    """Each method as soon as it is done; no worker outlives the iteration."""
    assert front.program is not None
    load_solver()
    explorer = Explorer(front.program, str(front.source.path), options)
    host = Host(explorer)
    try:
        for method in explorer.methods:
            if stop.asked():
                return
            stop.begins(method, len(explorer.methods))
            start = time.perf_counter()
            summary = Summary(explorer.code.model, method)
            for batch in host.batches(method, stop):
                summary.merge(batch.attempts, batch.tally)
                stop.tried(len(batch.attempts))
            if stop.asked():
                summary.remark(INTERRUPTED)
            summary.left_open(host.left_open())
            if host.gave_up:
                summary.remark(f"{MOST_DEATHS} workers died")
            summary.show(host.smaller(method, summary.first_failures()))
            yield summary.result(time.perf_counter() - start)
    finally:
        host.close()


@struct(eq=False)
class _Worker:
    """A process as its host sees it; `left` is what it may still do."""

    process: ChildProcess
    slot: Slot
    ledger: Ledger = field(default_factory=Ledger)
    rests: bool = True
    asked: bool = False
    waiting: int = 0
    left: Allowance = NONE
    silent: float = 0.0


class Host:
    """Hands out the search of one method after the other."""

    def __init__(self, explorer: Explorer) -> None:
        self._explorer = explorer
        self._files = Files(explorer.program)
        self._method = ""
        self._budget = Budget(NONE, 1)
        self._until: float | None = None
        self._looked = 0.0
        self._free: list[Waiting] = []
        self._deaths: dict[str, int] = {}
        self._workers: list[_Worker] = []

    @property
    def gave_up(self) -> bool:
        return sum(self._deaths.values()) >= MOST_DEATHS

    @property
    def processes(self) -> list[int]:
        """The numbers of those that work."""
        return [w.process.pid for w in self._workers if not w.rests]

    def left_open(self) -> int:
        """Entries that nobody has run."""
        held = [entry for w in self._workers for entry in w.ledger.open()]
        return len([e for e in (*self._free, *held) if not self._is_given_up(e.name)])

    def batches(self, method: str, stop: Stop | None = None) -> Iterator[Batch]:
        """What workers tell about a method, until nothing is open or a limit is reached."""
        search, workers = self._explorer.options.search, self._explorer.options.workers
        self._method = method
        self._until = None if search.seconds is None else time.monotonic() + search.seconds
        self._budget = Budget(Allowance(search.runs, search.nodes, search.work), workers)
        self._deaths = {}
        self._free = [Waiting()]
        for worker in self._workers:
            worker.ledger.clear()
            worker.waiting = 0
        while len(self._workers) < workers:
            self._workers.append(self._hired())
        self._looked = time.monotonic()
        while self._feed():
            if stop is not None and stop.asked():
                self._until = min(self._until or time.monotonic(), time.monotonic() - GRACE)
            yield from self._collect()
            yield from self._impatient()

    def smaller(self, method: str, failures: list[Repeatable]) -> dict[str, ExploredRun]:
        """The same failures with smaller inputs, where a worker finds such."""
        if not failures or not self._workers:
            return {}
        worker = self._workers[0]
        self._send(worker, Shrink(method, tuple(failures)))
        ready, _, _ = select.select([worker.process.inbox], [], [], PATIENCE)
        try:
            if ready:
                reply = from_bytes(worker.process.receive(), self._files)
                assert isinstance(reply, Batch)
                if reply.smaller is not None:
                    worker.rests = True
                    return dict(reply.smaller)
        except Gone:
            pass  # the inputs that were found stay as they are
        self._dismiss(worker)
        return {}

    def close(self) -> None:
        for worker in list(self._workers):
            self._dismiss(worker)

    # ------------------------------------------------------------ handing out

    def _feed(self) -> bool:
        """Give all that can be given; whether anybody works."""
        if not self._is_over():
            for worker in [w for w in self._workers if w.rests]:
                if self._budget and (worker.waiting or self._free):
                    self._give(worker)
            hungry = sum(1 for w in self._workers if w.rests)
            self._ask(hungry if self._budget else 0)
        return not all(w.rests for w in self._workers)

    def _is_over(self) -> bool:
        if self.gave_up:
            return True
        return self._until is not None and time.monotonic() >= self._until

    def _give(self, worker: _Worker) -> None:
        entries: tuple[Waiting, ...] = ()
        if not worker.waiting:
            entries = tuple(self._free)
            self._free = []
        worker.left = self._budget.grant()
        worker.rests, worker.silent = False, 0.0
        worker.ledger.handed(entries)
        never = tuple([name for name in self._deaths if self._is_given_up(name)])
        self._send(worker, Work(self._method, entries, worker.left, self._until, never))

    def _ask(self, hungry: int) -> None:
        """As many workers as have nothing to do: those that have most share."""
        hungry -= sum(1 for w in self._workers if w.asked)
        busy = [w for w in self._workers if not w.rests and not w.asked]
        for worker in sorted(busy, key=lambda w: -w.waiting)[: max(0, hungry)]:
            worker.asked = True
            self._send(worker, Share())

    def _send(self, worker: _Worker, message: Message) -> None:
        """One that has died is found out about when it should answer."""
        try:
            worker.process.send(pickle.dumps(message))
        except Gone:
            worker.rests = False

    # ------------------------------------------------------------ collecting

    def _collect(self) -> Iterator[Batch]:
        by_inbox = {w.process.inbox: w for w in self._workers if not w.rests}
        readable, _, _ = select.select(list(by_inbox), [], [], self._pause())
        for inbox in readable:
            worker = by_inbox[inbox]
            try:
                batch = from_bytes(worker.process.receive(), self._files)
            except Gone:
                yield self._lost(worker, Status.CRASHED, worker.process.death())
                continue
            assert isinstance(batch, Batch)
            self._told(worker, batch)
            yield batch
            if batch.trouble:
                worker.process.end()
                yield self._lost(worker, Status.CRASHED, batch.trouble)

    def _pause(self) -> float:
        """How long nothing need be looked at but messages."""
        if self._until is None:
            return 1.0
        return min(1.0, max(0.01, self._until + GRACE - time.monotonic()))

    def _told(self, worker: _Worker, batch: Batch) -> None:
        worker.silent = 0.0
        worker.waiting = batch.waiting
        worker.ledger.told(batch.attempts, batch.shared)
        worker.left = worker.left.minus(cost_of(batch.attempts))
        if batch.shared:
            worker.asked = False
            self._free += batch.shared
        if batch.rests:
            self._rests(worker)
            if not worker.waiting:
                worker.ledger.clear()

    def _rests(self, worker: _Worker) -> None:
        worker.rests, worker.asked = True, False
        self._budget.take_back(worker.left)
        worker.left = NONE

    def _impatient(self) -> Iterator[Batch]:
        """Workers that are not heard of, and those that do not end when time is over."""
        now = time.monotonic()
        passed, self._looked = min(now - self._looked, LOOK), now
        late = self._until is not None and now > self._until + GRACE
        for worker in [w for w in self._workers if not w.rests]:
            worker.silent += passed
            if late:
                self._free += worker.ledger.open()
                self._dismiss(worker)
            elif worker.silent > PATIENCE:
                worker.process.end()
                yield self._lost(worker, Status.TIMEOUT, f"no word for {PATIENCE:g} s")

    def _lost(self, worker: _Worker, status: Status, how: str) -> Batch:
        """The run under way is recorded as such, and tried once more in case that it was not its
        fault; what else the worker had goes to whoever is free."""
        name = worker.slot.read()
        if name == NOTHING or worker.ledger.has_told(name):
            name, how = NOTHING, f"{how}, between two runs"
        self._deaths[name] = self._deaths.get(name, 0) + 1
        self._free += [e for e in worker.ledger.open() if not self._is_given_up(e.name)]
        self._rests(worker)
        self._budget.take_back(Allowance(nodes=-1))
        self._forget(worker)
        self._workers.append(self._hired())
        run = ExploredRun(0, -1, status.value, None, how)
        tally = Tally(self._method)
        tally.add(run, Trace())
        path = "" if name == NOTHING else name
        return Batch((Attempt(path, path, run),), tally)

    def _is_given_up(self, name: str) -> bool:
        return self._deaths.get(short(name), 0) >= TRIES

    # ------------------------------------------------------------ processes

    def _hired(self) -> _Worker:
        slot, explorer = Slot(), self._explorer
        others = [w.process for w in self._workers]
        process = ChildProcess(
            lambda inbox, outbox: explore_worker.live(explorer, slot, inbox, outbox), others
        )
        return _Worker(process, slot)

    def _dismiss(self, worker: _Worker) -> None:
        worker.process.end()
        self._forget(worker)

    def _forget(self, worker: _Worker) -> None:
        worker.slot.close()
        self._workers.remove(worker)
