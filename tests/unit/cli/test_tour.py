"""The tour really runs what it shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.cli.commands.tour import PROGRAMS, STEPS
from pitviper.cli.main import main


def test_six_steps_without_a_terminal_do_not_wait(capsys: pytest.CaptureFixture[str]) -> None:
    before = Path.cwd()
    assert main(["tour"]) == 0
    text = capsys.readouterr().out
    assert len(STEPS) == 6
    for number, step in enumerate(STEPS, 1):
        assert f"{number}. {step.title}\n" in text
    assert "error[call.precondition:assertion.false]" in text
    assert "confirmed: replayed from the start of transfer" in text
    assert "proved: amount@0 <= " in text
    assert "fails   method transfer" in text
    assert "Verified 3 members in 1 file" in text
    assert Path.cwd() == before


def test_one_step(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tour", "1"]) == 0
    assert "2. A failed proof" not in capsys.readouterr().out
    assert main(["tour", "7"]) == 2
    assert "steps 1 to 6" in capsys.readouterr().err


def test_programs_are_written_and_nothing_is_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "tour"
    assert main(["tour", "--write", str(folder)]) == 0
    assert sorted(file.name for file in folder.iterdir()) == sorted(PROGRAMS)
    (folder / "fixed.vpr").write_text("mine")
    assert main(["tour", "--write", str(folder)]) == 2
    assert (folder / "fixed.vpr").read_text() == "mine"


def test_what_is_told_fits_a_narrow_terminal() -> None:
    lines = [line for step in STEPS for line in (*step.before.split("\n"), *step.after.split("\n"))]
    assert max(map(len, lines)) <= 80
