"""When there are colours."""

from __future__ import annotations

import io

import pytest

from pitviper.views.terminal.style import choose_painter, coloured, plain, wants_links


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")


def test_auto_means_on_a_terminal() -> None:
    assert choose_painter("auto", Terminal()) is coloured
    assert choose_painter("auto", io.StringIO()) is plain


def test_the_user_decides() -> None:
    assert choose_painter("always", io.StringIO()) is coloured
    assert choose_painter("never", Terminal()) is plain


@pytest.mark.parametrize(
    ("variable", "value", "expected"),
    [("NO_COLOR", "1", plain), ("FORCE_COLOR", "1", coloured), ("TERM", "dumb", plain)],
)
def test_environment(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, expected: object
) -> None:
    monkeypatch.setenv(variable, value)
    stream = io.StringIO() if variable == "FORCE_COLOR" else Terminal()
    assert choose_painter("auto", stream) is expected


def test_links_are_for_terminals_that_may_be_painted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert wants_links("auto", Terminal())
    assert not wants_links("never", Terminal())
    assert not wants_links("always", io.StringIO())
    monkeypatch.setenv("TERM", "dumb")
    assert not wants_links("auto", Terminal())
