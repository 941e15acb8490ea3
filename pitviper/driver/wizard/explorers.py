"""The processes in which the wizard explores while the verifier works.

A host hands one method after the other to workers. Between two runs a worker listens: what the
verifier proves meanwhile is not attacked any more, and a method that it proves altogether is left
alone. A search that is not done soon makes room for other methods, and begins anew when all have
had their turn: what fails at once is told at once. Methods in which the verifier has found an error
go before others.
"""

from __future__ import annotations

import select
import time
import traceback
from typing import TypeAlias

from pitviper.base.memory import limit_growth
from pitviper.base.record import record, replace
from pitviper.base.usage_error import UsageError
from pitviper.driver.explore.explore import FullExplorer, with_functions
from pitviper.driver.explore.host import SLICE
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.front.frontend import FrontEnd
from pitviper.driver.wizard.hints import hints_for
from pitviper.driver.work.pool import Cause, Death, Event, Pool, Worker, WorkerLimits
from pitviper.driver.work.process import Gone, read_message, write_message
from pitviper.driver.work.stop import Stopped as Halted
from pitviper.driver.work.transport import Files, from_bytes, to_bytes
from pitviper.engines.explore.runtime.ending import Status
from pitviper.engines.explore.runtime.inputs import Assignment
from pitviper.engines.explore.search.extensions import Trust
from pitviper.program.member import Program
from pitviper.results.exploration import INTERRUPTED, ExploredRun, MethodExploration
from pitviper.solver.z3.library import limit_with_solver

BEAT = 0.2
"""Seconds between two words about a search that goes on."""

PATIENCE = 60.0
"""Seconds without a word after which a worker is ended."""

GRACE = 2.0
"""Seconds that a worker has to stop what nobody needs."""

MOMENT = 0.3
"""Seconds that a worker has to say what it knows, where somebody waits for that."""


@record
class Begin:
    """To the host: explore these methods."""

    methods: tuple[str, ...]


@record
class Explore:
    """To a worker: what to do next, for so many seconds of a processor, if others wait."""

    method: str
    slice: float | None = None


@record
class Stop:
    """To the host, and from it to a worker: nobody needs the method any more."""

    method: str


@record
class Halt:
    """To the host, and from it to workers: somebody wants to hear what is known so far.

    `why` is what is said of searches that this ends.
    """

    why: str = INTERRUPTED


Order: TypeAlias = Begin | Explore | Stop | Halt | Trust


@record
class Alive:
    """From a worker: so many attempts were made for the method."""

    method: str
    attempts: int


@record
class Failing:
    """From a worker: a run of the method that fails, as soon as it is found."""

    method: str
    run: ExploredRun


@record
class Done:
    """From a worker: what is known about a method, None if it was stopped.

    It `paused` if its slice was over.
    """

    method: str
    result: MethodExploration | None
    paused: bool = False


@record
class Finished:
    """From the host: all methods are done."""


@record
class Broken:
    """From a worker or the host: a bug of ours, or a system that grants no process."""

    trace: str
    refused: bool = False


Word: TypeAlias = Alive | Failing | Done | Finished | Broken


class _Pipes:
    """The way to the process that gives orders."""

    def __init__(self, program: Program, pipes: tuple[int, int]) -> None:
        self._inbox, self._outbox = pipes
        self._files = Files(program)

    def has_order(self) -> bool:
        return bool(select.select([self._inbox], [], [], 0)[0])

    def order(self) -> object:
        return from_bytes(read_message(self._inbox), self._files)

    def tell(self, word: Word) -> None:
        write_message(self._outbox, to_bytes(word))


class ExplorerHost:
    """Forks workers, hands methods out and passes on what they say."""

    def __init__(self, front: FrontEnd, options: ExploreOptions, pipes: tuple[int, int]) -> None:
        front = with_functions(front, options.methods)
        assert front.program is not None
        self._program, self._file = front.program, str(front.source.path)
        self._options = options
        self._files = Files(front.program)
        self._pipes = _Pipes(front.program, pipes)
        limits = WorkerLimits(silence=PATIENCE, memory=options.memory << 20)
        self._pool: Pool[str] = Pool(limits, pipes)
        self._trusts: dict[str, Trust] = {}
        self._waiting: list[str] = []
        self._paused: dict[str, MethodExploration] = {}
        self._stopped: dict[str, float] = {}
        self._works = False

    def live(self) -> None:
        """Until the other side hangs up."""
        try:
            while True:
                self._round()
        except (Gone, BrokenPipeError):
            return
        except UsageError as error:
            self._pipes.tell(Broken(str(error), refused=True))
        except Exception:
            self._pipes.tell(Broken(traceback.format_exc()))
            raise
        finally:
            self._pool.close()

    def _round(self) -> None:
        self._hand_out()
        for event in self._pool.collect(0.1 if self._stopped else None):
            self._hear(event)
        while self._pipes.has_order():
            self._obey(self._pipes.order())
        for worker in self._pool.busy:
            began = self._stopped.get(worker.task or "")
            if began is not None and time.monotonic() - began > GRACE:
                self._pool.dismiss(worker)
                self._done(worker.task or "", None)

    def _hand_out(self) -> None:
        while self._waiting and len(self._pool.busy) < max(1, self._options.workers):
            method = self._waiting.pop(0)
            self._pipes.tell(Alive(method, 0))
            worker = self._pool.idle[-1] if self._pool.idle else self._hire()
            is_alone = not self._waiting or method in self._paused
            order = Explore(method, None if is_alone else SLICE)
            self._pool.give(worker, method, to_bytes(order))
        if self._works and not self._pool.busy:
            self._works = False
            self._pipes.tell(Finished())

    def _hire(self) -> Worker[str]:
        worker = self._pool.hire(lambda *pipes: self._explorer(pipes).live())
        for trust in self._trusts.values():
            self._pool.tell(worker, to_bytes(trust))
        return worker

    def _explorer(self, pipes: tuple[int, int]) -> _Explorer:
        """In the worker."""
        limit_growth(self._options.memory << 20)
        limit_with_solver(self._options.memory)
        explorer = FullExplorer(self._program, self._file, self._options)
        return _Explorer(explorer, self._program, _Pipes(self._program, pipes))

    def _obey(self, order: object) -> None:
        match order:
            case Begin(methods):
                self._waiting, self._works = list(methods), True
                self._paused.clear()
            case Trust():
                self._trusts[order.member] = order
                if order.doubtful:
                    self._prefer(order.member)
                for worker in self._pool.workers:
                    self._pool.tell(worker, to_bytes(order))
            case Stop(method):
                self._stop(method)
            case Halt():
                self._halt(order)

    def _prefer(self, method: str) -> None:
        """It goes before those of which nothing is known, and behind others that may fail."""
        if method in self._waiting and method not in self._paused:
            self._waiting.remove(method)
            known = [m for m in self._waiting if m in self._trusts and m not in self._paused]
            self._waiting.insert(len(known), method)

    def _halt(self, order: Halt) -> None:
        """Those that wait are not begun, those under way have a moment to say what they know."""
        for method in [name for name in self._waiting if name in self._paused]:
            self._done(method, self._cut_short(method, order.why))
        self._waiting.clear()
        for worker in self._pool.busy:
            self._stopped[worker.task or ""] = time.monotonic() - GRACE + MOMENT
            self._pool.tell(worker, to_bytes(order))

    def _stop(self, method: str) -> None:
        if method in self._waiting:
            self._waiting.remove(method)
            self._pipes.tell(Done(method, None))
        for worker in self._pool.busy:
            if worker.task == method and method not in self._stopped:
                self._stopped[method] = time.monotonic()
                self._pool.tell(worker, to_bytes(Stop(method)))

    def _hear(self, event: Event[str]) -> None:
        if isinstance(event, Death):
            status = Status.TIMEOUT if event.cause is Cause.SILENT else Status.CRASHED
            how = self._options.out_of_memory if event.cause is Cause.LARGE else event.how
            why = f"{status.value}: {how}"
            self._done(event.task, self._cut_short(event.task, why))
            return
        word = from_bytes(event.data, self._files)
        assert isinstance(word, Alive | Failing | Done | Broken)
        if isinstance(word, Done):
            self._pool.rest(event.worker)
            if word.paused and word.result is not None and word.method not in self._stopped:
                self._paused[word.method] = word.result
                self._waiting.append(word.method)
            else:
                self._done(word.method, word.result)
        else:
            self._pipes.tell(word)

    def _cut_short(self, method: str, why: str) -> MethodExploration:
        """What is known of a method to which nobody comes back."""
        known = self._paused.get(method, MethodExploration(method))
        others = [word for word in known.open if word != INTERRUPTED]
        return replace(known, open=(*others, why))

    def _done(self, method: str, result: MethodExploration | None) -> None:
        self._stopped.pop(method, None)
        self._pipes.tell(Done(method, result))


class _Stopped(Exception):
    """Ends the search that is going on."""


class _Explorer:
    """The life of a worker."""

    def __init__(self, explorer: FullExplorer, program: Program, pipes: _Pipes) -> None:
        self._explorer = explorer
        self._program = program
        self._pipes = pipes
        self._doubted: dict[str, None] = {}
        self._hinted: dict[str, None] = {}
        self._halted: Halt | None = None
        self._method = ""
        self._until: float | None = None
        self._is_paused = False
        self._attempts = 0
        self._told = 0.0

    def live(self) -> None:
        """Until the host closes the pipe."""
        try:
            while True:
                self._take(self._pipes.order())
        except (Gone, BrokenPipeError):
            return
        except Exception:
            self._pipes.tell(Broken(traceback.format_exc()))
            raise

    def _take(self, order: object) -> None:
        match order:
            case Explore(method, slice_):
                self._until = None if slice_ is None else time.process_time() + slice_
                self._is_paused = False
                done = self._explored(method)
                if self._is_paused:
                    self._hinted.pop(method, None)
                self._pipes.tell(Done(method, done, self._is_paused))
            case Trust():
                self._trust(order)
            case Stop() | Halt():
                pass  # it was done before the word came

    def _trust(self, trust: Trust) -> None:
        self._explorer.trust(trust)
        if trust.doubtful:
            self._doubted[trust.member] = None

    def _hints(self) -> list[Assignment]:
        """Once for each method of which the verifier has said that it may fail."""
        method = self._method
        is_known = method in self._doubted and method not in self._hinted
        if not is_known or method in self._program.functions:
            return []
        self._hinted[method] = None
        return hints_for(self._program, method)

    def _explored(self, method: str) -> MethodExploration | None:
        self._method, self._attempts, self._told = method, 0, time.monotonic()
        try:
            return self._explorer.explore(method, self._pulse, self._tell, self._hints)
        except _Stopped:
            return None
        except MemoryError:  # before the search had begun
            return MethodExploration(method, open=(self._explorer.chosen.options.out_of_memory,))

    def _tell(self, method: str, run: ExploredRun) -> None:
        self._pipes.tell(Failing(method, run))

    def _pulse(self) -> None:
        """Between two attempts."""
        self._attempts += 1
        while self._pipes.has_order():
            order = self._pipes.order()
            if isinstance(order, Stop) and order.method == self._method:
                raise _Stopped
            if isinstance(order, Trust):
                self._trust(order)
            if isinstance(order, Halt):
                self._halted = order
        if self._halted is not None:
            raise Halted(self._halted.why)
        if self._until is not None and time.process_time() >= self._until:
            self._is_paused = True
            raise Halted(INTERRUPTED)
        if time.monotonic() - self._told > BEAT:
            self._told = time.monotonic()
            self._pipes.tell(Alive(self._method, self._attempts))
