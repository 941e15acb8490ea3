"""`pitviper verify --emit`."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.cli.main import main


def test_the_intermediate_language_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["verify", "--emit", "ivl", "examples/cell.vpr"])

    assert code == 0
    assert "procedure client {" in capsys.readouterr().out


def test_boogie_text_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cell.bpl"
    code = main(["verify", "examples/cell.vpr", "--emit", "boogie", str(file)])

    assert code == 0
    assert "procedure client()" in file.read_text(encoding="utf-8")
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "options",
    [
        ["--emit", "c", "examples/cell.vpr"],
        ["--emit", "boogie", "examples/cell.vpr"],
        ["--emit", "ivl"],
        ["--emit", "ivl", "examples/cell.vpr", "examples/list.vpr"],
        ["--emit", "boogie", "no/such/folder/x.bpl", "examples/cell.vpr"],
        [],
    ],
)
def test_wrong_requests(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", *options]) == 2
    assert "pitviper: error: " in capsys.readouterr().err


def test_a_program_that_is_no_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "wrong.vpr"
    file.write_text("method m() { x := 1 }\n", encoding="utf-8")
    code = main(["verify", "--emit", "ivl", str(file)])

    assert code == 1
    assert "error[" in capsys.readouterr().out
