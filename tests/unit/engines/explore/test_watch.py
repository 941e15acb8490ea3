"""--watch with a real process, and the bar of long explorations."""

from __future__ import annotations

import argparse
import os
import pty
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pitviper.cli.main import main
from pitviper.driver.front import file_changes
from pitviper.driver.front.file_changes import watched
from pitviper.results.exit_code import ExitCode
from pitviper.source.reading import Inputs
from pitviper.views.terminal.bars import ExploreBar
from pitviper.views.terminal.exploration import StopWithBar

GOOD = "method m(a: Int) { assert a == a }\n"
BAD = "method m(a: Int) { assert a != 5 }\n"
ENDLESS = """method m(n: Int)
{
  var i: Int := 0
  while (i < n) { i := i + 1 }
}
"""


def replaced(path: Path, text: str) -> None:
    """At once: who looks on a slow machine sees no empty file between."""
    other = path.with_suffix(".new")
    other.write_text(text)
    os.replace(other, path)


class _Watching:
    """A process, and what it says until it waits."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "pitviper", *arguments, "--watch"]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self._patience = threading.Timer(300, self.process.kill)
        self._patience.daemon = True
        self._patience.start()

    def until_it_waits(self) -> str:
        assert self.process.stdout is not None
        lines = []
        for line in self.process.stdout:
            if line.startswith("Waiting for changes"):
                return "".join(lines)
            lines.append(line)
        raise AssertionError("".join(lines))

    def interrupt(self) -> int:
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(300)
        self._patience.cancel()
        self.process.communicate()
        return code


@pytest.mark.parametrize("command", ["explore", "wizard"])
def test_again_when_the_file_changes_until_it_is_interrupted(command: str, tmp_path: Path) -> None:
    program = tmp_path / "p.vpr"
    program.write_text(GOOD)
    watching = _Watching(command, str(program))
    first, bad = ("proved", "fails") if command == "explore" else ("1 green", "1 red")
    assert first in watching.until_it_waits()
    replaced(program, BAD)
    assert bad in watching.until_it_waits()
    replaced(program, "method m(a: Int) { assert a != }\n")
    assert "error[parser.error]" in watching.until_it_waits()
    replaced(program, GOOD)
    assert first in watching.until_it_waits()

    assert watching.interrupt() == 130


def test_imported_files_are_watched_too(tmp_path: Path) -> None:
    program, library = tmp_path / "p.vpr", tmp_path / "l.vpr"
    program.write_text('import "l.vpr"\nmethod m(a: Int) { assert f(a) == a }\n')
    library.write_text("function f(a: Int): Int { a }\n")
    watching = _Watching("explore", str(program))
    assert "proved" in watching.until_it_waits()
    replaced(library, "function f(a: Int): Int { a + 1 }\n")
    assert "fails" in watching.until_it_waits()

    assert watching.interrupt() == 130


def test_a_missing_file_is_an_error_at_first(tmp_path: Path) -> None:
    watching = _Watching("explore", str(tmp_path / "nowhere.vpr"))

    assert watching.process.wait(300) == 2
    _, told = watching.process.communicate()
    assert told.startswith("pitviper: error: ")


def test_a_folder_or_a_pipe_in_its_place_is_waited_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading a pipe that nobody writes to would never end."""
    file = tmp_path / "f"
    file.write_text("1")

    def replaced() -> Iterator[None]:
        file.unlink()
        file.mkdir()
        yield
        yield
        file.rmdir()
        os.mkfifo(file)
        yield
        yield
        file.unlink()
        file.write_text("22")
        while True:
            yield

    steps = replaced()
    monkeypatch.setattr(file_changes.time, "sleep", lambda _: next(steps))
    times = watched(file)
    next(times)
    next(times)
    assert file.is_file()


def test_a_file_that_goes_while_it_is_verified_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it imports is in the text that was verified."""
    program = tmp_path / "p.vpr"
    program.write_text('import "l.vpr"\nmethod m() { }\n')
    (tmp_path / "l.vpr").write_text("method n() { }\n")
    others: list[Path] = []

    def once(path: Path, work: Callable[[list[Path]], ExitCode], listed: object) -> ExitCode:
        return work(others)

    def goes(arguments: argparse.Namespace, inputs: Inputs) -> ExitCode:
        inputs.read(program)
        program.unlink()
        return ExitCode.FINE

    monkeypatch.setattr("pitviper.cli.watch.whenever_changed", once)
    monkeypatch.setattr("pitviper.cli.commands.verify._show", goes)
    assert main(["verify", "--watch", str(program)]) == ExitCode.FINE
    assert others == [tmp_path / "l.vpr"]


def test_what_changes_meanwhile_is_not_missed_and_bursts_count_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(file_changes.time, "sleep", pauses.append)
    file = tmp_path / "f"
    file.write_text("1")
    times = watched(file, pause=0.02)
    next(times)
    file.write_text("22")  # while somebody works on the first
    next(times)
    file.unlink()
    file.write_text("333")
    file.write_text("4444")
    pauses.clear()
    next(times)

    assert pauses == [0.02, 0.02]


def test_the_bar_says_what_is_explored() -> None:
    bar = ExploreBar(shown=False)
    stop = StopWithBar(bar)
    assert bar.line(0.0) == "reading the program"
    stop.begins("insert", 3)
    stop()
    stop.tried(4)

    now = time.monotonic() + 7200.0
    assert re.fullmatch(r"exploring insert, 1 of 3 methods: 5 attempts \(72\d\d s\)", bar.line(now))


BAR = "exploring m, 1 of 1 method: "


def test_a_bar_on_a_terminal_and_none_in_a_pipe(tmp_path: Path) -> None:
    program = tmp_path / "p.vpr"
    program.write_text(ENDLESS)
    search = ["--runs", "100000", "--nodes", "1000000", "--steps", "100000", "--work", "9" * 12]
    command = [sys.executable, "-m", "pitviper", "explore", str(program), *search]
    piped = subprocess.run([*command, "--seconds", "2"], capture_output=True, text=True)
    assert piped.returncode == 4
    assert piped.stderr == ""

    terminal, end = pty.openpty()
    shown = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=end)
    os.close(end)
    patience = threading.Timer(300, shown.kill)
    patience.start()
    assert BAR in _until(terminal, BAR)
    shown.send_signal(signal.SIGINT)
    _until(terminal, None)
    os.close(terminal)
    shown.communicate(timeout=300)
    patience.cancel()


def _until(terminal: int, text: str | None) -> str:
    """What a process writes to a terminal until it has written a text, or ends."""
    found = b""
    while text is None or text.encode() not in found:
        try:
            part = os.read(terminal, 4096)
        except OSError:  # the other side is closed
            break
        if not part:
            break
        found += part
    return found.decode("utf-8", "replace")
