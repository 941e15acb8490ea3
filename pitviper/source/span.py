"""A place in a file: the only position type."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from pitviper.source.file import SourceFile


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

    def __str__(self) -> str:
        """Viper's notation, `file.vpr@3.5--3.9`."""
        (l1, c1), (l2, c2) = self.start_position, self.end_position
        return f"{self.file.name}@{l1}.{c1}--{l2}.{c2}"


NO_SPAN = Span(SourceFile(Path("<none>"), ""), 0, 0)
"""For nodes that no source text stands for (tests, generated members)."""
