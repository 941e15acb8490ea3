"""Places as editors and browsers count them: lines from 0, and UTF-16 units from 0."""

from __future__ import annotations

from pitviper.source.span import SourceFile


def units_of(text: str) -> int:
    """Returns the length of a text in UTF-16 units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def place_of(file: SourceFile, offset: int) -> tuple[int, int]:
    """Returns line and unit of an offset; one past the end of the text is the end."""
    line, column = file.line_column(max(0, min(offset, len(file.text))))
    return line - 1, units_of(file.line_text(line)[: column - 1])
