"""Lines of a program with places in them underlined."""

from __future__ import annotations

from collections.abc import Iterable

from pitviper.base.record import record
from pitviper.source.span import SourceFile, Span
from pitviper.views.terminal.paragraph import COLUMNS
from pitviper.views.terminal.style import Cells, Painter, Style, line_cells, visible

WHOLE_LINES = 4
"""A place of more lines than this is shown by its first and its last line."""


@record
class Mark:
    """A place to underline with `symbol`; the label stands behind its last line."""

    span: Span
    symbol: str
    style: Style
    label: str = ""


@record
class Page:
    """How excerpts are drawn: colours, and the number of characters of a line that fit.

    `columns` are those of the terminal, in which sentences are broken into lines; `links` says
    whether ids lead to their meaning at a click. Headlines are `broken` into lines where people
    read them; tools look for one in a line.
    """

    paint: Painter
    width: int = 120
    links: bool = False
    columns: int = COLUMNS
    broken: bool = False


@record
class _Piece:
    """The part of a mark on one line, columns from 0."""

    line: int
    start: int
    end: int
    mark: Mark
    label: str


def gutter_width(marks: Iterable[Mark]) -> int:
    """The digits of the largest line number that an excerpt with these marks shows."""
    return max(len(str(mark.span.end_position[0])) for mark in marks)


def excerpt(file: SourceFile, marks: tuple[Mark, ...], page: Page, gutter: int) -> list[str]:
    """Each marked line of the file once, with one line of underlining for each mark on it."""
    by_line: dict[int, list[_Piece]] = {}
    for mark in marks:
        for piece in _pieces(mark):
            by_line.setdefault(piece.line, []).append(piece)
    margin = page.paint(Style.GUTTER, " " * (gutter + 1) + "|")
    lines = [margin]
    previous = None
    for number in sorted(by_line):
        if previous is not None:
            lines.extend(_between(file, previous, number, page, gutter))
        previous = number
        lines.extend(_marked_line(file.line_text(number), by_line[number], page, gutter))
    return lines


def _between(file: SourceFile, before: int, after: int, page: Page, gutter: int) -> list[str]:
    """What stands for the lines between two marked ones: a single line stands for itself."""
    if after == before + 1:
        return []
    if after > before + 2:
        return [page.paint(Style.GUTTER, "...")]
    number = page.paint(Style.GUTTER, f"{before + 1:>{gutter}} |")
    text = line_cells(file.line_text(before + 1), 0, 0, page.width).text
    return [f"{number} {text}".rstrip()]


def _marked_line(text: str, pieces: list[_Piece], page: Page, gutter: int) -> list[str]:
    first = pieces[0]
    shown = line_cells(text, first.start, first.end, page.width)
    number = page.paint(Style.GUTTER, f"{first.line:>{gutter}} |")
    lines = [f"{number} {shown.text}".rstrip()]
    margin = page.paint(Style.GUTTER, " " * (gutter + 1) + "|")
    for piece in pieces:
        cells = shown if piece is first else _beside(text, piece, shown, page)
        if cells is not None:
            lines.append(f"{margin} {_underline(cells, piece, page)}")
    return lines


def _beside(text: str, piece: _Piece, shown: Cells, page: Page) -> Cells | None:
    """Cells of a further mark on the line; None where the shown part was cut around another."""
    cells = line_cells(text, piece.start, piece.end, page.width)
    return cells if cells.text == shown.text else None


def _underline(cells: Cells, piece: _Piece, page: Page) -> str:
    line = piece.mark.symbol * (cells.end - cells.start)
    label = f" {visible(piece.label)}" if piece.label else ""
    return " " * cells.start + page.paint(piece.mark.style, line + label)


def _pieces(mark: Mark) -> list[_Piece]:
    """The marked part of each line that is shown; white space at its ends stays unmarked."""
    (first, start), (last, end) = mark.span.start_position, mark.span.end_position
    if last > first and end == 1:  # the line end belongs to the place, the next line does not
        last -= 1
        end = len(mark.span.file.line_text(last)) + 1
    if first == last:
        return [_Piece(first, start - 1, max(start, end - 1), mark, mark.label)]
    shown = range(first, last + 1) if last - first < WHOLE_LINES else (first, last)
    pieces = []
    for line in shown:
        text = mark.span.file.line_text(line)
        low = start - 1 if line == first else len(text) - len(text.lstrip())
        high = end - 1 if line == last else len(text.rstrip())
        label = mark.label if line == last else ""
        if low < high or line in (first, last):
            pieces.append(_Piece(line, low, high, mark, label))
    return pieces
