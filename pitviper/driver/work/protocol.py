"""Who verifies members elsewhere: what the runner asks of a pool, a cluster or any executor."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from pitviper.base.record import record
from pitviper.driver.verify.member_verifier import Job, MemberVerifier
from pitviper.driver.verify.sessions import Sessions
from pitviper.results.verdict import MemberAnswer


@record
class Clock:
    """The time of a run: all of it, and what is left, in seconds."""

    whole: float
    left: float


@record
class Unit:
    """One member to verify, and what has to be known for it: see `MemberVerifier.learn`."""

    member: str
    known: tuple[tuple[str, str], ...] = ()
    clock: Clock | None = None


@record
class Reply:
    """What an engine says about the member, and what others may know about it from now on."""

    answer: MemberAnswer
    earned: str | None = None


@record
class Lost:
    """There will be no reply, and why."""

    reason: str


@record
class Arrival:
    member: str
    reply: Reply | Lost


class WorkersGone(Exception):
    """Nobody is left to work; what was handed out has no reply."""


class Workers(Protocol):
    """Verify members of one program somewhere."""

    @property
    def free(self) -> int:
        """How many more units can start at once."""
        ...

    def submit(self, unit: Unit) -> None: ...

    def collect(self, patience: float | None) -> Iterable[Arrival]:
        """Replies that have come, after waiting for one so many seconds; WorkersGone."""
        ...

    def abandon(self) -> Iterable[str]:
        """Stop all that is going on; the members that get no reply."""
        ...

    def close(self) -> None:
        """Nobody works afterwards."""
        ...


def work(verifier: MemberVerifier, job: Job, unit: Unit) -> Reply:
    """The work of one worker on one unit; its time ends by itself."""
    for name, earned in unit.known:
        verifier.learn(name, earned)
    clock = unit.clock
    whole, left = (None, None) if clock is None else (clock.whole, clock.left)
    with Sessions(job.limit, whole, left=left) as sessions:
        answer = verifier.verify(unit.member, sessions)
    return Reply(answer, verifier.earned(unit.member))
