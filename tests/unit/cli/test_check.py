"""`pitviper check` in each output format."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from pitviper.cli.main import main
from pitviper.results.exit_code import ExitCode

FINE = "field f: Int\nmethod m(x: Ref) requires acc(x.f) { x.f := 1 }\n"
BROKEN = "method m()\n{\n  var x: Int\n  x := true\n}\n"
"""The mistake is in line 4."""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("fine.vpr").write_text(FINE)
    Path("broken.vpr").write_text(BROKEN)


def objects(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.smoke
@pytest.mark.usefixtures("files")
def test_an_accepted_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "fine.vpr"]) == ExitCode.FINE
    assert capsys.readouterr().out == "Accepted 1 file.\n"


@pytest.mark.smoke
@pytest.mark.usefixtures("files")
def test_a_rejected_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "fine.vpr", "broken.vpr"]) == ExitCode.FINDINGS
    text = capsys.readouterr().out
    assert text.startswith("error[typechecker.error]: ")
    assert "broken.vpr:4:" in text
    assert "\n4 |   x := true\n" in text
    assert text.endswith("Found 1 error in 1 of 2 files.\n")
    assert "\x1b" not in text


@pytest.mark.usefixtures("files")
def test_colours_on_demand(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--color", "always", "broken.vpr"])
    assert "\x1b[1;31merror[typechecker.error]\x1b[0m" in capsys.readouterr().out


@pytest.mark.usefixtures("files")
def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--format", "json", "broken.vpr", "fine.vpr"]) == ExitCode.FINDINGS
    finding, rejected, accepted = objects(capsys.readouterr().out)
    assert (finding["kind"], finding["id"]) == ("finding", "typechecker.error")
    assert (finding["file"], finding["member"]) == ("broken.vpr", "m")
    start = finding["start"]
    assert isinstance(start, list)
    assert start[0] == 4
    assert (rejected["kind"], rejected["verdict"]) == ("result", "rejected")
    assert (accepted["verdict"], accepted["accepted"]) == ("undecided", True)
    assert accepted["members"] == {"m": "undecided"}


@pytest.mark.usefixtures("files")
def test_sarif(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--format", "sarif", "broken.vpr"]) == ExitCode.FINDINGS
    log = json.loads(capsys.readouterr().out)
    (result,) = log["runs"][0]["results"]
    assert result["ruleId"] == "typechecker.error"
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 4


def test_stdin(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(BROKEN.encode())))
    assert main(["check", "-"]) == ExitCode.FINDINGS
    assert "<stdin>:4:" in capsys.readouterr().out


def test_library_folders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "own.vpr").write_text("field own: Int")
    file = tmp_path / "a.vpr"
    file.write_text("import <own.vpr>")
    assert main(["check", str(file)]) == ExitCode.FINDINGS
    assert main(["check", "--library", str(tmp_path), str(file)]) == ExitCode.FINE
    assert main(["check", "--library", str(file), str(file)]) == ExitCode.USAGE
    assert "as a library" in capsys.readouterr().err


def test_smoke_detection_makes_a_keyword(tmp_path: Path) -> None:
    file = tmp_path / "a.vpr"
    file.write_text("method m() { unreachable }")
    assert main(["check", "--enableSmokeDetection", str(file)]) == ExitCode.FINE
    assert main(["check", str(file)]) == ExitCode.FINDINGS
