"""Members are verified in processes of this machine: the pool as the runner sees it."""

from __future__ import annotations

import pickle

from pitviper.base.memory import limit_growth
from pitviper.base.record import record
from pitviper.driver.verify.member_verifier import Job, MemberVerifier
from pitviper.driver.verify.sessions import Sessions
from pitviper.driver.work.pool import Cause, Event, Heard, Pool, Serve, WorkerLimits, answering
from pitviper.driver.work.protocol import Arrival, Lost, Reply, Unit, work
from pitviper.driver.work.transport import Files, from_bytes, to_bytes
from pitviper.solver.z3.library import limit_with_solver


@record
class LocalLimits:
    """`memory` is what one worker may use, in bytes."""

    jobs: int = 1
    memory: int | None = None


class LocalWorkers:
    """Implements `Workers`. Processes are made when there is work for them.

    A `verifier` that this process has used, without an open session, is theirs from the start.
    """

    def __init__(
        self, job: Job, limits: LocalLimits, verifier: MemberVerifier | None = None
    ) -> None:
        self._jobs = limits.jobs
        self._files = Files(job.program)
        self._life = answering(lambda: _prepare(job, limits, verifier))
        self._pool: Pool[str] = Pool(WorkerLimits(memory=limits.memory))

    @property
    def free(self) -> int:
        return self._jobs - len(self._pool.busy)

    def submit(self, unit: Unit) -> None:
        self._pool.assign(self._life, unit.member, pickle.dumps(unit))

    def collect(self, patience: float | None) -> list[Arrival]:
        return [self._arrival(event) for event in self._pool.collect(patience)]

    def abandon(self) -> list[str]:
        busy = self._pool.busy
        for worker in busy:
            self._pool.dismiss(worker)
        return [worker.task for worker in busy if worker.task is not None]

    def close(self) -> None:
        self._pool.close()

    def _arrival(self, event: Event[str]) -> Arrival:
        if isinstance(event, Heard):
            self._pool.rest(event.worker)
            reply = from_bytes(event.data, self._files)
            assert isinstance(reply, Reply)
            return Arrival(event.task, reply)
        ended = "its worker process ended with " if event.cause is Cause.ENDED else ""
        return Arrival(event.task, Lost(f"{ended}{event.how}"))


def _prepare(job: Job, limits: LocalLimits, inherited: MemberVerifier | None) -> Serve:
    """In the worker: what is made once for all members."""
    if limits.memory is not None:
        limit_growth(limits.memory)
        limit_with_solver(max(1, limits.memory >> 20))
    verifier = inherited or MemberVerifier(job, Sessions(job.limit))

    def serve(message: bytes) -> bytes:
        unit = pickle.loads(message)
        assert isinstance(unit, Unit)
        return to_bytes(work(verifier, job, unit))

    return serve
