"""Progress is for terminals, and never changes what comes through."""

from __future__ import annotations

import io
import sys
import time

import pytest

from pitviper.views.terminal import progress
from pitviper.views.terminal.progress import Ticker, with_progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_nothing_without_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(with_progress([1, 2], 2, "programs")) == [1, 2]
    assert capsys.readouterr().err == ""


def test_a_bar_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    assert list(with_progress([1, 2], 2, "programs")) == [1, 2]
    assert "programs" in terminal.getvalue()
    assert "2/2" in terminal.getvalue()


def impatient_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """No fixture: pytest exchanges the streams once more when a test begins."""
    monkeypatch.setattr(progress, "PATIENCE", 0.2)
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    return terminal


def wait_for(terminal: Terminal, text: str) -> bool:
    deadline = time.monotonic() + 20
    while text not in terminal.getvalue() and time.monotonic() < deadline:
        time.sleep(0.05)
    return text in terminal.getvalue()


def test_quick_work_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = impatient_terminal(monkeypatch)
    with Ticker() as ticker:
        ticker.say("verifying quick")
    time.sleep(0.5)
    assert terminal.getvalue() == ""


def test_long_work_says_what_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = impatient_terminal(monkeypatch)
    with Ticker() as ticker:
        ticker.say("verifying [bold]one")
        assert wait_for(terminal, "verifying [bold]one")
        ticker.say("verifying two")
        assert wait_for(terminal, "verifying two")
        with ticker.hidden():
            before = terminal.getvalue()
            time.sleep(0.5)
            assert terminal.getvalue() == before
        ticker.say("verifying three")
        assert wait_for(terminal, "verifying three")


def test_no_line_without_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.01)
    with Ticker() as ticker:
        ticker.say("verifying")
        time.sleep(0.3)
    assert capsys.readouterr().err == ""
