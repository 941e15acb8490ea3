"""A mistake of a user is no bug of ours, and running out of time is no success."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pitviper.cli.main import main
from pitviper.driver.verify.sessions import Sessions, Stopped
from pitviper.results.exit_code import ExitCode

WRONG = "method m(p: Perm) { assert p != 1/2 }\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.vpr").write_text(WRONG)
    return tmp_path


def kept_test(folder: Path, **changes: object) -> Path:
    main(["explore", "--save-tests", "tests", "a.vpr"])
    path = sorted((folder / "tests").glob("*.json"))[0]
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))
    return path


@pytest.mark.parametrize("number", ["1e300000000", "1" * 10_000, "1/0", "0x10", "1_0", "nan"])
def test_numbers_of_a_test_are_written_out(
    number: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = kept_test(folder, values={"p": number})
    assert main(["replay", str(path)]) == ExitCode.USAGE
    assert "is no number" in capsys.readouterr().err


@pytest.mark.parametrize(
    "changes",
    [
        {"method": "m\x1b[31m"},
        {"expect": {"status": "passed\x1b[31m", "finding": "a\x1b[2J", "line": 1}},
        {"inputs": {"x\x1b]0;title\x07": "1\x1b[31m"}},
    ],
)
def test_escape_sequences_of_a_test_are_not_printed(
    changes: dict[str, object], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = kept_test(folder, **changes)
    capsys.readouterr()
    main(["replay", "--color", "never", str(path)])
    shown = capsys.readouterr()
    assert "\x1b" not in shown.out + shown.err


def test_wrong_text_for_the_solver_is_the_mistake_of_its_author(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "a.vpr").write_text(
        'domain D interpretation (SMTLIB: "(((") { function f(): D interpretation "f" }\n'
        "method m(d: D) { assert d == f() }\n"
    )
    assert main(["verify", "a.vpr"]) in (ExitCode.FINDINGS, ExitCode.USAGE)
    shown = capsys.readouterr()
    assert "(((" in shown.out + shown.err


@pytest.mark.parametrize(
    "command",
    [
        "verify",
        "verify --backend vcg",
        "verify --counterexample",
        "counterexample",
        "debug --commands script",
        "debug --backend vcg --commands script",
    ],
)
def test_wrong_text_for_the_solver_has_a_place(
    command: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not only where a proof needs the function."""
    (folder / "a.vpr").write_text(
        'domain F interpretation (SMTLIB: "(_ FloatingPoint 11 53)") {\n'
        '  function add(x: F, y: F): F interpretation "fp.add RNE"\n'
        '  function wrong(x: F): Bool interpretation "fp.no_such"\n'
        "}\n"
        "method m(x: Int) { assert x == x }\n"
    )
    (folder / "script").write_text("errors\n")
    assert main([*command.split(), "a.vpr"]) == ExitCode.FINDINGS
    shown = capsys.readouterr()
    assert "a.vpr:3:" in shown.out
    assert "fp.no_such" in shown.out
    assert "a.vpr:2:" not in shown.out
    assert "internal error" not in shown.out + shown.err


@pytest.mark.parametrize("command", ["verify", "counterexample", "debug"])
def test_time_that_is_over_is_no_success(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(self: Sessions) -> None:
        self.stopped = "the time for the run is over"
        raise Stopped(self.stopped)

    monkeypatch.setattr(Sessions, "open", stopped)
    assert main([command, "a.vpr"]) == ExitCode.UNDECIDED
    shown = capsys.readouterr()
    assert "nothing failed" not in shown.out
    assert "the time for the run is over" in shown.out + shown.err
