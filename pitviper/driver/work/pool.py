"""Runs tasks in worker processes that can be killed: a hang or a crash costs only its task."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import connection
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from pitviper.base.record import record

if TYPE_CHECKING:
    from multiprocessing.context import ForkServerContext, SpawnContext

    Context: TypeAlias = ForkServerContext | SpawnContext

T = TypeVar("T")
R = TypeVar("R")


@record
class Done(Generic[R]):
    value: R


@record
class Failed:
    """The function raised, or the process died; `report` says how."""

    report: str


@record
class TimedOut:
    pass


Outcome: TypeAlias = Done[R] | Failed | TimedOut


@record
class Limits:
    """`timeout` is the wall-clock time of one task in seconds."""

    jobs: int = 1
    timeout: float = 60.0


@record
class Finished(Generic[R]):
    """The task with this index came to its end after `seconds`."""

    index: int
    outcome: Outcome[R]
    seconds: float


def run_killable(
    function: Callable[[T], R], tasks: Sequence[T], limits: Limits, preload: Sequence[str] = ()
) -> Iterator[Finished[R]]:
    """`function` of each task, in the order in which they finish.

    `function` is a function of a module (it is found by name in the worker), tasks and results
    can be pickled. `preload` names modules to import once for all workers. No worker outlives
    the iteration, however it ends.
    """
    pool = _Pool(function, _context(preload))
    waiting = iter(enumerate(tasks))
    try:
        for _ in range(min(limits.jobs, len(tasks))):
            pool.give(pool.hire(), next(waiting))
        while pool.busy:
            for worker, finished in pool.collect(limits.timeout):
                if (task := next(waiting, None)) is not None:
                    pool.give(worker if worker.alive else pool.hire(), task)
                yield finished
    finally:
        pool.close()


def _context(preload: Sequence[str]) -> Context:
    """A server process forks the workers: quick, and safe where this process has threads."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(preload))
    return context


class _Worker:
    """A process with the task it works on."""

    def __init__(self, context: Context, function: Callable[[T], R]) -> None:
        self.pipe, far_end = context.Pipe()
        self.alive = True
        self.index = -1
        self.started = 0.0
        self._process = context.Process(target=_work, args=(function, far_end), daemon=True)
        self._process.start()
        far_end.close()

    def stop(self) -> None:
        self.alive = False
        self._process.kill()
        self._process.join()
        self.pipe.close()

    def death(self) -> str:
        """How the process ended that has closed its end of the pipe."""
        self._process.join(timeout=5.0)
        return f"the worker process ended with {_exit_text(self._process.exitcode)}"


def _exit_text(code: int | None) -> str:
    if code is not None and code < 0:
        with contextlib.suppress(ValueError):
            return f"signal {signal.Signals(-code).name}"
    return f"exit code {code}"


class _Pool(Generic[T, R]):
    def __init__(self, function: Callable[[T], R], context: Context) -> None:
        self._function = function
        self._context = context
        self._workers: list[_Worker] = []

    @property
    def busy(self) -> bool:
        return any(worker.index >= 0 for worker in self._workers)

    def hire(self) -> _Worker:
        worker = _Worker(self._context, self._function)
        self._workers.append(worker)
        return worker

    def give(self, worker: _Worker, task: tuple[int, T]) -> None:
        worker.index, worker.started = task[0], time.perf_counter()
        with contextlib.suppress(OSError):  # it died: collect() finds the closed pipe
            worker.pipe.send(task[1])

    def collect(self, timeout: float) -> list[tuple[_Worker, Finished[R]]]:
        """Wait until at least one task has ended or is over its time."""
        now = time.perf_counter()
        busy = [worker for worker in self._workers if worker.index >= 0]
        patience = min(worker.started + timeout - now for worker in busy)
        ready = connection.wait([worker.pipe for worker in busy], max(0.0, patience))
        now = time.perf_counter()
        ended: list[tuple[_Worker, Finished[R]]] = []
        for worker in busy:
            outcome: Outcome[R]
            if worker.pipe in ready:
                outcome = self._receive(worker)
            elif now - worker.started >= timeout:
                self._dismiss(worker)
                outcome = TimedOut()
            else:
                continue
            ended.append((worker, Finished(worker.index, outcome, now - worker.started)))
            worker.index = -1
        return ended

    def _receive(self, worker: _Worker) -> Outcome[R]:
        try:
            outcome: Outcome[R] = worker.pipe.recv()
        except (EOFError, OSError):
            report = worker.death()
            self._dismiss(worker)
            return Failed(report)
        return outcome

    def _dismiss(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        worker.stop()

    def close(self) -> None:
        for worker in list(self._workers):
            self._dismiss(worker)


def _work(function: Callable[[T], R], pipe: connection.Connection) -> None:
    """The life of a worker: tasks come through the pipe until it closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C means
    threading.Thread(target=_die_with_parent, daemon=True).start()
    while True:
        try:
            task: T = pipe.recv()
        except EOFError:
            return
        pipe.send(_outcome(function, task))


def _outcome(function: Callable[[T], R], task: T) -> Outcome[R]:
    try:
        return Done(function(task))
    except Exception:
        return Failed(traceback.format_exc())


def _die_with_parent() -> None:
    """Nobody is left to kill a hanging worker once the parent is gone."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        sys.stderr.flush()
        os._exit(1)
