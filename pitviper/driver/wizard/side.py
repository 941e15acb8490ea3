"""Exploration beside the verifier: processes that explore methods, and a thread that hears them."""

from __future__ import annotations

import contextlib
import multiprocessing
import threading
import time
from collections.abc import Sequence
from multiprocessing import connection
from typing import TYPE_CHECKING, Protocol

from pitviper.base.record import field, struct
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.front.frontend import FrontEnd
from pitviper.driver.wizard.worker import Alive, Broken, Done, Explore, Order, Stop, serve
from pitviper.driver.work.transport import Files, from_bytes, to_bytes
from pitviper.engines.explore.runtime.ending import Status
from pitviper.engines.explore.search.extensions import Trust
from pitviper.results.exploration import MethodExploration
from pitviper.results.verdict import MemberOutcome

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess


PATIENCE = 60.0
"""Seconds without a word after which a process is ended."""

GRACE = 2.0
"""Seconds that a process has to stop what nobody needs."""


class InternalError(Exception):
    """A bug of ours in a process; the text is its trace."""


@struct(eq=False)
class _Process:
    process: SpawnProcess
    pipe: Connection
    method: str | None = None
    heard: float = field(default_factory=time.monotonic)
    stopped: float | None = None


class Side:
    """Explores methods in other processes; the verifier's thread says what it has proved.

    `begin` starts, `finish` waits and gives what was found; in between, `stop` and `trust` save
    work.
    """

    def __init__(self, front: FrontEnd, options: ExploreOptions, watch: WizardWatch) -> None:
        assert front.program is not None
        self._front = front
        self._options = options
        self._watch = watch
        self._files = Files(front.program)
        self._context = multiprocessing.get_context("spawn")
        self._lock = threading.RLock()
        self._trusts: dict[str, Trust] = {}
        self._waiting: list[str] = []
        self._found: dict[str, MethodExploration] = {}
        self._errors: list[BaseException] = []
        self._closed = False
        self._thread: threading.Thread | None = None
        self._processes = [self._hire() for _ in range(max(1, options.workers))]

    def begin(self, methods: Sequence[str]) -> None:
        with self._lock:
            self._waiting = list(methods)
            self._found = {}
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def finish(self) -> dict[str, MethodExploration]:
        """What is known about the methods that were not stopped."""
        assert self._thread is not None
        while self._thread.is_alive():
            self._thread.join(0.2)
        if self._errors:
            raise self._errors[0]
        return dict(self._found)

    def stop(self, method: str) -> None:
        """Nobody needs to know more about the method."""
        with self._lock:
            if method in self._waiting:
                self._waiting.remove(method)
                self._watch.explored(method)
            for worker in self._processes:
                if worker.method == method and worker.stopped is None:
                    worker.stopped = time.monotonic()
                    self._send(worker, Stop(method))

    def trust(self, trust: Trust) -> None:
        """Checks of a member are proved: nobody attacks them from now on."""
        with self._lock:
            self._trusts[trust.member] = trust
            for worker in self._processes:
                self._send(worker, trust)

    def close(self) -> None:
        self._closed = True
        with self._lock:
            for worker in self._processes:
                worker.process.kill()
                worker.process.join()
                worker.pipe.close()

    # ------------------------------------------------------------ the thread

    def _run(self) -> None:
        try:
            while not self._closed and self._round():
                pass
        except BaseException as error:  # told by `finish`, in the thread of the caller
            if not self._closed:
                self._errors.append(error)

    def _round(self) -> bool:
        """Hand out methods and hear what became of others; False when all is done."""
        with self._lock:
            self._hand_out()
            busy = [w for w in self._processes if w.method is not None]
            pipes = {w.pipe: w for w in busy}
        if not busy:
            return False
        for ready in connection.wait(list(pipes), timeout=0.1):
            with self._lock:
                for pipe, worker in pipes.items():
                    if pipe is ready:
                        self._hear(worker)
        with self._lock:
            for worker in busy:
                self._look_after(worker)
        return True

    def _hand_out(self) -> None:
        for worker in self._processes:
            if worker.method is None and self._waiting:
                worker.method = self._waiting.pop(0)
                worker.heard = time.monotonic()
                self._watch.exploring(worker.method, 0)
                self._send(worker, Explore(worker.method))

    def _hear(self, worker: _Process) -> None:
        try:
            word = from_bytes(worker.pipe.recv_bytes(), self._files)
        except (EOFError, OSError):
            self._replace(worker, Status.CRASHED)
            return
        worker.heard = time.monotonic()
        match word:
            case Alive(method, attempts):
                self._watch.exploring(method, attempts)
            case Done(method, result):
                self._end(worker, result)
            case Broken(trace):
                raise InternalError(trace)
            case _:
                raise InternalError(f"an unknown word {word!r}")

    def _end(self, worker: _Process, result: MethodExploration | None) -> None:
        assert worker.method is not None
        if result is not None:
            self._found[worker.method] = result
        self._watch.explored(worker.method)
        worker.method = worker.stopped = None

    def _look_after(self, worker: _Process) -> None:
        now = time.monotonic()
        if worker.method is None:
            return
        if worker.stopped is not None and now - worker.stopped > GRACE:
            self._replace(worker, None)
        elif now - worker.heard > PATIENCE:
            self._replace(worker, Status.TIMEOUT)

    def _replace(self, worker: _Process, status: Status | None) -> None:
        """A new process in the place of one that is gone; its method stays open."""
        worker.process.join(0.2)
        worker.process.kill()
        worker.process.join()
        worker.pipe.close()
        if worker.method is not None:
            why = f"exit code {worker.process.exitcode}"
            lost = None
            if status is not None:
                lost = MethodExploration(worker.method, open=(f"{status.value}: {why}",))
            self._end(worker, lost)
        if not self._closed:
            self._processes[self._processes.index(worker)] = self._hire()

    def _hire(self) -> _Process:
        ours, theirs = self._context.Pipe()
        request = (self._front.source.text, str(self._front.source.path))
        process = self._context.Process(
            target=serve, args=(theirs, request, self._options), daemon=True
        )
        process.start()
        theirs.close()
        hired = _Process(process, ours)
        for trust in self._trusts.values():
            self._send(hired, trust)
        return hired

    def _send(self, worker: _Process, order: Order) -> None:
        with contextlib.suppress(OSError):  # it died: the thread finds out
            worker.pipe.send_bytes(to_bytes(order))


class WizardWatch(Protocol):
    """Is told how both sides go on, from several threads, one at a time for each side."""

    def started(self, member: str, done: int, total: int) -> None: ...

    def finished(self, outcome: MemberOutcome) -> None: ...

    def turn(self, number: int, methods: int) -> None: ...

    def exploring(self, method: str, attempts: int) -> None: ...

    def explored(self, method: str) -> None: ...


class NobodyWatches:
    """Looks away."""

    def started(self, member: str, done: int, total: int) -> None:
        return

    def finished(self, outcome: MemberOutcome) -> None:
        return

    def turn(self, number: int, methods: int) -> None:
        return

    def exploring(self, method: str, attempts: int) -> None:
        return

    def explored(self, method: str) -> None:
        return
