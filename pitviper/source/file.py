"""The text of one file with its line table."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, eq=False, repr=False)
class SourceFile:
    """A file's text; two files are the same only if they are one object."""

    path: Path
    text: str
    _line_starts: list[int] = field(init=False)

    def __post_init__(self) -> None:
        starts = [0]
        find = self.text.find
        at = find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = find("\n", at + 1)
        object.__setattr__(self, "_line_starts", starts)

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
