"""Members verified by the workers of a Dask scheduler."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pitviper.base.usage_error import UsageError
from pitviper.driver.verify.member_verifier import Job
from pitviper.driver.work.executor import ExecutorWorkers
from pitviper.driver.work.protocol import WorkersGone

if TYPE_CHECKING:
    from distributed import Client

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
