"""Workers that crash, hang, need too much memory or have a bug cost a run; none outlives its host.

Workers are forked, so what a test changes in this process is changed in them.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pitviper.driver.explore import host as explore_host
from pitviper.driver.explore import worker
from pitviper.driver.explore.explore import Explorer
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.front.frontend import load_text
from pitviper.engines.explore.options import SearchOptions
from pitviper.engines.explore.report.summary import Summary
from pitviper.engines.explore.search.engine import Node, Search
from pitviper.engines.explore.search.frontier import Entry
from pitviper.results.exploration import Claim, MethodExploration
from tests.unit.driver.explore.test_workers import branches, explored

POISON = "0110"
"""The name of a path of `branches`."""

COUNT = 7


def poisoned(monkeypatch: pytest.MonkeyPatch, poison: Callable[[], None], name: str) -> None:
    """The path with this name, once it comes to be run, does something else."""
    step = Search.step

    def bad(self: Search, entry: Entry) -> Node:
        if entry.name == name:
            poison()
        return step(self, entry)

    monkeypatch.setattr(Search, "step", bad)


def kill_oneself() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def loop() -> None:
    while True:
        pass


def swell() -> None:
    parts = []
    while True:
        parts.append(bytearray(1 << 28))


def fail() -> None:
    raise KeyError("a bug")


def explored_with_killing(number: int, workers: int) -> MethodExploration:
    """A worker is killed when so many batches have come."""
    front = load_text(branches(COUNT + 2), "p.vpr")
    assert front.program is not None
    explorer = Explorer(front.program, "p.vpr", ExploreOptions(workers=workers))
    host = explore_host.Host(explorer)
    summary = Summary(explorer.code.model, "m")
    try:
        for seen, batch in enumerate(host.batches("m"), 1):
            summary.merge(batch.attempts, batch.tally)
            if seen == number:
                os.kill(host.processes[0], signal.SIGKILL)
        summary.left_open(host.left_open())
    finally:
        host.close()
    return summary.result(0.0)


@pytest.mark.parametrize(("number", "workers"), [(1, 1), (2, 2), (3, 2)])
def test_a_killed_worker_costs_one_run_and_the_report_says_so(
    monkeypatch: pytest.MonkeyPatch, number: int, workers: int
) -> None:
    monkeypatch.setattr(worker, "INTERVAL", 0.01)
    done = explored_with_killing(number, workers)

    assert done.counts["worker died"] == 1
    (lost,) = [run for run in done.runs if run.status == "worker died"]
    assert lost.detail.startswith("signal SIGKILL")
    assert done.claim is Claim.OPEN
    assert done.open == (f"worker died: {lost.detail}",)
    assert done.counts["passed"] == 2 ** (COUNT + 2)


@pytest.mark.parametrize("name", [POISON, ""])
def test_a_path_that_kills_workers_is_run_twice_and_then_left(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    poisoned(monkeypatch, kill_oneself, name)
    done = explored(branches(COUNT), ExploreOptions(workers=2))

    below = 2 ** (COUNT - len(name))
    assert done.counts["worker died"] == 2
    assert done.counts.get("passed", 0) == 2**COUNT - below
    assert "worker died: signal SIGKILL" in done.open


def test_a_run_that_never_ends_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    poisoned(monkeypatch, loop, POISON)
    monkeypatch.setattr(explore_host, "PATIENCE", 4.0)
    done = explored(branches(COUNT), ExploreOptions(workers=2))

    assert done.counts == {
        "passed": 2**COUNT - 2 ** (COUNT - len(POISON)),
        "worker was stopped": 2,
    }
    assert done.open == ("worker was stopped: no word for 4 s",)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_that_never_ends_does_not_prolong_the_time(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, workers: int
) -> None:
    """On a machine where no worker has begun in its time, more time is given."""
    begun = tmp_path / "begun"

    def begin() -> None:
        begun.touch()
        loop()

    poisoned(monkeypatch, begin, "")
    for seconds in (0.3, 3.0, 30.0, 300.0):
        search = SearchOptions(seconds=seconds)
        done = explored(branches(COUNT), ExploreOptions(search=search, workers=workers))
        if begun.exists():
            break

    assert begun.exists()
    assert not done.counts
    limit = f"the limit of the search was reached (--seconds {seconds:g}), 1 path is open"
    assert limit in done.open


def test_a_run_that_needs_too_much_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    poisoned(monkeypatch, swell, POISON)
    done = explored(branches(COUNT), ExploreOptions(workers=2, memory=2048))

    assert done.counts["worker died"] == 2
    assert done.open == ("worker died: out of memory (--memory 2048)",)
    assert done.counts["passed"] == 2**COUNT - 2 ** (COUNT - len(POISON))


def test_a_bug_in_a_worker_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    poisoned(monkeypatch, fail, POISON)
    done = explored(branches(COUNT), ExploreOptions(workers=1))

    assert done.open == ("worker died: KeyError: 'a bug'",)
    assert done.counts["worker died"] == 2
    assert done.counts["passed"] == 2**COUNT - 2 ** (COUNT - len(POISON))


def test_a_method_that_kills_every_worker_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explore_host, "MOST_DEATHS", 5)
    monkeypatch.setattr(worker.Worker, "_send", lambda self, batch: kill_oneself())
    done = explored(branches(COUNT), ExploreOptions(workers=1))

    assert done.counts == {"worker died": 5}
    assert "5 workers died" in done.open


def children(pid: int) -> set[int]:
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == pid and fields[0] != "Z":
            found.add(int(path.parent.name))
    return found


def eventually(holds: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.02)
    return False


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes in /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_worker_outlives_the_command(tmp_path: Path, number: signal.Signals) -> None:
    (tmp_path / "p.vpr").write_text(branches(30))
    options = ["--workers", "2", "--runs", "1000000", "--nodes", "1000000", "--seconds", "600"]
    process = subprocess.Popen(
        [sys.executable, "-m", "pitviper", "explore", *options, "p.vpr"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert eventually(lambda: len(children(process.pid)) == 2)
    workers = children(process.pid)
    process.send_signal(number)
    process.communicate(timeout=300)
    assert eventually(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))
