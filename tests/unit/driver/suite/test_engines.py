"""What the suite gets from the verifier."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.checking.options import CheckOptions
from pitviper.driver.suite.programs import SuiteOptions, check_engine, verify_engine
from pitviper.driver.verify import member_verifier
from pitviper.engines.shared.members import Member, MemberResult
from pitviper.engines.symbolic.verifier import Run
from pitviper.results.verdict import Undecided, Verdict


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.vpr"


def test_a_rejected_program_is_that_of_the_front_end(path: Path) -> None:
    path.write_text("method m() {\n assert x }")
    assert verify_engine(path, SuiteOptions()) == check_engine(path, SuiteOptions())


def test_findings_are_outputs(path: Path) -> None:
    path.write_text("method m() {\n assert false }")
    run = verify_engine(path, SuiteOptions())
    (output,) = run.outputs
    assert (output.id, output.line) == ("assert.failed:assertion.false", 2)
    assert output.place == "a.vpr@2.9--2.14"
    assert (run.verdict, run.undecided, run.crash) == (Verdict.REFUTED, "", "")
    assert run.members == {"m": Verdict.REFUTED}


def test_options_reach_the_plugins(path: Path) -> None:
    path.write_text("method m() { inhale false }")
    assert verify_engine(path, SuiteOptions()).outputs == ()
    smoke = SuiteOptions(CheckOptions(smoke_detection=True))
    ids = {output.id for output in verify_engine(path, smoke).outputs}
    assert ids == {"refute.failed:refutation.true"}


def test_what_is_undecided_and_what_crashed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_text("method m() { } method n() { }")

    def trouble(run: Run, member: Member) -> MemberResult:
        if member.name == "n":
            raise KeyError("our bug")
        return MemberResult("m", (), (Undecided(member.span, "hard"),), ())

    monkeypatch.setattr(member_verifier, "verify_member", trouble)
    run = verify_engine(path, SuiteOptions())
    assert run.undecided == "m: hard (a.vpr@1.1--1.15)"
    assert "KeyError: 'our bug'" in run.crash
    assert run.verdict is Verdict.UNDECIDED
