"""Explores in worker processes, which may crash, hang or use up memory without harm.

Each worker searches a part of the tree of paths by itself, with a frontier of its own, and tells
in batches what it found. One that has nothing to do gets a part of what another one has. The host
only counts: what each worker was given and has told about is enough to know what is open, so what
a worker had when it died goes to others.
"""

from __future__ import annotations

import pickle
import time
from collections import deque
from collections.abc import Iterator, Mapping

from pitviper.base.record import field, record, struct
from pitviper.driver.explore import worker as explore_worker
from pitviper.driver.explore.explore import Explorer, Seconds, Tell, unheard_of
from pitviper.driver.explore.messages import (
    NOTHING,
    Allowance,
    Batch,
    Budget,
    Glanced,
    Ledger,
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
from pitviper.driver.work.pool import Cause, Death, Heard, Pool, Worker, WorkerLimits
from pitviper.driver.work.process import load_solver
from pitviper.driver.work.stop import Stop
from pitviper.driver.work.transport import Files, from_bytes
from pitviper.engines.explore.report.attempts import Attempt, Repeatable, Tally, Trace
from pitviper.engines.explore.report.summary import Summary
from pitviper.engines.explore.runtime.ending import Status
from pitviper.engines.explore.search.engine import limit_reached
from pitviper.results.exploration import ExploredRun, MethodExploration

NONE = Allowance()

PATIENCE = 60.0
"""Seconds without a word after which a worker is stopped."""

GRACE = 0.4
"""Seconds that a run under way may take when the time of its method is over, and then again those
in which failing inputs are made small."""

LOOK = 0.2
"""Seconds between two looks at whether somebody wants an end."""

SLICE = 0.3
"""Seconds of a processor after which the search of a method makes room for those of others: what
they find at once is told before it goes on. Not of the clock, so that the order in which methods
are done does not depend on what else a machine does."""

TRIES = 2
"""Workers that a path may kill before nobody runs it any more."""

MOST_DEATHS = 50
"""Workers that a method may kill."""


def explore_in_workers(
    front: FrontEnd,
    options: ExploreOptions,
    stop: Stop,
    tell: Tell = unheard_of,
    share: Seconds | None = None,
) -> Iterator[MethodExploration]:
    """Each method as soon as it and those before it are done; no worker outlives the iteration.

    A search that takes long makes room for the others, whose failures are told meanwhile. `share`
    says how many of its seconds a method has for this; all of them if it is not given.
    """
    assert front.program is not None
    share = share or (lambda _: options.search.seconds)
    load_solver()
    explorer = Explorer(front.program, str(front.source.path), options)
    host, slice_ = Host(explorer), SLICE if len(explorer.methods) > 1 else None
    searches = [_MethodSearch(explorer, m, share(m), tell) for m in explorer.methods]
    told = deque(searches)
    try:
        for part in (slice_, None):
            for search in [one for one in searches if not one.is_over]:
                if stop.asked():
                    break
                stop.begins(search.method, len(searches))
                search.go_on(host, stop, part)
                while told and told[0].is_over:
                    yield told.popleft().result(stop)
        yield from [search.result(stop) for search in told if search.is_begun]
    finally:
        host.close()


class _MethodSearch:
    """The search of one method, which may make room for those of others."""

    def __init__(self, explorer: Explorer, method: str, seconds: float | None, tell: Tell) -> None:
        self.method = method
        self._summary = Summary(explorer.code.model, method)
        self._early = _Told(method, tell)
        self._glanced: list[Glanced] = []
        self._seconds, self._spent = seconds, 0.0
        self._left: Left | None = None
        self.is_begun = self.is_over = False

    def go_on(self, host: Host, stop: Stop, slice_: float | None) -> None:
        """To its end, or for a slice."""
        start, self.is_begun = time.perf_counter(), True
        seconds = None if self._seconds is None else max(0.0, self._seconds - self._spent)
        for batch in host.batches(self.method, stop, seconds, slice_, self._left):
            self._summary.merge(batch.attempts, batch.tally)
            self._early.hear(batch.failures)
            self._glanced += batch.glanced
            stop.tried(len(batch.attempts))
        self.is_over = stop.asked() or not host.is_paused
        if self.is_over:
            self._end(host, stop)
        else:
            self._left = host.left()
        self._spent += time.perf_counter() - start

    def result(self, stop: Stop) -> MethodExploration:
        """What was found; where somebody wanted an end, what was found until then."""
        summary = self._summary
        if not self.is_over and self._left is not None:
            summary.add_missing([(one.attempt, one.trace) for one in self._glanced])
            summary.cut_short(len(self._left.entries), stop.why)
        summary.show(self._early.shown)
        return summary.result(self._spent)

    def _end(self, host: Host, stop: Stop) -> None:
        summary, early = self._summary, self._early
        summary.add_missing([(one.attempt, one.trace) for one in self._glanced])
        if stop.asked():
            summary.cut_short(host.left_open(), stop.why)
        else:
            summary.left_open(host.left_open(), host.limit())
            early.shown.update(host.smaller(self.method, early.missing(summary)))
        if host.gave_up:
            summary.remark(f"{MOST_DEATHS} workers died")


class _Told:
    """Passes failures on, each place once, whichever worker was there first."""

    def __init__(self, method: str, tell: Tell) -> None:
        self._method, self._tell = method, tell
        self._places: dict[tuple[str, int], None] = {}
        self.shown: dict[str, ExploredRun] = {}

    def hear(self, failures: Mapping[str, ExploredRun]) -> None:
        self.shown.update(failures)
        for run in failures.values():
            assert run.finding is not None
            place = (run.finding.id, run.finding.span.start)
            if place not in self._places:
                self._places[place] = None
                self._tell(self._method, run)

    def missing(self, summary: Summary) -> list[Repeatable]:
        """Failures of the report whose inputs nobody has made small."""
        return [f for f in summary.first_failures() if f.path not in self.shown]


@struct(eq=False)
class _Searcher:
    """A worker as its host sees it; `left` is what it may still do."""

    worker: Worker[_Searcher]
    slot: Slot
    ledger: Ledger = field(default_factory=Ledger)
    asked: bool = False
    waiting: int = 0
    left: Allowance = NONE

    @property
    def rests(self) -> bool:
        return self.worker.task is None


@record
class Left:
    """What a search has before it when it makes room for others."""

    entries: tuple[Waiting, ...]
    budget: Budget
    deaths: Mapping[str, int]


class Host:
    """Hands out the search of one method after the other."""

    def __init__(self, explorer: Explorer) -> None:
        self._explorer = explorer
        self._files = Files(explorer.program)
        self._method = ""
        self._budget = Budget(NONE, 1)
        self._until: float | None = None
        self._turn = 0
        self._slice: float | None = None
        self.is_paused = False
        self._free: list[Waiting] = []
        self._deaths: dict[str, int] = {}
        limits = WorkerLimits(silence=PATIENCE, memory=explorer.options.memory << 20)
        self._pool: Pool[_Searcher] = Pool(limits)
        self._searchers: list[_Searcher] = []

    @property
    def gave_up(self) -> bool:
        return sum(self._deaths.values()) >= MOST_DEATHS

    @property
    def processes(self) -> list[int]:
        """The numbers of those that work."""
        return [w.worker.process.pid for w in self._searchers if not w.rests]

    def left_open(self) -> int:
        """Entries that nobody has run."""
        return len(self._open())

    def _open(self) -> tuple[Waiting, ...]:
        held = [entry for w in self._searchers for entry in w.ledger.open()]
        return tuple([e for e in (*self._free, *held) if not self._is_given_up(e.name)])

    def left(self) -> Left:
        """What there is for a search that goes on later."""
        return Left(self._open(), self._budget, self._deaths)

    def limit(self) -> str:
        """The limit that ended the search."""
        search, left = self._explorer.options.search, self._budget.left
        used = Allowance(search.runs, search.nodes, search.work).minus(left)
        return limit_reached(search, used.runs, used.nodes, used.steps, self._until)

    def batches(
        self,
        method: str,
        stop: Stop | None = None,
        seconds: float | None = None,
        slice_: float | None = None,
        left: Left | None = None,
    ) -> Iterator[Batch]:
        """What workers tell about a method, until nothing is open or a limit is reached.

        It may be a slice of the search only, and one that goes on with what was left.
        """
        search, workers = self._explorer.options.search, self._explorer.options.workers
        self._method = method
        seconds = search.seconds if seconds is None else seconds
        self._until = None if seconds is None else time.monotonic() + seconds
        self._turn, self._slice, self.is_paused = self._turn + 1, slice_, False
        if left is None:
            whole = Budget(Allowance(search.runs, search.nodes, search.work), workers)
            left = Left((Waiting(),), whole, {})
        self._budget, self._deaths, self._free = left.budget, {**left.deaths}, [*left.entries]
        for searcher in self._searchers:
            searcher.ledger.clear()
            searcher.waiting = 0
        while len(self._searchers) < workers:
            self._hire()
        while self._feed():
            if stop is not None and stop.asked():
                self._until = min(self._until or time.monotonic(), time.monotonic() - GRACE)
            yield from self._collect()
            self._end_late()

    def smaller(self, method: str, failures: list[Repeatable]) -> dict[str, ExploredRun]:
        """The same failures with smaller inputs, where a worker finds such."""
        if not failures or not self._searchers:
            return {}
        left = PATIENCE
        if self._until is not None:
            left = min(PATIENCE, self._until + 2 * GRACE - time.monotonic())
        if left <= 0:
            return {}
        searcher = self._searchers[0]
        self._pool.give(searcher.worker, searcher, pickle.dumps(Shrink(method, tuple(failures))))
        for event in self._pool.collect(left):
            if isinstance(event, Death):
                self._forget(searcher)  # the inputs that were found stay as they are
                return {}
            reply = from_bytes(event.data, self._files)
            assert isinstance(reply, Batch)
            if reply.smaller is not None:
                self._pool.rest(searcher.worker)
                return dict(reply.smaller)
        self._dismiss(searcher)
        return {}

    def close(self) -> None:
        self._pool.close()
        for searcher in list(self._searchers):
            self._forget(searcher)

    # ------------------------------------------------------------ handing out

    def _feed(self) -> bool:
        """Give all that can be given; whether anybody works."""
        if not self.is_paused and not self._is_over():
            for searcher in [w for w in self._searchers if w.rests]:
                if self._budget and (searcher.waiting or self._free):
                    self._give(searcher)
            hungry = sum(1 for w in self._searchers if w.rests)
            self._ask(hungry if self._budget else 0)
        return not all(w.rests for w in self._searchers)

    def _is_over(self) -> bool:
        if self.gave_up:
            return True
        return self._until is not None and time.monotonic() >= self._until

    def _give(self, searcher: _Searcher) -> None:
        entries: tuple[Waiting, ...] = ()
        if not searcher.waiting:
            entries = tuple(self._free)
            self._free = []
        searcher.left = self._budget.grant()
        searcher.ledger.handed(entries)
        never = tuple([name for name in self._deaths if self._is_given_up(name)])
        how = (self._until, never, self._turn, self._slice)
        work = Work(self._method, entries, searcher.left, *how)
        self._pool.give(searcher.worker, searcher, pickle.dumps(work))

    def _ask(self, hungry: int) -> None:
        """As many workers as have nothing to do: those that have most share."""
        hungry -= sum(1 for w in self._searchers if w.asked)
        busy = [w for w in self._searchers if not w.rests and not w.asked]
        for searcher in sorted(busy, key=lambda w: -w.waiting)[: max(0, hungry)]:
            searcher.asked = True
            self._pool.tell(searcher.worker, pickle.dumps(Share()))

    # ------------------------------------------------------------ collecting

    def _collect(self) -> Iterator[Batch]:
        for event in self._pool.collect(self._pause()):
            match event:
                case Heard(_, searcher, data):
                    batch = from_bytes(data, self._files)
                    assert isinstance(batch, Batch)
                    assert batch.turn == self._turn  # else it would count for another method
                    self._told(searcher, batch)
                    yield batch
                    if batch.trouble:
                        self._pool.dismiss(searcher.worker)
                        yield self._lost(searcher, Status.CRASHED, batch.trouble)
                case Death(_, searcher, Cause.SILENT, how):
                    yield self._lost(searcher, Status.TIMEOUT, how)
                case Death(_, searcher, Cause.LARGE):
                    out = self._explorer.options.out_of_memory
                    yield self._lost(searcher, Status.CRASHED, out)
                case Death(_, searcher, _, how):
                    yield self._lost(searcher, Status.CRASHED, how)

    def _pause(self) -> float:
        """How long nothing need be looked at but messages."""
        if self._until is None:
            return LOOK
        return min(LOOK, max(0.01, self._until + GRACE - time.monotonic()))

    def _told(self, searcher: _Searcher, batch: Batch) -> None:
        searcher.waiting = batch.waiting
        searcher.ledger.told(batch.attempts, batch.shared)
        searcher.left = searcher.left.minus(cost_of(batch.attempts))
        if batch.shared:
            searcher.asked = False
            self._free += batch.shared
        self.is_paused = self.is_paused or batch.paused
        if batch.rests:
            self._rests(searcher)
            if not searcher.waiting:
                searcher.ledger.clear()

    def _rests(self, searcher: _Searcher) -> None:
        self._pool.rest(searcher.worker)
        self._take_back(searcher)

    def _take_back(self, searcher: _Searcher) -> None:
        searcher.asked = False
        self._budget.take_back(searcher.left)
        searcher.left = NONE

    def _end_late(self) -> None:
        """Ends the workers that do not end by themselves when time is over."""
        if self._until is not None and time.monotonic() > self._until + GRACE:
            for searcher in [w for w in self._searchers if not w.rests]:
                self._free += searcher.ledger.open()
                self._dismiss(searcher)

    def _lost(self, searcher: _Searcher, status: Status, how: str) -> Batch:
        """The run under way is recorded as such, and tried once more in case that it was not its
        fault; what else the worker had goes to whoever is free."""
        name = searcher.slot.read()
        if name == NOTHING or searcher.ledger.has_told(name):
            name, how = NOTHING, f"{how}, between two runs"
        self._deaths[name] = self._deaths.get(name, 0) + 1
        self._free += [e for e in searcher.ledger.open() if not self._is_given_up(e.name)]
        self._take_back(searcher)
        self._budget.take_back(Allowance(nodes=-1))
        self._forget(searcher)
        self._hire()
        run = ExploredRun(0, -1, status.value, None, how)
        tally = Tally(self._method)
        tally.add(run, Trace())
        path = "" if name == NOTHING else name
        return Batch((Attempt(path, path, run),), tally)

    def _is_given_up(self, name: str) -> bool:
        return self._deaths.get(short(name), 0) >= TRIES

    # ------------------------------------------------------------ processes

    def _hire(self) -> None:
        slot, explorer = Slot(), self._explorer
        worker = self._pool.hire(
            lambda inbox, outbox: explore_worker.live(explorer, slot, inbox, outbox)
        )
        self._searchers.append(_Searcher(worker, slot))

    def _dismiss(self, searcher: _Searcher) -> None:
        self._pool.dismiss(searcher.worker)
        self._forget(searcher)

    def _forget(self, searcher: _Searcher) -> None:
        searcher.slot.close()
        self._searchers.remove(searcher)
