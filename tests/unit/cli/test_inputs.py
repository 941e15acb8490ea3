"""What is read is what is judged: every input is read once, wherever it comes from."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from pitviper.cli.main import main
from pitviper.results.exit_code import ExitCode
from pitviper.servers.daemon.place import is_ours_alone
from pitviper.source import reading

COMMAND = [sys.executable, "-m", "pitviper"]
WRONG = "method m() { assert false }\n"


def through_pipe(path: Path, text: str) -> threading.Thread:
    """Writes the text to a FIFO once; a second reader would wait for ever."""
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=(text,), daemon=True)
    writer.start()
    return writer


@pytest.mark.parametrize("options", [[], ["--counterexample"], ["--profile"], ["--format", "json"]])
def test_a_pipe_is_verified(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    writer = through_pipe(tmp_path / "fifo.vpr", WRONG)
    folder = str(tmp_path / "cache")
    code = main(["verify", "--cache", folder, *options, str(tmp_path / "fifo.vpr")])
    writer.join()
    assert code == ExitCode.FINDINGS
    assert "assert.failed:assertion.false" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
def test_standard_input_is_verified(name: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "verify", "--cache", str(tmp_path), "--counterexample", name],
        input=WRONG,
        capture_output=True,
        text=True,
    )
    assert done.returncode == ExitCode.FINDINGS, done.stderr
    assert "counterexample 1 in m" in done.stdout


def typed(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The text is what standard input says, once."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


@pytest.mark.parametrize("command", ["explore", "wizard", "counterexample"])
def test_what_finds_failures_takes_standard_input(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed("method m(x: Int)\n{\n  assert x != 77\n}\n", monkeypatch)
    assert main([command, "-"]) == ExitCode.FINDINGS
    said = capsys.readouterr().out
    assert "77" in said
    assert "m" in said


def test_a_report_about_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("uvicorn")
    typed(WRONG, monkeypatch)
    page = tmp_path / "page.html"
    assert main(["report", "-", "--html", str(page)]) == ExitCode.FINE
    assert "assert.failed:assertion.false" in page.read_text()


def test_a_test_is_replayed_from_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its program is looked for from where we are."""
    (tmp_path / "a.vpr").write_text(WRONG)
    monkeypatch.chdir(tmp_path)
    assert main(["explore", "--save-tests", ".", "a.vpr"]) == ExitCode.FINDINGS
    (test,) = tmp_path.glob("*.json")
    typed(test.read_text(), monkeypatch)
    capsys.readouterr()
    assert main(["replay", "-"]) == ExitCode.FINE
    assert "method m: failed with assert.failed:assertion.false" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        *[["explore", *more] for more in (["--watch"], ["--step"], ["--save-tests", "here"])],
        *[["wizard", option] for option in ("--mark", "--unmark", "--watch", "--step")],
        *[["replay", option] for option in ("--step", "--dap")],
    ],
)
def test_what_needs_a_file_says_so(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(WRONG, monkeypatch)
    assert main([*words, "-"]) == ExitCode.USAGE
    assert f"{words[1]} needs a file" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["check", "verify", "explore", "counterexample", "wizard"])
def test_each_command_reads_its_file_once(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.vpr").write_text(WRONG)
    seen: list[Path] = []
    original = Path.read_bytes

    def noted(path: Path) -> bytes:
        seen.extend([path] if path.name == "a.vpr" else [])
        return original(path)

    monkeypatch.setattr(Path, "read_bytes", noted)
    monkeypatch.setenv("PITVIPER_CACHE", str(tmp_path / "cache"))
    main([command, str(tmp_path / "a.vpr")])
    assert len(seen) == 1


def test_inputs_keep_what_they_read(tmp_path: Path) -> None:
    inputs = reading.Inputs()
    path = tmp_path / "a.vpr"
    path.write_text(WRONG)
    first = inputs.read(path)
    path.write_text("")
    assert inputs.read(path) is first
    assert first.source.text == WRONG


@pytest.mark.parametrize("text", ["// nothing\n", "field f: Int\n", ""])
def test_nothing_to_verify_is_said(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.vpr").write_text(text)
    for options in ([], ["--quiet"], ["--format", "json"]):
        main(["verify", *options, str(tmp_path / "a.vpr")])
        assert "nothing to verify" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["counterexample", "debug", "wizard"])
def test_no_command_is_content_with_nothing(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for text, said in (("field f: Int\n", True), ("method m()\n", False)):
        (tmp_path / "a.vpr").write_text(text)
        main([command, str(tmp_path / "a.vpr")])
        assert ("nothing to verify" in capsys.readouterr().err) is said


@pytest.mark.parametrize("form", ["text", "sarif"])
def test_a_suite_judges_the_text_whose_annotations_it_read(form: str, tmp_path: Path) -> None:
    """A pipe has no second reading: its program was the empty one, and as expected."""
    wrong = "method m(x: Int) { assert x > 0 }"
    words = [sys.executable, "-m", "pitviper", "suite", "--format", form, "/dev/stdin"]
    done = subprocess.run(words, input=wrong, capture_output=True, text=True)
    assert done.returncode == ExitCode.FINDINGS, done.stdout
    assert "assert.failed" in done.stdout


def test_what_a_daemon_cannot_see_is_verified_here(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "a.vpr").write_text("")
    assert is_ours_alone(str(tmp_path / "fifo"))
    assert is_ours_alone("/dev/fd/63")
    assert is_ours_alone("/proc/self/fd/0")
    assert not is_ours_alone(str(tmp_path / "a.vpr"))
    assert not is_ours_alone(str(tmp_path / "missing"))


def test_closed_standard_input_is_no_bug_of_ours(capsys: pytest.CaptureFixture[str]) -> None:
    command = [*COMMAND, "verify", "-"]
    shell = ["sh", "-c", 'exec "$@" <&-', "sh", *command]
    done = subprocess.run(shell, capture_output=True, text=True)
    assert done.returncode == ExitCode.USAGE
    assert "standard input" in done.stderr
