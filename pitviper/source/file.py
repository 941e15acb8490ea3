"""The text of one file with its line table."""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path
from typing import Final


class SourceFile:
    """A file's text; two files are the same only if they are one object."""

    def __init__(self, path: Path, text: str) -> None:
        self.path: Final = path
        self.text: Final = text
        self._line_starts: Final = _line_starts(text)

    def __repr__(self) -> str:
        return f"SourceFile({str(self.path)!r})"

    @property
    def name(self) -> str:
        """The file name without its folder, as Viper messages show it."""
        return self.path.name

    @property
    def line_count(self) -> int:
        return len(self._line_starts)

    def line_column(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1; a tab is one column."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """The inverse of line_column."""
        return self._line_starts[line - 1] + column - 1

    def line_text(self, line: int) -> str:
        """The text of a line (from 1) without its line end."""
        start = self._line_starts[line - 1]
        end = self._line_starts[line] - 1 if line < self.line_count else len(self.text)
        return self.text[start:end].rstrip("\r")


def _line_starts(text: str) -> list[int]:
    starts = [0]
    at = text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return starts
