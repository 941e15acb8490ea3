"""Workers behind any `concurrent.futures.Executor`: the members of a program as its tasks."""

from __future__ import annotations

import logging
import pickle
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from pitviper.base.deep_stack import run_deep
from pitviper.base.digest import blake2b
from pitviper.base.usage_error import UsageError
from pitviper.driver.cache.stamp import PACKAGE
from pitviper.driver.verify.member_verifier import Job, MemberVerifier
from pitviper.driver.verify.sessions import Sessions
from pitviper.driver.work.process import load_solver
from pitviper.driver.work.protocol import Arrival, Lost, Reply, Unit, WorkersGone, work
from pitviper.driver.work.transport import Files, from_bytes, to_bytes

if TYPE_CHECKING:
    from distributed import Client


POLL = 0.5
"""Seconds between two looks at whether the executor is still there."""

WORTH = 0.2
"""Seconds of work that make the cost of a task small."""

MOST = 16
"""Members in one task."""

Share = Callable[[bytes], object]
"""Brings the program to where tasks run: what it returns is given to them, as these bytes."""

Trouble = Callable[[], str | None]
"""Why no task will ever be finished; None while all is well."""


class ExecutorWorkers:
    """Implements `Workers`; `capacity` tasks run at the same time.

    NOTE(batches). Handing out a task costs milliseconds. Where members take less than that is
    worth, several go into a task: as many as have lately taken `WORTH` seconds, and fewer towards
    the end, so that no worker is left without work. A task that fails is tried again in parts.
    """

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
        self._waiting: deque[Unit] = deque()
        self._running: dict[Future[list[bytes]], tuple[Unit, ...]] = {}
        self._failed: set[str] = set()
        self._usual = WORTH
        self.tasks = 0

    @property
    def free(self) -> int:
        return 2 * MOST * self._capacity - len(self._units())

    def submit(self, unit: Unit) -> None:
        self._waiting.append(unit)

    def collect(self, patience: float | None) -> list[Arrival]:
        until = None if patience is None else time.monotonic() + patience
        while True:
            self._send()
            left = POLL if until is None else min(POLL, max(0.0, until - time.monotonic()))
            done, _ = wait(self._running, left, FIRST_COMPLETED)
            found = [arrival for future in done for arrival in self._arrivals(future)]
            if found:
                return found
            reason = None if done else self._trouble()
            if reason is not None:
                raise WorkersGone(reason)
            if until is not None and time.monotonic() >= until:
                return []

    def abandon(self) -> list[str]:
        members = [unit.member for unit in self._units()]
        for future in self._running:
            future.cancel()
        self._running.clear()
        self._waiting.clear()
        return members

    def close(self) -> None:
        self.abandon()

    def _units(self) -> list[Unit]:
        return [*self._waiting, *[unit for units in self._running.values() for unit in units]]

    def _send(self) -> None:
        while self._waiting and len(self._running) < self._capacity:
            units = self._batch()
            try:
                future = self._executor.submit(verify_units, self._shared, units, fingerprint())
            except RuntimeError as error:  # it is shut down
                self._waiting.extendleft(units)
                raise WorkersGone(str(error)) from error
            self._running[future] = units
            self.tasks += 1

    def _batch(self) -> tuple[Unit, ...]:
        if self._waiting[0].member in self._failed:
            return (self._waiting.popleft(),)
        fair = len(self._waiting) // (2 * self._capacity)
        size = max(1, min(int(WORTH / max(self._usual, 1e-6)), fair, MOST))
        return tuple([self._waiting.popleft() for _ in range(size)])

    def _arrivals(self, future: Future[list[bytes]]) -> list[Arrival]:
        units = self._running[future]
        try:
            replies = [from_bytes(data, self._files) for data in future.result()]
        except CancelledError as error:
            raise WorkersGone(self._trouble() or "its tasks were cancelled") from error
        except OtherVersion as error:
            raise WorkersGone(str(error)) from error
        except Exception as error:  # whatever an executor raises when a worker is lost
            del self._running[future]
            return self._lost(units, error)
        del self._running[future]
        return [self._arrival(u, r) for u, r in zip(units, replies, strict=True)]

    def _arrival(self, unit: Unit, reply: object) -> Arrival:
        assert isinstance(reply, Reply)
        self._usual = 0.8 * self._usual + 0.2 * reply.answer.seconds
        return Arrival(unit.member, reply)

    def _lost(self, units: tuple[Unit, ...], error: Exception) -> list[Arrival]:
        if len(units) == 1:
            return [Arrival(units[0].member, Lost(f"no worker could verify it: {error}"))]
        self._failed.update([unit.member for unit in units])
        self._waiting.extendleft(units)
        return []


class OtherVersion(Exception):
    """A worker would give the answers of another version."""


_verifiers: dict[str, tuple[Job, MemberVerifier]] = {}
_one_at_a_time = Lock()
_KEPT = 4


def verify_units(data: object, units: Sequence[Unit], expected: str) -> list[bytes]:
    """In a worker, wherever it is. What is made for a program is kept for its next members."""
    if fingerprint() != expected:
        raise OtherVersion("a worker has another version of pitviper or of its solver")
    assert isinstance(data, bytes)
    with _one_at_a_time:
        return run_deep(lambda: _verify(data, units))


def _verify(data: bytes, units: Sequence[Unit]) -> list[bytes]:
    digest = blake2b(data).hexdigest()
    found = _verifiers.pop(digest, None)
    if found is None:
        job = pickle.loads(data)
        assert isinstance(job, Job)
        found = job, MemberVerifier(job, Sessions(job.limit))
    _verifiers[digest] = found
    while len(_verifiers) > _KEPT:
        del _verifiers[next(iter(_verifiers))]
    job, verifier = found
    return [to_bytes(work(verifier, job, unit)) for unit in units]


@cache
def fingerprint() -> str:
    """Of our own sources, whenever and wherever they were installed, and of the solver."""
    digest = blake2b(load_solver().encode(), digest_size=16)
    for path in sorted(Path(PACKAGE).rglob("*")):
        if path.suffix in (".py", ".vpr"):
            digest.update(str(path.relative_to(PACKAGE)).encode())
            digest.update(blake2b(path.read_bytes()).digest())
    return digest.hexdigest()


CONNECT = 5.0
"""Seconds to reach the scheduler."""

LOST = 3.0
"""Seconds without a connection, or without any worker, after which nobody is waited for."""

AHEAD = 2
"""Tasks handed out for each thread of the cluster: one runs, one is on its way."""


@contextmanager
def cluster_workers(address: str, job: Job) -> Iterator[ExecutorWorkers]:
    """Workers as long as the cluster lives; WorkersGone if it cannot be reached."""
    client = _connect(address)
    try:
        threads = sum(client.nthreads().values())
        if not threads:
            raise WorkersGone("it has no workers")
        executor = client.get_executor(pure=False)
        health = _Health(client)
        yield ExecutorWorkers(
            executor,
            job,
            AHEAD * threads,
            share=lambda data: client.submit(_kept, data),
            trouble=health.trouble,
        )
    finally:
        client.close(timeout=1.0)


def _kept(data: bytes) -> bytes:
    """A task of its own: where a worker dies that has the program, another one gets it."""
    return data


def _connect(address: str) -> Client:
    try:
        from distributed import Client
    except ImportError as error:
        raise UsageError("--cluster needs Dask: pip install 'pitviper[cluster]'") from error
    for name in ("distributed", "distributed.client", "distributed.core"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters is told by the runner
    try:
        return Client(address, timeout=CONNECT, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise WorkersGone(f"it cannot be reached ({_brief(error)})") from error


def _brief(error: Exception) -> str:
    return str(error).split("\n")[0] or type(error).__name__


class _Health:
    """Notices when the scheduler or the last worker has gone for good."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._bad_since: float | None = None

    def trouble(self) -> str | None:
        reason = self._reason()
        if reason is None:
            self._bad_since = None
            return None
        now = time.monotonic()
        if self._bad_since is None:
            self._bad_since = now
        return reason if now - self._bad_since >= LOST else None

    def _reason(self) -> str | None:
        if self._client.status != "running":
            return "its scheduler has gone"
        try:
            return None if self._client.nthreads() else "its workers have gone"
        except (OSError, TimeoutError):
            return "its scheduler does not answer"
