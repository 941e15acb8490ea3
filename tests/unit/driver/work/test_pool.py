"""The pool of worker processes: what is heard, what a death costs, when nobody can answer."""

from __future__ import annotations

import faulthandler
import mmap
import os
import signal
import time
from collections.abc import Iterator

import pytest

from pitviper.driver.verify import runner
from pitviper.driver.verify.options import RunOptions, VerifyOptions
from pitviper.driver.verify.plan import Plan
from pitviper.driver.verify.verify import open_verifier
from pitviper.driver.work import pool as pool_module
from pitviper.driver.work.pool import (
    Cause,
    Death,
    Event,
    Heard,
    Pool,
    Serve,
    WorkerLimits,
    answering,
)
from pitviper.driver.work.process import NothingRuns, read_message, write_message


@pytest.fixture
def pools() -> Iterator[list[Pool[str]]]:
    """Those that a test makes end with it."""
    made: list[Pool[str]] = []
    yield made
    for pool in made:
        pool.close()


def only(pool: Pool[str]) -> Event[str]:
    (event,) = pool.collect(300.0)
    return event


def sleeping(message: bytes) -> bytes:
    """With some memory of its own: new pages, not those that the parent has freed."""
    kept = mmap.mmap(-1, 8 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    kept.write(b"x" * len(kept))
    time.sleep(600)
    return message + kept[:]


def test_a_worker_that_rests_gets_the_next_task(pools: list[Pool[str]]) -> None:
    pools.append(pool := Pool(WorkerLimits()))
    life = answering(lambda: lambda message: message[::-1])
    pool.assign(life, "first", b"abc")
    first = only(pool)
    assert isinstance(first, Heard)
    assert (first.task, first.data) == ("first", b"cba")
    pool.rest(first.worker)
    pool.assign(life, "second", b"de")
    second = only(pool)
    assert isinstance(second, Heard)
    assert second.worker is first.worker
    assert second.data == b"ed"


def test_one_that_died_at_rest_costs_no_task(pools: list[Pool[str]]) -> None:
    pools.append(pool := Pool(WorkerLimits()))
    life = answering(lambda: lambda message: message)
    dead = pool.hire(life)
    os.kill(dead.process.pid, signal.SIGKILL)
    os.waitid(os.P_PID, dead.process.pid, os.WEXITED | os.WNOWAIT)
    pool.assign(life, "task", b"x")
    assert isinstance(only(pool), Heard)
    assert dead not in pool.workers


def test_a_death_says_which_task_it_cost(pools: list[Pool[str]]) -> None:
    pools.append(pool := Pool(WorkerLimits()))
    pool.assign(lambda inbox, outbox: os._exit(7), "lost", b"")
    event = only(pool)
    assert isinstance(event, Death)
    assert (event.task, event.cause, event.how) == ("lost", Cause.ENDED, "exit code 7")
    assert pool.workers == []


@pytest.mark.parametrize(
    ("limits", "cause", "how"),
    [
        (WorkerLimits(seconds=0.1), Cause.LATE, "no answer after 0.1 s"),
        (WorkerLimits(silence=0.1), Cause.SILENT, "no word for 0.1 s"),
        (WorkerLimits(memory=1 << 20), Cause.LARGE, "it needs more memory than 1 MB"),
    ],
)
def test_a_limit_ends_a_worker(
    pools: list[Pool[str]], limits: WorkerLimits, cause: Cause, how: str
) -> None:
    pools.append(pool := Pool(limits))
    pool.assign(answering(lambda: sleeping), "hangs", b"")
    event = only(pool)
    assert isinstance(event, Death)
    assert (event.task, event.cause, event.how) == ("hangs", cause, how)


def test_what_a_worker_inherits_is_not_its_own(
    pools: list[Pool[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Workers of a large process were ended at their birth."""

    def life(inbox: int, outbox: int) -> None:
        read_message(inbox)
        write_message(outbox, read_message(inbox))

    monkeypatch.setattr(pool_module, "MEMORY_CHECK", 0.0)
    kept = bytearray(b"x") * (200 << 20)
    pools.append(pool := Pool(WorkerLimits(memory=100 << 20)))
    worker = pool.hire(life)
    pool.give(worker, "modest", b"begin")
    assert pool.collect(0.0) == []
    assert worker.process.memory() < 100 << 20 < len(kept)
    pool.tell(worker, b"end")
    assert isinstance(only(pool), Heard)


def test_a_worker_hears_messages_in_the_middle_of_its_task(pools: list[Pool[str]]) -> None:
    def life(inbox: int, outbox: int) -> None:
        write_message(outbox, read_message(inbox))
        write_message(outbox, read_message(inbox))

    pools.append(pool := Pool(WorkerLimits()))
    worker = pool.hire(life)
    pool.give(worker, "task", b"begin")
    pool.tell(worker, b"more")
    said = [event.data for _ in range(2) if isinstance(event := only(pool), Heard)]
    assert said == [b"begin", b"more"]
    assert isinstance(only(pool), Death)


def test_a_wait_without_an_end_is_an_error() -> None:
    pool: Pool[str] = Pool(WorkerLimits())
    with pytest.raises(NothingRuns):
        pool.collect(None)
    assert pool.collect(0.0) == []


@pytest.mark.parametrize("timeout", [None, 600.0])
def test_members_of_which_none_can_start_are_an_error(
    monkeypatch: pytest.MonkeyPatch, timeout: float | None
) -> None:
    monkeypatch.setattr(runner, "INLINE", -1.0)
    monkeypatch.setattr(Plan, "next_ready", lambda plan: None)
    with open_verifier(VerifyOptions(timeout=timeout), how=RunOptions(jobs=2)) as verifier:
        front = verifier.read_text("method a() {}  method b() {}", "two.vpr")
        with pytest.raises(NothingRuns, match="none of these members can start: a, b"):
            verifier.verify(front)


def refused(message: bytes) -> bytes:
    raise MemoryError


def aborted(message: bytes) -> bytes:
    """What Z3 does where it gets no more memory in the middle of a step back."""
    kept = bytearray(b"x") * (40 << 20)
    os.write(2, b"ASSERTION VIOLATION\n")
    faulthandler.disable()  # of pytest, which would write a trace
    del message, kept
    os.abort()


@pytest.mark.parametrize("end", [refused, aborted])
def test_a_worker_that_gets_no_memory_is_too_large(
    pools: list[Pool[str]], end: Serve, capfd: pytest.CaptureFixture[str]
) -> None:
    pools.append(pool := Pool(WorkerLimits(memory=64 << 20)))
    pool.assign(answering(lambda: end), "hungry", b"")
    event = only(pool)
    assert isinstance(event, Death)
    assert event.cause is Cause.LARGE
    assert event.how.startswith("it needs more memory than")
    assert capfd.readouterr().err == ""


def test_a_crash_of_a_small_worker_is_a_crash(pools: list[Pool[str]]) -> None:
    """However large its parent is."""
    kept = bytearray(b"x") * (300 << 20)
    pools.append(pool := Pool(WorkerLimits(memory=len(kept))))
    pool.assign(answering(lambda: aborted), "small", b"")
    event = only(pool)
    assert isinstance(event, Death)
    assert (event.cause, event.how) == (Cause.ENDED, "signal SIGABRT")
