"""Workers on this machine: what they lose, how they end, and that nothing of them stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from pitviper.driver.verify import member_verifier as engine
from pitviper.driver.verify import runner
from pitviper.driver.verify.options import RunOptions, VerifyOptions
from pitviper.driver.verify.verification import Unwatched
from pitviper.driver.verify.verify import ProgramOutcome, open_verifier
from pitviper.driver.work.local import LocalWorkers
from pitviper.driver.work.pool import Serve, answering
from pitviper.driver.work.process import ChildProcess, Gone
from pitviper.driver.work.protocol import Unit
from pitviper.results.verdict import MemberAnswer
from pitviper.solver.z3.library import Z3Context, library
from tests.unit.driver.verify.test_verify import ENDLESS, pigeons
from tests.unit.servers import rough

SMALL = """
field f: Int
function inc(n: Int): Int { one() + n }
function one(): Int { 1 }
predicate cell(x: Ref) { acc(x.f) && x.f > inc(0) }
method first(x: Ref) requires cell(x) { unfold cell(x)  assert x.f > 1 }
method second() { assert inc(1) == 3 }
method third() { refute inc(2) == 4  assert inc(2) == 3 }
method fourth(n: Int) decreases n { fourth(n) }
"""
TWO = RunOptions(jobs=2)
LONG = 600.0
"""Seconds that nothing here takes on any machine."""


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers do everything."""
    monkeypatch.setattr(runner, "INLINE", -1.0)


def verify(
    text: str, how: RunOptions, options: VerifyOptions | None = None, watch: Unwatched | None = None
) -> ProgramOutcome:
    with open_verifier(options or VerifyOptions(), watch=watch, how=how) as verifier:
        return verifier.verify(verifier.read_text(text, "small.vpr"))


def told(done: ProgramOutcome) -> list[str]:
    return [repr(replace(member, seconds=0.0)) for member in done.members.values()]


def in_member(monkeypatch: pytest.MonkeyPatch, name: str, act: object) -> None:
    """Something happens when a member is verified; workers are forked, so it happens there."""
    assert callable(act)
    verify_here = engine.MemberVerifier.verify

    def acts(site: engine.MemberVerifier, member: str, sessions: object = None) -> MemberAnswer:
        if member == name:
            act()
        return verify_here(site, member, sessions)  # type: ignore[arg-type]

    monkeypatch.setattr(engine.MemberVerifier, "verify", acts)


def children(parent: int) -> set[int]:
    """The processes that one has started and that have not ended."""
    return {pid for pid in rough.children(parent) if rough.lives(pid)}


def eventually(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 300
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    return condition()


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_workers_give_the_answers_of_this_process(jobs: int) -> None:
    assert told(verify(SMALL, RunOptions(jobs=jobs))) == told(verify(SMALL, RunOptions()))


def test_places_are_in_the_files_of_this_process() -> None:
    with open_verifier(how=TWO) as verifier:
        front = verifier.read_text(SMALL, "small.vpr")
        done = verifier.verify(front)
    assert {finding.span.file for finding in done.findings} == {front.source}


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_worker_that_dies_costs_its_member(
    monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    in_member(monkeypatch, "second", lambda: os.kill(os.getpid(), number))
    done = verify(SMALL, TWO)
    verdicts = {name: member.verdict.value for name, member in done.members.items()}
    assert verdicts.pop("second") == "undecided"
    (point,) = done.members["second"].undecided
    assert point.message == f"its worker process ended with signal {number.name}"
    alone = verify(SMALL, RunOptions(jobs=2), VerifyOptions(select=tuple(verdicts)))
    assert verdicts == {name: m.verdict.value for name, m in alone.members.items()}


def test_a_function_that_is_lost_earns_no_definition(monkeypatch: pytest.MonkeyPatch) -> None:
    in_member(monkeypatch, "one", lambda: os._exit(7))
    done = verify(SMALL, TWO)
    assert done.members["one"].undecided[0].message.endswith("exit code 7")
    assert done.members["third"].verdict.value == "refuted"


def test_memory_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    def greedy() -> None:
        kept = bytearray(b"x") * (300 << 20)
        time.sleep(LONG)
        del kept

    in_member(monkeypatch, "second", greedy)
    done = verify(SMALL, RunOptions(jobs=2, memory=200 << 20))
    assert done.members["second"].undecided[0].message == "it needs more memory than 200 MB"
    assert done.members["first"].verdict.value == "verified"


def test_solvers_of_the_parent_do_not_count_for_its_workers() -> None:
    held = [Z3Context({}) for _ in range(8)]
    assert library().get_estimated_alloc_size() > 100 << 20
    done = verify(SMALL, RunOptions(jobs=2, memory=200 << 20))
    for context in held:
        context.close()
    assert {name: m.undecided for name, m in done.members.items() if m.undecided} == {}


def test_a_member_that_cannot_be_interrupted_is_killed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    woken = tmp_path / "woken"

    def sleep() -> None:
        time.sleep(LONG)
        woken.touch()

    monkeypatch.setattr(runner, "GRACE", 0.2)
    in_member(monkeypatch, "second", sleep)
    before = children(os.getpid())
    done = verify(SMALL, TWO, VerifyOptions(timeout=1.5))
    assert not woken.exists()
    assert done.members["second"].undecided[0].message == "the time for the run is over (1.5 s)"
    assert done.verdict.value == "undecided" or done.findings
    assert children(os.getpid()) <= before


def test_time_that_is_over_before_the_start() -> None:
    done = verify(SMALL, TWO, VerifyOptions(timeout=1e-9))
    assert {member.verdict.value for member in done.members.values()} == {"undecided"}


def test_nothing_is_left_when_a_watch_fails() -> None:
    class Fails(Unwatched):
        def finished(self, outcome: object) -> None:
            raise KeyboardInterrupt

    before = children(os.getpid())
    with pytest.raises(KeyboardInterrupt):
        verify(SMALL, TWO, watch=Fails())
    assert children(os.getpid()) <= before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_workers_do_not_outlive_the_command(tmp_path: Path, number: signal.Signals) -> None:
    (tmp_path / "hard.vpr").write_text(SMALL + pigeons())
    limits = ["--timeout", str(LONG), "--assertTimeout", str(ENDLESS)]
    process = subprocess.Popen(
        [sys.executable, "-m", "pitviper", "verify", "--jobs", "2", *limits, "hard.vpr"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert eventually(lambda: bool(children(process.pid)))
    workers = children(process.pid)
    process.send_signal(number)
    process.wait(timeout=300)
    assert eventually(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))


def test_a_process_answers_and_ends() -> None:
    def prepare() -> Serve:
        return lambda message: message[::-1]

    process = ChildProcess(answering(prepare))
    process.send(b"abc" * 100_000)
    assert process.receive() == b"cba" * 100_000
    assert process.memory() > 0
    assert process.end() == "signal SIGKILL"
    with pytest.raises(Gone):
        process.receive()


@pytest.mark.parametrize(
    ("left", "spent", "worth"),
    [(1000, 0.0, True), (900, 0.01, False), (900, 0.02, True), (100, 1.0, False), (100, 2.0, True)],
)
def test_workers_are_for_a_rest_that_takes_long(left: int, spent: float, worth: bool) -> None:
    """Of 1,000 characters; before anything is done, nothing is known about the rest."""
    assert runner.are_worth_workers(left, 1000, spent) is worth


def test_workers_take_over_when_the_rest_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = iter([False, False])
    monkeypatch.setattr(runner, "are_worth_workers", lambda *_: next(looks, True))
    given: list[str] = []
    submit = LocalWorkers.submit

    def told_of(workers: LocalWorkers, unit: Unit) -> None:
        given.append(unit.member)
        submit(workers, unit)

    monkeypatch.setattr(LocalWorkers, "submit", told_of)
    assert told(verify(SMALL, TWO)) == told(verify(SMALL, RunOptions()))
    assert {"one", "inc"}.isdisjoint(given)
    assert {"cell", "first", "second", "third"} <= {*given}
