"""Worker processes on this machine: one that dies or is killed costs the member it works on."""

from __future__ import annotations

import pickle
import select
import time

from pitviper.base.record import record
from pitviper.driver.verify.sessions import Sessions
from pitviper.driver.verify.site import Job, Site
from pitviper.driver.work.process import Gone, LocalProcess, Serve
from pitviper.driver.work.protocol import Arrival, Lost, Reply, Unit, work
from pitviper.driver.work.transport import Files, from_bytes, to_bytes

MEMORY_CHECK = 0.25
"""Seconds between two looks at the memory of workers, where it is limited."""


@record
class LocalLimits:
    """`memory` is what one worker may use, in bytes."""

    jobs: int = 1
    memory: int | None = None


class LocalWorkers:
    """Implements `Workers`. Processes are made when there is work for them.

    A `site` that this process has used, without an open session, is theirs from the start.
    """

    def __init__(self, job: Job, limits: LocalLimits, site: Site | None = None) -> None:
        self._job = job
        self._site = site
        self._limits = limits
        self._files = Files(job.program)
        self._idle: list[LocalProcess] = []
        self._busy: dict[LocalProcess, str] = {}

    @property
    def free(self) -> int:
        return self._limits.jobs - len(self._busy)

    def submit(self, unit: Unit) -> None:
        message = pickle.dumps(unit)
        while True:
            process = self._idle.pop() if self._idle else self._hire()
            try:
                process.send(message)
            except Gone:  # it died while it had nothing to do
                process.death()
                continue
            self._busy[process] = unit.member
            return

    def collect(self, patience: float | None) -> list[Arrival]:
        until = None if patience is None else time.monotonic() + patience
        while True:
            found = self._arrived(self._pause(until))
            if found or (until is not None and time.monotonic() >= until):
                return found

    def abandon(self) -> list[str]:
        members = list(self._busy.values())
        for process in self._busy:
            process.end()
        self._busy.clear()
        return members

    def close(self) -> None:
        self.abandon()
        for process in self._idle:
            process.end()
        self._idle.clear()

    def _hire(self) -> LocalProcess:
        job, site = self._job, self._site
        return LocalProcess(lambda: _prepare(job, site), [*self._idle, *self._busy])

    def _pause(self, until: float | None) -> float | None:
        """How long to wait for a message before looking at something else."""
        left = None if until is None else max(0.0, until - time.monotonic())
        if self._limits.memory is None:
            return left
        return MEMORY_CHECK if left is None else min(left, MEMORY_CHECK)

    def _arrived(self, pause: float | None) -> list[Arrival]:
        by_inbox = {process.inbox: process for process in self._busy}
        readable, _, _ = select.select(list(by_inbox), [], [], pause)
        found = [self._receive(by_inbox[inbox]) for inbox in readable]
        return found + self._too_large()

    def _receive(self, process: LocalProcess) -> Arrival:
        member = self._busy.pop(process)
        try:
            reply = from_bytes(process.receive(), self._files)
        except Gone:
            return Arrival(member, Lost(f"its worker process ended with {process.death()}"))
        assert isinstance(reply, Reply)
        self._idle.append(process)
        return Arrival(member, reply)

    def _too_large(self) -> list[Arrival]:
        limit = self._limits.memory
        if limit is None:
            return []
        large = [process for process in self._busy if process.memory() > limit]
        for process in large:
            process.end()
        why = Lost(f"it needs more memory than {0 if limit is None else limit >> 20} MB")
        return [Arrival(self._busy.pop(process), why) for process in large]


def _prepare(job: Job, inherited: Site | None) -> Serve:
    """In the worker: what is made once for all members."""
    site = inherited or Site(job, Sessions(job.limit))

    def serve(message: bytes) -> bytes:
        unit = pickle.loads(message)
        assert isinstance(unit, Unit)
        return to_bytes(work(site, job, unit))

    return serve
