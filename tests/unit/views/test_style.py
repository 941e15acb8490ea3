"""When there are colours."""

from __future__ import annotations

import io

import pytest

from pitviper.views.terminal.style import choose_painter, coloured, plain


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
