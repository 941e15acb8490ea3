"""`pitviper fuzz` and `pitviper verify --certify` from the command line."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pitviper.cli.main import main
from pitviper.results.exit_code import ExitCode
from pitviper.results.fuzzing import Contradiction, Fuzzed, Kind
from pitviper.views.terminal.fuzzing import contradiction_line, report_text, summary_text

RIGHT = "method m(n: Int) requires n > 1 { assert n > 0 }\n"
FOUND = Contradiction(Kind.WRONG, "vcg verify, a run fails", "method m() {}\n", 7, "grammar (heap)")


def test_a_search_counts_programs_by_generator_and_oracle(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code = main(["fuzz", "--cases", "1", "--seed", "2", "--report", str(tmp_path / "found")])
    out = capsys.readouterr().out
    assert code == ExitCode.FINE
    assert "programs by generator:" in out
    assert "symbolic against vcg" in out
    assert (tmp_path / "found" / "summary.txt").exists()


def test_a_search_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fuzz", "--cases", "1", "--seed", "2", "--format", "json"]) == ExitCode.FINE
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert last["kind"] == "fuzzed"
    assert last["cases"] == 1
    assert last["certain"] == 0


def test_a_search_needs_an_end(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fuzz"]) == ExitCode.USAGE
    assert "--minutes" in capsys.readouterr().err


def test_programs_of_a_folder_are_changed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "one.vpr").write_text(RIGHT)
    words = ["fuzz", "--cases", "6", "--programs", str(tmp_path), "--format", "json"]
    assert main(words) == ExitCode.FINE
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert last["programs"]["folder"] > 0


def test_a_report_can_be_filed_as_it_is() -> None:
    text = report_text(FOUND, 3)
    assert "pitviper fuzz --seed 3 --first 7 --cases 1" in text
    assert text.endswith("method m() {}\n")
    assert contradiction_line(FOUND).startswith("WRONG case 7: vcg verify, a run fails")
    assert "1  wrong" in summary_text(Fuzzed(3, 1, 0.0, contradictions=(FOUND,)))


def test_a_certified_program_is_fine(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "right.vpr"
    path.write_text(RIGHT)
    assert main(["verify", "--certify", str(path)]) == ExitCode.FINE
    assert "1 of 1 members certified, 1 of 1 files whole" in capsys.readouterr().out


def test_a_wrong_program_is_a_finding(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "wrong.vpr"
    path.write_text(RIGHT.replace("n > 0", "n > 2"))
    assert main(["verify", "--certify", "--format", "json", str(path)]) == ExitCode.FINDINGS
    member = json.loads(capsys.readouterr().out.splitlines()[0])
    assert member["kind"] == "certificate"
    assert member["certified"] is False


def test_what_a_certificate_does_not_take(tmp_path: Path) -> None:
    path = tmp_path / "right.vpr"
    path.write_text(RIGHT)
    assert main(["verify", "--certify", "--infer-ghost", str(path)]) == ExitCode.USAGE
    assert main(["verify", "--certify", "--format", "sarif", str(path)]) == ExitCode.USAGE


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_search_that_is_ended_tells_what_it_has_found(
    number: signal.Signals, tmp_path: Path
) -> None:
    report = tmp_path / "report"
    words = ["fuzz", "--cases", "1000000", "--seed", "3", "--report", str(report)]
    with subprocess.Popen(
        [sys.executable, "-m", "pitviper", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        deadline = time.monotonic() + 300
        while not (report / "summary.txt").exists():  # the first case is done
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.02)
        process.send_signal(number)
        out, said = process.communicate(timeout=300)
    assert process.returncode == 128 + number
    assert b"seed 3" in out
    assert b"Traceback" not in out + said
