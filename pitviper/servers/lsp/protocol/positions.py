"""Places of our files as positions of the protocol, and back: it counts UTF-16 units from 0."""

from __future__ import annotations

from lsprotocol import types as lsp

from pitviper.source.span import SourceFile, Span


def position_of(file: SourceFile, offset: int) -> lsp.Position:
    """Returns the position of an offset; one past the end of the text is the end."""
    line, column = file.line_column(max(0, min(offset, len(file.text))))
    before = file.line_text(line)[: column - 1]
    return lsp.Position(line - 1, _units(before))


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
        left -= _units(text[column])
        column += 1
    return file.offset(position.line + 1, column + 1)


def position_in_lines(lines: list[str], line: int, column: int) -> lsp.Position:
    """Returns the position of a line and column that count characters from 1."""
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    return lsp.Position(max(0, line - 1), _units(text[: max(0, column - 1)]))


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
