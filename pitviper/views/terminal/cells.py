"""Text of a program as terminal cells: tabs, wide and invisible characters, overlong lines."""

from __future__ import annotations

import unicodedata

from pitviper.base.record import record

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
    marked = visible(line[start : min(end, high)], column=_width(lead))
    rest = visible(line[min(end, high) : high], column=_width(lead) + _width(marked))
    after = ELLIPSIS if high < len(line) else ""
    at = _width(lead)
    return Cells(lead + marked + rest + after, at, at + max(1, _width(marked)))


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
        column += _width(piece)
    return "".join(pieces)


def _visible_char(char: str) -> str:
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
        return "\ufffd"
    return char


def _width(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(_char_width(char) for char in text)


def _char_width(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
