"""A solver that does not heed an interrupt: time limits hold, and nothing is claimed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import pitviper
from pitviper.base.deep_stack import Late, is_work_left_behind, run_deep
from pitviper.driver.counterexample.search import CounterexampleOptions, counterexamples
from pitviper.driver.debug.debugging import open_debugger
from pitviper.driver.explore.explore import explore_file
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.front.frontend import load
from pitviper.driver.verify.options import RunOptions, VerifyOptions
from pitviper.driver.verify.verify import open_verifier
from pitviper.driver.wizard.wizard import run_wizard
from pitviper.driver.work.stop import Stop
from pitviper.results.exploration import TIME_IS_OVER, Claim
from pitviper.results.verdict import Verdict
from pitviper.solver.z3 import solver as z3_solver

PROGRAM = """\
field f: Int
method wrong(x: Ref) requires acc(x.f) { assert x.f * x.f > 0 }
method m(x: Ref) requires acc(x.f) { if (x.f * x.f > 2) { x.f := 0 } assert x.f * x.f <= 2 }
"""

SHORT = VerifyOptions(timeout=0.5)
OVER = "the time for the run is over (0.5 s)"
LONG = 120.0
"""Seconds after which a test gives up: a question takes as long as nobody has ended the test."""


class Deaf:
    """Takes part in every check of the solver: it does not end before the test does."""

    def __init__(self) -> None:
        self.released = threading.Event()
        self.ended = 0

    def check(self, solver: z3_solver.Z3Solver, limit: int) -> int:
        self.released.wait(LONG)
        self.ended += 1
        return z3_solver.UNKNOWN


@pytest.fixture
def deaf(monkeypatch: pytest.MonkeyPatch) -> Iterator[Deaf]:
    made = Deaf()
    monkeypatch.setattr(z3_solver.Z3Solver, "check", lambda *args: made.check(*args))
    yield made
    made.released.set()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "program.vpr"
    file.write_text(PROGRAM)
    return file


def test_verification_in_this_process(deaf: Deaf) -> None:
    done = pitviper.verify(PROGRAM, options=SHORT)
    assert not deaf.ended
    assert done.verdict is Verdict.UNDECIDED
    assert {u.message for m in done.members.values() for u in m.undecided} == {OVER}


def test_verification_in_workers(deaf: Deaf, path: Path) -> None:
    with open_verifier(SHORT, how=RunOptions(jobs=2)) as verifier:
        done = verifier.verify(verifier.read(path))
    assert done.verdict is Verdict.UNDECIDED
    assert {u.message for m in done.members.values() for u in m.undecided} == {OVER}


def test_counterexamples(deaf: Deaf, path: Path) -> None:
    answered = counterexamples(path, CounterexampleOptions(), SHORT)
    assert not deaf.ended
    assert answered.stopped == OVER
    assert answered.results == ()


@pytest.mark.parametrize("backend", ["symbolic", "vcg"])
def test_the_debugger(deaf: Deaf, path: Path, backend: str) -> None:
    session = open_debugger(path, VerifyOptions(timeout=0.5, backend=backend))
    assert not deaf.ended
    assert session.late == (f"not all members were verified: {OVER}",)
    assert not session.crashed


def test_exploration_as_a_whole(deaf: Deaf, path: Path) -> None:
    _, done = explore_file(path, ExploreOptions(workers=1), Stop(0.5))
    assert done is not None
    assert done.claim is Claim.OPEN
    told = [*[why for _, why in done.skipped], *[why for m in done.methods for why in m.open]]
    assert any(TIME_IS_OVER in why for why in told)


def test_the_wizard(deaf: Deaf, path: Path) -> None:
    report = run_wizard(load(path), ExploreOptions(workers=1), SHORT)
    assert not deaf.ended
    assert report.late
    assert report.undecided == (("wrong", OVER), ("m", OVER))


def test_a_function_that_is_late_is_left_alone() -> None:
    released = threading.Event()
    with pytest.raises(Late):
        run_deep(lambda: released.wait(LONG), until=0.0)
    released.set()
    assert is_work_left_behind()
