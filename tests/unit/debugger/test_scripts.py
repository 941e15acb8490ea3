"""The scripts that the tutorial shows, run as the command line runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pitviper.cli.main import main
from tests.unit.debugger.sessions import PROGRAMS

SCRIPTS = sorted(PROGRAMS.glob("*.session"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_scripts_run_without_a_complaint(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = script.with_suffix(".vpr")

    assert main(["debug", "--commands", str(script), str(program)]) == 1
    said = capsys.readouterr()
    assert said.err == ""
    assert not [line for line in said.out.splitlines() if line.startswith("error: ")]
    assert [line for line in said.out.splitlines() if line.startswith("(pitviper) ")] == [
        f"(pitviper) {line}" for line in script.read_text(encoding="utf-8").splitlines()
    ]


def test_answers_as_json_lines(capsys: pytest.CaptureFixture[str]) -> None:
    script, program = PROGRAMS / "missing_invariant.session", PROGRAMS / "missing_invariant.vpr"

    assert main(["debug", "--format", "json", "--commands", str(script), str(program)]) == 1
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {answer["kind"] for answer in answers} == {"debug"}
    outcomes = [a["proof"]["outcome"] for a in answers if a["answer"] == "ProofReply"]
    assert outcomes == ["not proved", "proved"]


def test_nothing_to_debug_and_wrong_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fine = tmp_path / "fine.vpr"
    fine.write_text("method m(x: Int) requires x > 1 { assert x > 0 }", encoding="utf-8")
    broken = tmp_path / "broken.vpr"
    broken.write_text("method m( {", encoding="utf-8")

    assert main(["debug", str(fine)]) == 0
    assert "nothing failed" in capsys.readouterr().out
    assert main(["debug", str(broken)]) == 1
    assert "error[parser.error]" in capsys.readouterr().out
    assert main(["debug", str(tmp_path / "missing.vpr")]) == 2
    assert main(["debug", "--commands", str(tmp_path / "none.txt"), str(fine)]) == 2
    assert main(["debug", "--format", "sarif", str(fine)]) == 2
