"""Workers behind any `concurrent.futures.Executor`: the members of a program as its tasks."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from hashlib import blake2b
from threading import Lock

from pitviper.driver.deep_stack import run_deep
from pitviper.driver.engine import Job, Site
from pitviper.driver.fingerprint import fingerprint
from pitviper.driver.sessions import Sessions
from pitviper.driver.transport import Files, from_bytes, to_bytes
from pitviper.driver.workers import Arrival, Lost, Reply, Unit, WorkersGone, work

POLL = 0.5
"""Seconds between two looks at whether the executor is still there."""

Share = Callable[[bytes], object]
"""Brings the program to where tasks run: what it returns is given to them, as these bytes."""

Trouble = Callable[[], str | None]
"""Why no task will ever be finished; None while all is well."""


class ExecutorWorkers:
    """Implements `Workers`; `capacity` tasks are handed out at the same time."""

    def __init__(
        self,
        executor: Executor,
        job: Job,
        capacity: int,
        share: Share = lambda data: data,
        trouble: Trouble = lambda: None,
    ) -> None:
        self._executor = executor
        self._files = Files(job.program)
        self._capacity = capacity
        self._trouble = trouble
        self._shared = share(pickle.dumps(job, protocol=pickle.HIGHEST_PROTOCOL))
        self._running: dict[Future[bytes], str] = {}

    @property
    def free(self) -> int:
        return self._capacity - len(self._running)

    def submit(self, unit: Unit) -> None:
        try:
            future = self._executor.submit(verify_unit, self._shared, unit, fingerprint())
        except RuntimeError as error:  # it is shut down
            raise WorkersGone(str(error)) from error
        self._running[future] = unit.member

    def collect(self, patience: float | None) -> list[Arrival]:
        until = None if patience is None else time.monotonic() + patience
        while True:
            left = POLL if until is None else min(POLL, max(0.0, until - time.monotonic()))
            done, _ = wait(self._running, left, FIRST_COMPLETED)
            if done:
                return [self._arrival(future) for future in done]
            reason = self._trouble()
            if reason is not None:
                raise WorkersGone(reason)
            if until is not None and time.monotonic() >= until:
                return []

    def abandon(self) -> list[str]:
        members = list(self._running.values())
        for future in self._running:
            future.cancel()
        self._running.clear()
        return members

    def close(self) -> None:
        self.abandon()

    def _arrival(self, future: Future[bytes]) -> Arrival:
        member = self._running.pop(future)
        try:
            reply = from_bytes(future.result(), self._files)
        except CancelledError as error:
            self._running[future] = member
            raise WorkersGone(self._trouble() or "its tasks were cancelled") from error
        except OtherVersion as error:
            self._running[future] = member
            raise WorkersGone(str(error)) from error
        except Exception as error:  # whatever an executor raises when a worker is lost
            return Arrival(member, Lost(f"no worker could verify it: {error}"))
        assert isinstance(reply, Reply)
        return Arrival(member, reply)


class OtherVersion(Exception):
    """A worker would give the answers of another version."""


_sites: dict[str, tuple[Job, Site]] = {}
_one_at_a_time = Lock()
_KEPT = 4


def verify_unit(data: object, unit: Unit, expected: str) -> bytes:
    """In a worker, wherever it is. What is made for a program is kept for its next members."""
    if fingerprint() != expected:
        raise OtherVersion("a worker has another version of pitviper or of its solver")
    assert isinstance(data, bytes)
    with _one_at_a_time:
        return run_deep(lambda: _verify(data, unit))


def _verify(data: bytes, unit: Unit) -> bytes:
    digest = blake2b(data).hexdigest()
    found = _sites.pop(digest, None)
    if found is None:
        job = pickle.loads(data)
        assert isinstance(job, Job)
        found = job, Site(job, Sessions(job.limit))
    _sites[digest] = found
    while len(_sites) > _KEPT:
        del _sites[next(iter(_sites))]
    job, site = found
    return to_bytes(work(site, job, unit))
