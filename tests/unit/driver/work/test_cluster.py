"""A real Dask scheduler on this machine: workers die, the scheduler dies, the answers stay."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from pitviper.driver.verify.options import RunOptions, VerifyOptions
from pitviper.driver.verify.verification import Unwatched
from pitviper.driver.verify.verify import ProgramOutcome, open_verifier
from pitviper.driver.work import executor as executor_workers
from pitviper.results.verdict import MemberOutcome

pytest.importorskip("distributed", reason="needs Dask: pip install 'pitviper[cluster]'")

METHOD = """
method m{n}(s: Seq[Int], k: Int) returns (r: Int)
  requires |s| > {n} && k >= {n}
  ensures r >= {n}
{{
  var t: Seq[Int] := s ++ Seq(k, k + 1)
  assert inc(|s|) == |t| - 1
  assert t[|s|] == k
  assert forall i: Int :: 0 <= i && i < |s| ==> t[i] == s[i]
  r := inc(k) - 1
  assert r > {n}
}}
"""
PROGRAM = "function inc(n: Int): Int { one() + n }\nfunction one(): Int { 1 }\n" + "".join(
    METHOD.format(n=n) for n in range(16)
)


class Cluster:
    """A scheduler and two workers, as processes of their own."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "scheduler.json"
        self._folder = folder
        self.scheduler = self._start("dask_scheduler", "--port", "0", "--no-dashboard")
        self._wait_for(self._address)
        self.workers = [self._start("dask_worker", "--nthreads", "1", "--no-nanny") for _ in "12"]
        self.address = self._address()
        self._wait_for(self._is_complete)

    def _address(self) -> str:
        """Where the scheduler listens; empty as long as it has not told."""
        try:
            return str(json.loads(self._file.read_text())["address"])
        except (FileNotFoundError, json.JSONDecodeError):
            return ""

    def _start(self, module: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.{module}", *arguments]
        command += ["--scheduler-file", str(self._file)]
        if module == "dask_worker":
            command += ["--local-directory", str(self._folder), "--no-dashboard"]
        return subprocess.Popen(
            command,
            cwd=self._folder,
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(Path.cwd()), *sys.path])},
        )

    def _is_complete(self) -> bool:
        from distributed import Client

        with Client(self.address, timeout=300, set_as_default=False) as client:
            return len(client.nthreads()) == 2

    def _wait_for(self, condition: object) -> None:
        assert callable(condition)
        deadline = time.monotonic() + 300
        while not condition():
            assert time.monotonic() < deadline, "the cluster did not start"
            time.sleep(0.2)

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    monkeypatch.setattr(executor_workers, "CONNECT", 300.0)
    found = Cluster(tmp_path)
    yield found
    found.close()


class KillsAfter(Unwatched):
    """Kills a process when the third member is done."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._done = 0

    def finished(self, outcome: MemberOutcome) -> None:
        self._done += 1
        if self._done == 3:
            self._process.send_signal(signal.SIGKILL)


def verify(how: RunOptions, watch: Unwatched | None = None) -> tuple[ProgramOutcome, list[str]]:
    with open_verifier(VerifyOptions(), watch=watch, how=how) as verifier:
        done = verifier.verify(verifier.read_text(PROGRAM, "many.vpr"))
        return done, list(verifier.problems)


def told(done: ProgramOutcome) -> list[str]:
    return [repr(replace(member, seconds=0.0)) for member in done.members.values()]


def test_a_worker_is_killed_in_the_middle_and_then_the_scheduler(cluster: Cluster) -> None:
    here, _ = verify(RunOptions())
    assert here.verdict.value == "refuted"

    done, problems = verify(
        RunOptions(jobs=1, cluster=cluster.address), KillsAfter(cluster.workers[0])
    )
    assert cluster.workers[0].wait() == -signal.SIGKILL
    assert problems == []
    assert told(done) == told(here)

    done, problems = verify(
        RunOptions(jobs=1, cluster=cluster.address), KillsAfter(cluster.scheduler)
    )
    assert told(done) == told(here)
    assert len(problems) == 1
    assert "going on here" in problems[0]


def test_a_cluster_that_cannot_be_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    from pitviper.driver.work import executor as cluster

    monkeypatch.setattr(cluster, "CONNECT", 0.5)
    for address in ("tcp://127.0.0.1:1", "nonsense://"):
        done, (problem,) = verify(RunOptions(cluster=address))
        assert done.verdict.value == "refuted"
        assert address in problem
        assert "cannot be reached" in problem


def test_workers_of_another_version_are_not_asked() -> None:
    with pytest.raises(executor_workers.OtherVersion):
        executor_workers.verify_units(b"", [executor_workers.Unit("m")], "another")


def test_any_executor_will_do() -> None:
    from pitviper.driver.front.frontend import load_text
    from pitviper.driver.verify.member_verifier import Job
    from pitviper.plugins.pipeline import apply_plugins

    options = VerifyOptions()
    program = load_text("method m() { assert false }").program
    assert program is not None
    encoded = apply_plugins(program).program
    job = Job(encoded, options.engine, options.limit)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        workers = executor_workers.ExecutorWorkers(executor, job, 1)
        workers.submit(executor_workers.Unit("m"))
        (arrival,) = workers.collect(300.0)
    assert isinstance(arrival.reply, executor_workers.Reply)
    (finding,) = arrival.reply.answer.findings
    assert finding.span.file is program.methods["m"].span.file


class Refuses(Executor):
    """Runs tasks at once, but fails those with the member `m3` and something else."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        names = [unit.member for unit in args[1]]
        self.sizes.append(len(names))
        if "m3" in names:
            future.set_exception(RuntimeError("a worker was lost"))
        else:
            future.set_result(fn(*args))
        return future


def test_short_members_share_a_task_and_are_lost_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    from pitviper.driver.front.frontend import load_text
    from pitviper.driver.verify.member_verifier import Job
    from pitviper.driver.work.protocol import Lost
    from pitviper.plugins.pipeline import apply_plugins

    monkeypatch.setattr(executor_workers, "WORTH", 100.0)
    options = VerifyOptions()
    text = "".join(f"method m{n}() {{ assert {n} > 0 }}\n" for n in range(40))
    program = load_text(text).program
    assert program is not None
    job = Job(apply_plugins(program).program, options.engine, options.limit)
    executor = Refuses()
    workers = executor_workers.ExecutorWorkers(executor, job, 1)
    for n in range(40):
        workers.submit(executor_workers.Unit(f"m{n}"))
    arrived: dict[str, object] = {}
    while len(arrived) < 40:
        arrived |= {arrival.member: arrival.reply for arrival in workers.collect(300.0)}
    assert [name for name, reply in arrived.items() if isinstance(reply, Lost)] == ["m3"]
    assert max(executor.sizes) > 4
    assert len(executor.sizes) < 40
    assert workers.abandon() == []
