"""A place in a file: the only position type."""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path
from typing import Final, NamedTuple


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


class Span(NamedTuple):
    """Offsets [start, end) of a file. A tuple, because every node of every tree makes one."""

    file: SourceFile
    start: int
    end: int

    @property
    def line(self) -> int:
        return self.file.line_column(self.start)[0]

    @property
    def start_position(self) -> tuple[int, int]:
        return self.file.line_column(self.start)

    @property
    def end_position(self) -> tuple[int, int]:
        return self.file.line_column(self.end)

    @property
    def text(self) -> str:
        return self.file.text[self.start : self.end]

    def to(self, other: Span) -> Span:
        """The span from the start of this one to the end of the other."""
        return Span(self.file, self.start, other.end)

    def encloses(self, other: Span) -> bool:
        """Says whether the other span is a part of this one, of the same file."""
        return self.file is other.file and self.start <= other.start and other.end <= self.end

    def __str__(self) -> str:
        """Viper's notation, `file.vpr@3.5--3.9`."""
        (l1, c1), (l2, c2) = self.start_position, self.end_position
        return f"{self.file.name}@{l1}.{c1}--{l2}.{c2}"


NO_SPAN = Span(SourceFile(Path("<none>"), ""), 0, 0)
"""For nodes that no source text stands for (tests, generated members)."""
