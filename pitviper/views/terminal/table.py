"""Plain text in columns."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import TypeAlias

Row: TypeAlias = Sequence[str]


def table_lines(
    header: Row, rows: Sequence[Row], *, indent: int = 0, right: Container[int] = ()
) -> list[str]:
    """The header, a rule and the rows; columns in `right` are set to the right."""
    widths = [max(len(row[at]) for row in (header, *rows)) for at in range(len(header))]
    rule = ["-" * width for width in widths]
    margin = " " * indent
    lines = []
    for row in (header, rule, *rows):
        cells = [
            cell.rjust(width) if at in right else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append((margin + "  ".join(cells)).rstrip())
    return lines
