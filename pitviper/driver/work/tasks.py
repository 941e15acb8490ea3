"""Runs a function on many tasks in worker processes: a hang or a crash costs only its task."""

from __future__ import annotations

import pickle
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeAlias, TypeVar, cast

from pitviper.base.record import record
from pitviper.driver.work.pool import Cause, Death, Event, Pool, Serve, WorkerLimits, answering
from pitviper.driver.work.process import can_fork

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


@record
class Lost:
    """The process was ended from outside or by the solver: nothing is known about its task."""

    report: str


Outcome: TypeAlias = Done[R] | Failed | TimedOut | Lost

FROM_OUTSIDE = ("signal SIGKILL", "signal SIGTERM", "signal SIGINT", "signal SIGHUP")
"""Ends that no fault of our own brings about; the first is also the system's when memory is short.
"""

BY_THE_SOLVER = tuple([f"exit code {code}" for code in range(101, 115)])
"""How Z3 ends a process itself: out of memory, or where one of its own assertions is wrong."""


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
    function: Callable[[T], R], tasks: Sequence[T], limits: Limits
) -> Iterator[Finished[R]]:
    """Yields what `function` says of each task, in the order in which they finish.

    Results can be pickled. No worker outlives the iteration, however it ends. Where processes
    cannot be forked, tasks run here, one after the other and without a limit.
    """
    if not can_fork():
        yield from _run_here(function, tasks)
        return
    pool: Pool[int] = Pool(WorkerLimits(seconds=limits.timeout))
    life = answering(lambda: _server(function, tasks))
    waiting = iter(range(len(tasks)))
    try:
        for _, index in zip(range(limits.jobs), waiting, strict=False):
            pool.assign(life, index, pickle.dumps(index))
        while pool.busy:
            for event in pool.collect(None):
                finished: Finished[R] = _finished(pool, event)
                if (index := next(waiting, -1)) >= 0:
                    pool.assign(life, index, pickle.dumps(index))
                yield finished
    finally:
        pool.close()


def _run_here(function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[Finished[R]]:
    for index, task in enumerate(tasks):
        began = time.monotonic()
        outcome = _outcome(function, task)
        yield Finished(index, outcome, time.monotonic() - began)


def _finished(pool: Pool[int], event: Event[int]) -> Finished[R]:
    seconds = time.monotonic() - event.worker.begun
    if isinstance(event, Death):
        return Finished(event.task, _loss(event), seconds)
    pool.rest(event.worker)
    return Finished(event.task, cast(Outcome[R], pickle.loads(event.data)), seconds)


def _loss(death: Death[int]) -> Failed | TimedOut | Lost:
    if death.cause is Cause.LATE:
        return TimedOut()
    said = f"the worker process ended with {death.how}"
    return Lost(said) if death.how in FROM_OUTSIDE + BY_THE_SOLVER else Failed(said)


def _server(function: Callable[[T], R], tasks: Sequence[T]) -> Serve:
    """In the worker, which has had the tasks from the start: a message is the index of one."""
    return lambda message: pickle.dumps(_outcome(function, tasks[pickle.loads(message)]))


def _outcome(function: Callable[[T], R], task: T) -> Outcome[R]:
    try:
        return Done(function(task))
    except Exception:
        return Failed(traceback.format_exc())
