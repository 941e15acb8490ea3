"""`pitviper format`: what is written, what is only said."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

import pytest

from pitviper.cli.main import main
from pitviper.results.exit_code import ExitCode

UGLY = "field   f:Int // why\n"
NEAT = "field f: Int // why\n"
WRONG = "field f\n"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = Path("a.vpr")
    path.write_text(UGLY)
    return path


@pytest.mark.smoke
def test_in_place(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["format", "a.vpr"]) == ExitCode.FINE
    assert file.read_text() == NEAT
    assert capsys.readouterr().out == "reformatted a.vpr\n1 file changed, 0 left alone.\n"
    assert main(["format", "a.vpr"]) == ExitCode.FINE
    assert capsys.readouterr().out == "0 files changed, 1 left alone.\n"
    assert os.listdir() == ["a.vpr"]


def test_rights_links_and_marks_stay(file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbf" + UGLY.encode())
    file.chmod(0o640)
    link = Path("link.vpr")
    link.symlink_to(file)
    assert main(["format", "link.vpr"]) == ExitCode.FINE
    assert link.is_symlink()
    assert file.read_bytes() == b"\xef\xbb\xbf" + NEAT.encode()
    assert file.stat().st_mode & 0o777 == 0o640


def test_check_writes_nothing(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["format", "--check", "a.vpr"]) == ExitCode.FINDINGS
    assert capsys.readouterr().out == "would reformat a.vpr\n1 file would change, 0 left alone.\n"
    assert file.read_text() == UGLY
    file.write_text(NEAT)
    assert main(["format", "--check", "a.vpr"]) == ExitCode.FINE


def test_diff(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["format", "--diff", "a.vpr"]) == ExitCode.FINDINGS
    assert capsys.readouterr().out == (f"--- a.vpr\n+++ a.vpr\n@@ -1 +1 @@\n-{UGLY}+{NEAT}")
    assert file.read_text() == UGLY


def test_a_diff_of_a_file_without_a_last_line_end(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(NEAT.rstrip())
    assert main(["format", "--diff", "a.vpr"]) == ExitCode.FINDINGS
    assert "\\ No newline at end of file\n+field" in capsys.readouterr().out


def test_stdin(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(UGLY.encode())))
    assert main(["format", "-"]) == ExitCode.FINE
    assert capsys.readouterr().out == NEAT


def test_a_program_that_does_not_parse_is_left_alone(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(WRONG)
    assert main(["format", "a.vpr"]) == ExitCode.FINDINGS
    assert "error[parser.error]" in capsys.readouterr().out
    assert file.read_text() == WRONG


def test_no_text(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_bytes(b"\xff\xfe")
    assert main(["format", "a.vpr"]) == ExitCode.FINDINGS
    assert "not valid UTF-8" in capsys.readouterr().out
    assert file.read_bytes() == b"\xff\xfe"


@pytest.mark.usefixtures("file")
def test_machine_output(capsys: pytest.CaptureFixture[str]) -> None:
    Path("wrong.vpr").write_text(WRONG)
    arguments = ["format", "--check", "a.vpr", "wrong.vpr", "--format"]
    assert main([*arguments, "json"]) == ExitCode.FINDINGS
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["kind"] for line in lines] == ["result", "finding", "result"]
    assert [line["changed"] for line in (lines[0], lines[2])] == [True, False]
    assert main([*arguments, "sarif"]) == ExitCode.FINDINGS
    assert len(json.loads(capsys.readouterr().out)["runs"][0]["results"]) == 1
