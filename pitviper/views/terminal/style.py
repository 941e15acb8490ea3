"""What the parts of a report look like, with and without colours."""

from __future__ import annotations

import os
from collections.abc import Callable
from enum import Enum
from typing import Literal, TextIO, TypeAlias

from pitviper.base.record import record


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


def linked(text: str, uri: str) -> str:
    """A text that terminals open at a click (OSC 8); those that cannot show the text alone."""
    return f"\x1b]8;;{uri}\x1b\\{text}\x1b]8;;\x1b\\"


def wants_links(choice: ColorChoice, stream: TextIO) -> bool:
    """Only a terminal can follow a link, and only one that may be painted."""
    return stream.isatty() and choose_painter(choice, stream) is coloured


def _wants_colour(stream: TextIO) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


TAB_WIDTH = 4
ELLIPSIS = "…"


@record
class Cells:
    """A part of a line ready for printing; `start` and `end` are cells of the marked part."""

    text: str
    start: int
    end: int


def line_cells(line: str, start: int, end: int, limit: int) -> Cells:
    """The line, or `limit` characters of it around the mark [start, end) given in characters.

    The mark is at least one cell wide, so a place at the end of a line can be seen.
    """
    low, high = _window(len(line), start, limit)
    before = ELLIPSIS if low > 0 else ""
    lead = before + visible(line[low:start])
    marked = visible(line[start : min(end, high)], column=cells_of(lead))
    rest = visible(line[min(end, high) : high], column=cells_of(lead) + cells_of(marked))
    after = ELLIPSIS if high < len(line) else ""
    at = cells_of(lead)
    return Cells(lead + marked + rest + after, at, at + max(1, cells_of(marked)))


def _window(length: int, focus: int, limit: int) -> tuple[int, int]:
    if length <= limit:
        return 0, length
    low = max(0, min(focus - limit // 3, length - limit))
    return low, low + limit


def visible(text: str, column: int = 0) -> str:
    """The text with tabs as blanks and each character a terminal would act on as a symbol."""
    if text.isascii() and text.isprintable():
        return text
    pieces: list[str] = []
    for char in text:
        piece = " " * (TAB_WIDTH - column % TAB_WIDTH) if char == "\t" else _visible_char(char)
        pieces.append(piece)
        column += cells_of(piece)
    return "".join(pieces)


def _visible_char(char: str) -> str:
    import unicodedata  # a megabyte that most reports do not need

    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
        return "\ufffd"
    return char


def cells_of(text: str) -> int:
    """How many cells of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(_char_width(char) for char in text)


def _char_width(char: str) -> int:
    import unicodedata

    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
