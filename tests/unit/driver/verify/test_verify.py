"""From text to verdicts: the front end, options, and the log that replays."""

from __future__ import annotations

import subprocess
import threading
import time
from pathlib import Path

import pytest

import pitviper
from pitviper.base.usage_error import UsageError
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.verify import ProgramOutcome, open_verifier
from pitviper.results.verdict import MemberOutcome, Verdict
from tests.unit.solver.plain_z3 import z3_program

THREE_ERRORS = """
method m(n: Int) {
  if (n > 7) {
    assert n > 10
  }
  assert n > 0 && n < 6
}
"""


def ids(done: ProgramOutcome) -> list[str]:
    return [finding.id for finding in done.findings]


def test_a_rejected_program_has_no_members() -> None:
    done = pitviper.verify("method m() { assert x }")
    assert done.verdict is Verdict.REJECTED
    assert (done.members, done.findings) == ({}, ())
    assert [d.code for d in done.diagnostics] == ["typechecker.error"]


def test_the_number_of_errors_told() -> None:
    assert ids(pitviper.verify(THREE_ERRORS)) == ["assert.failed:assertion.false"] * 3
    done = pitviper.verify(THREE_ERRORS, options=VerifyOptions(errors=1))
    assert [finding.span.line for finding in done.findings] == [4]
    assert done.members["m"].omitted == 2
    assert done.verdict is Verdict.REFUTED


def test_selected_members_only(tmp_path: Path) -> None:
    path = tmp_path / "a.vpr"
    path.write_text("method good() { }\nmethod bad() { assert false }\n")
    assert pitviper.verify(path).verdict is Verdict.REFUTED
    done = pitviper.verify(path, options=VerifyOptions(select=("good",)))
    assert done.verdict is Verdict.VERIFIED
    assert list(done.members) == ["good"]
    with pytest.raises(UsageError, match="named ugly"):
        pitviper.verify(path, options=VerifyOptions(select=("ugly",)))


def test_no_time_at_all_is_undecided() -> None:
    done = pitviper.verify("method m() { }", options=VerifyOptions(timeout=1e-9))
    assert done.verdict is Verdict.UNDECIDED
    assert "time" in done.members["m"].undecided[0].message


def pigeons(holes: int = 14) -> str:
    """More pigeons than holes: a contradiction that takes a solver very long to see."""
    names = [f"p{n}" for n in range(holes + 1)]
    within = [f"0 <= {name} && {name} < {holes}" for name in names]
    apart = [f"{a} != {b}" for n, a in enumerate(names) for b in names[:n]]
    params = ", ".join(f"{name}: Int" for name in names)
    return f"method m({params}) {{ assert !({' && '.join([*within, *apart])}) }}"


ENDLESS = 4_000_000_000
"""Resources that are not used up while somebody waits; the usual limit is, within seconds."""


def test_a_limit_gives_undecided_never_verified() -> None:
    done = pitviper.verify(pigeons(), options=VerifyOptions(limit=50_000))
    assert done.verdict is Verdict.UNDECIDED
    assert "limit" in done.members["m"].undecided[0].message


def test_the_end_of_the_time_gives_undecided_never_verified() -> None:
    done = pitviper.verify(pigeons(), options=VerifyOptions(timeout=1.0, limit=ENDLESS))
    assert done.verdict is Verdict.UNDECIDED
    assert done.members["m"].undecided[0].message == "the time for the run is over (1 s)"


def test_the_solver_log_replays_in_plain_z3(tmp_path: Path) -> None:
    log = tmp_path / "log.smt2"
    with open_verifier(VerifyOptions(solver_log=log)) as verifier:
        for name in ("list.vpr", "broken/swap.vpr"):
            verifier.verify(verifier.read(Path(__file__).parents[4] / "examples" / name))
    done = subprocess.run(
        [z3_program(), log], capture_output=True, text=True, timeout=300, check=False
    )
    answers = [a for a in done.stdout.splitlines() if a in ("sat", "unsat", "unknown")]
    text = log.read_text()
    recorded = [
        line.startswith("; proved")
        for before, line in zip(text.splitlines(), text.splitlines()[1:], strict=False)
        if line.startswith(("; proved", "; not proved")) and "stands on" not in before
    ]
    assert "error" not in done.stdout
    assert len(answers) > 10
    assert [answer == "unsat" for answer in answers] == recorded
    assert text.count("; ==== file") == 2
    assert "; ==== method prepend (list.vpr@" in text


def test_the_log_of_the_same_run_is_the_same(tmp_path: Path) -> None:
    logs = [tmp_path / "one.smt2", tmp_path / "two.smt2"]
    for log in logs:
        pitviper.verify(THREE_ERRORS, options=VerifyOptions(solver_log=log))
    assert logs[0].read_text() == logs[1].read_text()


def test_a_log_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot write"):
        pitviper.verify("method m() { }", options=VerifyOptions(solver_log=tmp_path))


def test_no_thread_is_left_behind() -> None:
    pitviper.verify("method m() { }", options=VerifyOptions(timeout=1000.0))
    deadline = time.monotonic() + 300
    while threading.active_count() > 1 and time.monotonic() < deadline:
        time.sleep(0.01)
    names = [thread.name for thread in threading.enumerate()]
    assert not [name for name in names if "pitviper" in name or "Timer" in name]


class Diary:
    """Writes down what it is told; cures, too."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def started(self, member: str, done: int, total: int) -> None:
        self.told.append(f"started {member}")

    def curing(self, member: str) -> None:
        self.told.append(f"curing {member}")

    def finished(self, outcome: MemberOutcome) -> None:
        self.told.append(f"finished {outcome.name}")


def test_a_watch_is_told_when_cures_are_tried() -> None:
    diary = Diary()
    with open_verifier(watch=diary) as verifier:
        text = "method good() { }\nmethod bad() { assert false }\n"
        verifier.verify(verifier.read_text(text, "m.vpr"))
    assert diary.told == [
        "started good", "finished good", "started bad", "curing bad", "finished bad"
    ]  # fmt: skip
