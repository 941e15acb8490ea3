"""The bar of a verification: for terminals, after a second, and never in the way."""

from __future__ import annotations

import io
import sys
import threading
import time

import pytest

from pitviper.results.finding import Finding
from pitviper.results.verdict import MemberOutcome, Undecided
from pitviper.source.span import NO_SPAN
from pitviper.views.terminal import bars
from pitviper.views.terminal.bars import MembersBar, Progress

FINDING = Finding("assert.failed", "assertion.false", NO_SPAN, "bad", "Assert might fail.")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def terminal_for(monkeypatch: pytest.MonkeyPatch, patience: float) -> Terminal:
    """No fixture: pytest exchanges the streams once more when a test begins."""
    monkeypatch.setattr(bars, "PATIENCE", patience)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    return terminal


def wait_for(terminal: Terminal, text: str) -> bool:
    deadline = time.monotonic() + 300
    while text not in terminal.getvalue() and time.monotonic() < deadline:
        time.sleep(0.05)
    return text in terminal.getvalue()


class Threads:
    """The threads that began after this was made; other tests leave some of their own."""

    def __init__(self) -> None:
        self._before = frozenset(threading.enumerate())

    def new(self) -> list[threading.Thread]:
        return [thread for thread in threading.enumerate() if thread not in self._before]

    def timers(self) -> list[threading.Timer]:
        """Those who wait to draw a bar."""
        return [thread for thread in self.new() if isinstance(thread, threading.Timer)]


def test_what_the_bar_says() -> None:
    state = Progress()
    for number, name in enumerate(["one", "two", "three", "four", "five"]):
        state.started(name, 0, 8, now=float(number))
    assert state.counts() == "0 of 8 members"
    assert state.names(10.0) == "running one (10 s), two (9 s), three (8 s) and 2 more"
    state.finished(MemberOutcome("one", "method", seconds=10.5))
    state.finished(MemberOutcome("two", "method", (FINDING,), seconds=2.0))
    state.finished(MemberOutcome("three", "method", (), (Undecided(NO_SPAN, "hard"),)))
    assert state.counts() == "3 of 8 members, 1 failed, 1 undecided"
    assert state.names(11.0) == "running four (8 s), five (7 s); slowest one (10.5 s)"


def test_quick_work_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, threads = terminal_for(monkeypatch, patience=1000.0), Threads()
    with MembersBar() as bar:
        bar.started("quick", 0, 1)
        (waiting,) = threads.timers()
    waiting.join()
    assert terminal.getvalue() == ""


def test_long_work_says_what_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, threads = terminal_for(monkeypatch, patience=0.2), Threads()
    with MembersBar() as bar:
        bar.started("[bold]one", 0, 2)
        assert wait_for(terminal, "running [bold]one")
        bar.finished(MemberOutcome("[bold]one", "method"))
        bar.started("two", 1, 2)
        assert wait_for(terminal, "running two")
        drawing = threads.new()
        with bar.hidden():
            for thread in drawing:
                thread.join()  # nobody is left who could draw
            assert not threads.new()
        bar.started("three", 1, 2)
        assert wait_for(terminal, "three")


@pytest.mark.parametrize("wanted", [True, False])
def test_no_bar_without_terminal_or_wish(monkeypatch: pytest.MonkeyPatch, wanted: bool) -> None:
    terminal, threads = terminal_for(monkeypatch, patience=0.0), Threads()
    if wanted:
        monkeypatch.setattr(terminal, "isatty", lambda: False)
    with MembersBar(shown=wanted) as bar:
        bar.started("one", 0, 1)
        assert not threads.timers()
    assert terminal.getvalue() == ""


def test_tried_cures_are_told_while_it_takes_long() -> None:
    state = Progress()
    state.started("one", 0, 1, now=0.0)
    state.curing("one", now=2.0)
    assert state.names(5.0) == "looking for a cure for one (3 s)"
    state.finished(MemberOutcome("one", "method", (FINDING,)))
    assert state.names(6.0) == ""
