"""What the parts of a report look like, with and without colours."""

from __future__ import annotations

import os
from collections.abc import Callable
from enum import Enum
from typing import Literal, TextIO, TypeAlias


class Style(Enum):
    """The value is the ANSI code."""

    ERROR = "1;31"
    WARNING = "1;33"
    NOTE = "1;36"
    HELP = "1;32"
    GUTTER = "34"
    TITLE = "1"
    DIM = "2"
    ADDED = "32"
    REMOVED = "31"


Painter: TypeAlias = Callable[[Style, str], str]
"""Gives a text the look of a style."""

ColorChoice: TypeAlias = Literal["auto", "always", "never"]


def plain(style: Style, text: str) -> str:
    """No colours at all."""
    return text


def coloured(style: Style, text: str) -> str:
    """ANSI colours; an empty text stays empty."""
    return f"\x1b[{style.value}m{text}\x1b[0m" if text else text


def choose_painter(choice: ColorChoice, stream: TextIO) -> Painter:
    """`auto` asks the stream and the usual environment variables (NO_COLOR, FORCE_COLOR)."""
    if choice == "auto":
        return coloured if _wants_colour(stream) else plain
    return coloured if choice == "always" else plain


def _wants_colour(stream: TextIO) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"
