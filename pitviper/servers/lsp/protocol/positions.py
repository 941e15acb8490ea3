"""Places of our files as positions of the protocol, and back: it counts UTF-16 units from 0."""

from __future__ import annotations

from lsprotocol import types as lsp

from pitviper.source.span import SourceFile, Span
from pitviper.source.units import place_of, units_of


def position_of(file: SourceFile, offset: int) -> lsp.Position:
    """Returns the position of an offset; one past the end of the text is the end."""
    line, units = place_of(file, offset)
    return lsp.Position(line, units)


def range_of(span: Span) -> lsp.Range:
    """Returns the range of a place in its own file."""
    return lsp.Range(position_of(span.file, span.start), position_of(span.file, span.end))


def offset_of(file: SourceFile, position: lsp.Position) -> int:
    """Returns the offset of a position; one past the end of a line or text is that end."""
    if position.line >= file.line_count:
        return len(file.text)
    text = file.line_text(position.line + 1)
    left = max(0, position.character)
    column = 0
    while column < len(text) and left > 0:
        left -= units_of(text[column])
        column += 1
    return file.offset(position.line + 1, column + 1)


def position_in_lines(lines: list[str], line: int, column: int) -> lsp.Position:
    """Returns the position of a line and column that count characters from 1."""
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    return lsp.Position(max(0, line - 1), units_of(text[: max(0, column - 1)]))
