"""Explores in worker processes, which may crash, hang or use up memory without harm.

The host keeps what is waiting; a worker solves and runs one entry after the other and tells about
each at once. An entry is plain data: the values of the run it comes from, and the decision to
flip. So any worker can take it up: it runs those values again and has the path. A worker that
made an entry itself still has the path, and gets such entries first.
"""

from __future__ import annotations

import multiprocessing
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from multiprocessing import connection
from typing import TYPE_CHECKING

from pitviper.driver.explore import Explorer, chosen_methods
from pitviper.driver.explore_options import ExploreOptions
from pitviper.driver.explore_summary import Summary, Trace
from pitviper.driver.explore_worker import Reply, Task, serve
from pitviper.driver.frontend import FrontEnd
from pitviper.explore.runtime.run import Status
from pitviper.results.exploration import ExploredRun, MethodExploration

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

BATCH = 8
"""Entries that a worker has at most: enough to keep it busy while the host is."""

PATIENCE = 60.0
"""Seconds without a word after which a worker is stopped."""


def explore_in_workers(front: FrontEnd, options: ExploreOptions) -> Iterator[MethodExploration]:
    """Each method as soon as it is done; no worker outlives the iteration."""
    assert front.program is not None
    methods, _ = chosen_methods(front.program, options.methods)
    explorer = Explorer(front.program, str(front.source.path), options)
    host = _Host(front, options)
    try:
        for method in methods:
            summary = Summary(explorer.code.model, method)
            start = time.perf_counter()
            for run, trace in host.runs(method):
                summary.add(run, trace)
            summary.left_open(host.waiting)
            yield summary.result(time.perf_counter() - start)
    finally:
        host.close()


@dataclass(eq=False)
class _Worker:
    process: SpawnProcess
    pipe: Connection
    given: deque[Task] = field(default_factory=deque)
    own: deque[Task] = field(default_factory=deque)
    heard: float = field(default_factory=time.monotonic)


class _Host:
    """The waiting entries of one method, and the workers that take them."""

    def __init__(self, front: FrontEnd, options: ExploreOptions) -> None:
        self._front = front
        self._options = options
        self._method = ""
        self._context = multiprocessing.get_context("spawn")
        self._free: deque[Task] = deque()
        self._numbers = 0
        self._workers = [self._hire() for _ in range(options.workers)]

    @property
    def waiting(self) -> int:
        """Entries that nobody has run."""
        held = sum(len(w.given) + len(w.own) for w in self._workers)
        return len(self._free) + held

    def runs(self, method: str) -> Iterator[tuple[ExploredRun, Trace]]:
        """The runs of one method; workers that are busy with another one are replaced."""
        for worker in [w for w in self._workers if w.given]:
            self._replace(worker)
        for worker in self._workers:
            worker.own.clear()
        self._method = method
        self._free = deque([Task(method, 0, -1)])
        self._numbers = 1
        search = self._options.search
        deadline = None if search.seconds is None else time.monotonic() + search.seconds
        done = 0
        while self.waiting and done < min(search.runs, search.nodes):
            if deadline is not None and time.monotonic() > deadline:
                return
            for worker in self._workers:
                self._feed(worker)
            for result in self._collect():
                done += 1
                yield result

    def _hire(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        request = (self._front.source.text, str(self._front.source.path))
        process = self._context.Process(
            target=serve, args=(theirs, request, self._options), daemon=True
        )
        process.start()
        theirs.close()
        return _Worker(process, ours)

    def _feed(self, worker: _Worker) -> None:
        """Its own entries first, then free ones, then half of what another one has."""
        was_idle = not worker.given
        while len(worker.given) < BATCH:
            task = self._next(worker)
            if task is None:
                break
            worker.given.append(task)
            try:
                worker.pipe.send(task)
            except OSError:
                return  # it died: `_collect` finds out
        if was_idle:
            worker.heard = time.monotonic()

    def _next(self, worker: _Worker) -> Task | None:
        if worker.own:
            return worker.own.popleft()
        if self._free:
            return self._free.popleft()
        richest = max(self._workers, key=lambda w: len(w.own))
        if len(richest.own) > 1:
            return replace(richest.own.pop(), local=None)
        return None

    def _collect(self) -> Iterator[tuple[ExploredRun, Trace]]:
        pipes = [w.pipe for w in self._workers if w.given]
        for ready in connection.wait(pipes, timeout=1.0):
            worker = next(w for w in self._workers if w.pipe is ready)
            try:
                reply: Reply = worker.pipe.recv()
            except (EOFError, OSError):
                yield self._lost(worker, Status.CRASHED)
                continue
            yield self._done(worker, reply)
        for worker in self._workers:
            if worker.given and time.monotonic() - worker.heard > PATIENCE:
                worker.process.kill()
                yield self._lost(worker, Status.TIMEOUT)

    def _done(self, worker: _Worker, reply: Reply) -> tuple[ExploredRun, Trace]:
        task = worker.given.popleft()
        worker.heard = time.monotonic()
        for local, flipped in reply.successors:
            made = Task(
                self._method,
                self._numbers,
                task.number,
                reply.assignment,
                flipped,
                local,
                reply.known,
            )
            worker.own.append(made)
            self._numbers += 1
        return replace(reply.run, number=task.number, parent=task.parent), reply.trace

    def _lost(self, worker: _Worker, status: Status) -> tuple[ExploredRun, Trace]:
        """The run under way is recorded as such, and tried once more in case that it was not its
        fault; the other entries go to whoever is free."""
        task = worker.given.popleft()
        if not task.tries:
            again = replace(task, number=self._numbers, local=None, tries=1)
            self._numbers += 1
            self._free.append(again)
        for other in (*worker.given, *worker.own):
            self._free.append(replace(other, local=None))
        detail = f"exit code {self._replace(worker)}"
        return ExploredRun(task.number, task.parent, status.value, None, detail), Trace()

    def _replace(self, worker: _Worker) -> int | None:
        """A new worker in the place of one; how the old one ended."""
        worker.process.join(0.2)
        worker.process.kill()
        worker.process.join()
        worker.pipe.close()
        self._workers[self._workers.index(worker)] = self._hire()
        return worker.process.exitcode

    def close(self) -> None:
        for worker in self._workers:
            worker.process.kill()
            worker.process.join()
            worker.pipe.close()
