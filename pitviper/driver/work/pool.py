"""The one pool of worker processes: they are forked, talked to in bytes, watched and killed.

A worker has a task or it rests. The pool hears the workers that have one, notices the death of a
worker and says which task it cost, and ends a worker that exceeds a limit. What tasks and messages
mean is up to the user of the pool: members of a program, programs of a suite, parts of a search.
"""

from __future__ import annotations

import contextlib
import select
import time
from collections.abc import Callable
from enum import Enum
from typing import Generic, TypeAlias, TypeVar

from pitviper.base.record import record, struct
from pitviper.driver.work.process import (
    OUT_OF_MEMORY,
    ChildProcess,
    Gone,
    Life,
    NothingRuns,
    read_message,
    write_message,
)

T = TypeVar("T")

Serve = Callable[[bytes], bytes]
"""What a worker does with a message: the answer."""

LOOK = 2.0
"""Seconds between two looks that count at most: while we are stopped ourselves (Ctrl-Z), no worker
can be heard."""

SILENCE_CHECK = 1.0
"""Seconds between two looks at how long workers have been silent."""

BY_THE_SOLVER = ("signal SIGABRT", "signal SIGSEGV", "exit code 101", "exit code 114")
"""How Z3 ends a process where it cannot go on: often for want of memory."""

MEMORY_CHECK = 0.25
"""Seconds between two looks at the memory of workers, where it is limited."""


@record
class WorkerLimits:
    """What a worker may take: seconds for a task, seconds of silence, bytes of memory."""

    seconds: float | None = None
    silence: float | None = None
    memory: int | None = None


class Cause(Enum):
    """Why a worker is no more: it ended by itself or by a signal, or it exceeded a limit."""

    ENDED = "ended"
    LATE = "late"
    SILENT = "silent"
    LARGE = "large"


@struct(eq=False)
class Worker(Generic[T]):
    """A process of a pool; `task` is None while it rests, `silent` are seconds without a word."""

    process: ChildProcess
    task: T | None = None
    begun: float = 0.0
    silent: float = 0.0


@record
class Heard(Generic[T]):
    """A worker has sent a message about its task."""

    worker: Worker[T]
    task: T
    data: bytes


@record
class Death(Generic[T]):
    """A worker is no more, which costs its task; `how` is the end of a sentence about it."""

    worker: Worker[T]
    task: T
    cause: Cause
    how: str


Event: TypeAlias = Heard[T] | Death[T]


class Pool(Generic[T]):
    """Workers in the order in which they last began or ended a task.

    A process that is a worker itself gives its `own` inbox and outbox: a message in the inbox ends
    a wait, and its workers do not keep the two.
    """

    def __init__(self, limits: WorkerLimits, own: tuple[int, int] | None = None) -> None:
        self.workers: list[Worker[T]] = []
        self._limits = limits
        self._own = own or ()
        self._looked = time.monotonic()

    @property
    def busy(self) -> list[Worker[T]]:
        return [worker for worker in self.workers if worker.task is not None]

    @property
    def idle(self) -> list[Worker[T]]:
        return [worker for worker in self.workers if worker.task is None]

    def hire(self, life: Life) -> Worker[T]:
        """Returns a new worker, which rests."""
        others = [fd for worker in self.workers for fd in worker.process.pipes]
        worker: Worker[T] = Worker(ChildProcess(life, (*others, *self._own)))
        self.workers.append(worker)
        return worker

    def assign(self, life: Life, task: T, message: bytes) -> None:
        """Gives the task to the worker that began to rest last, or to a new one."""
        while idle := self.idle:
            try:
                idle[-1].process.send(message)
            except Gone:  # it died while it had nothing to do
                self.dismiss(idle[-1])
                continue
            self._begin(idle[-1], task)
            return
        self.give(self.hire(life), task, message)

    def give(self, worker: Worker[T], task: T, message: bytes) -> None:
        """Gives the task to this worker; should it be dead, `collect` tells what that costs."""
        self._begin(worker, task)
        self.tell(worker, message)

    def tell(self, worker: Worker[T], message: bytes) -> None:
        """Sends a message in the middle of a task; a worker that has died misses it."""
        with contextlib.suppress(Gone):
            worker.process.send(message)

    def rest(self, worker: Worker[T]) -> None:
        """The task of the worker has come to its end."""
        worker.task = None
        self._to_the_end(worker)

    def collect(self, patience: float | None) -> list[Event[T]]:
        """Returns what has happened, after waiting for it so many seconds; NothingRuns."""
        until = None if patience is None else time.monotonic() + patience
        while True:
            if until is None and not self._own and not self.busy:
                raise NothingRuns("nobody works, so nobody will ever answer")
            ready = self._ready(self._pause(until))
            heard = [w for w in self.busy if w.process.inbox in ready]
            found = [self._receive(w) for w in heard] + self._exceeding(heard)
            asked = not ready.isdisjoint(self._own)
            if found or asked or (until is not None and time.monotonic() >= until):
                return found

    def dismiss(self, worker: Worker[T]) -> str:
        """Kills the worker; returns how it ended."""
        self.workers.remove(worker)
        return worker.process.end()

    def close(self) -> None:
        """Nobody works afterwards."""
        for worker in list(self.workers):
            self.dismiss(worker)

    def _begin(self, worker: Worker[T], task: T) -> None:
        worker.task, worker.begun, worker.silent = task, time.monotonic(), 0.0
        self._to_the_end(worker)

    def _to_the_end(self, worker: Worker[T]) -> None:
        self.workers.remove(worker)
        self.workers.append(worker)

    def _ready(self, pause: float | None) -> set[int]:
        inboxes = [worker.process.inbox for worker in self.busy]
        readable, _, _ = select.select([*inboxes, *self._own[:1]], [], [], pause)
        return set(readable)

    def _pause(self, until: float | None) -> float | None:
        """Returns how long nothing need be looked at but messages."""
        limits, now = self._limits, time.monotonic()
        ends = [] if until is None else [until]
        if limits.seconds is not None:
            ends += [worker.begun + limits.seconds for worker in self.busy]
        if limits.silence is not None:
            ends.append(now + SILENCE_CHECK)
        if limits.memory is not None:
            ends.append(now + MEMORY_CHECK)
        return max(0.0, min(ends) - now) if ends else None

    def _receive(self, worker: Worker[T]) -> Event[T]:
        assert worker.task is not None
        try:
            data = worker.process.receive()
        except Gone:
            self.workers.remove(worker)
            return Death(worker, worker.task, *self._ended(worker.process))
        worker.silent = 0.0
        return Heard(worker, worker.task, data)

    def _ended(self, process: ChildProcess) -> tuple[Cause, str]:
        """A solver that gets no more memory ends its process in ways of its own."""
        how, most = process.death(), self._limits.memory
        if most is None:
            return Cause.ENDED, how
        if how == OUT_OF_MEMORY or (how in BY_THE_SOLVER and process.peak >= most // 2):
            return Cause.LARGE, _too_large(most)
        return Cause.ENDED, how

    def _exceeding(self, heard: list[Worker[T]]) -> list[Event[T]]:
        now = time.monotonic()
        passed, self._looked = min(now - self._looked, LOOK), now
        found: list[Event[T]] = []
        for worker in self.busy:
            if worker in heard:
                continue
            worker.silent += passed
            exceeded = self._exceeded(worker, now)
            if exceeded is not None and worker.task is not None:
                self.dismiss(worker)
                found.append(Death(worker, worker.task, *exceeded))
        return found

    def _exceeded(self, worker: Worker[T], now: float) -> tuple[Cause, str] | None:
        limits = self._limits
        if limits.seconds is not None and now - worker.begun >= limits.seconds:
            return Cause.LATE, f"no answer after {limits.seconds:g} s"
        if limits.silence is not None and worker.silent > limits.silence:
            return Cause.SILENT, f"no word for {limits.silence:g} s"
        if limits.memory is not None and worker.process.memory() > limits.memory:
            return Cause.LARGE, _too_large(limits.memory)
        return None


def _too_large(most: int) -> str:
    return f"it needs more memory than {most >> 20} MB"


def answering(prepare: Callable[[], Serve]) -> Life:
    """Returns the life of a worker that answers messages one after the other.

    `prepare` runs once, in the worker.
    """

    def life(inbox: int, outbox: int) -> None:
        serve = prepare()
        while True:
            try:
                message = read_message(inbox)
            except Gone:
                return
            write_message(outbox, serve(message))

    return life
