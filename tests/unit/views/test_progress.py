"""Progress is for terminals, and never changes what comes through."""

from __future__ import annotations

import io
import sys

import pytest

from pitviper.views.terminal.bars import with_progress


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
