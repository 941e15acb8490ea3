"""Ghost statements that a verification has inferred, and where they belong."""

from __future__ import annotations

import re
from enum import Enum

from pitviper.base.record import field, record
from pitviper.source.span import Span


class Position(Enum):
    """Where a statement goes, relative to what its span shows."""

    BEFORE = "before line {}"
    ELSEIF = "in an else block around the elseif of line {}"
    END_OF_LOOP = "at the end of the loop of line {}"
    END_OF_BODY = "at the end of the body in line {}"
    AROUND = "around the expression in line {}"


@record
class GhostStep:
    """`text` is a fold or unfold statement; `sometimes`: only some of the paths there need it.

    Around an expression it is the beginning of an unfolding, `opening valid()`.
    """

    text: str
    span: Span
    position: Position
    sometimes: bool = False
    node: object = field(default=None, compare=False, repr=False)
    """The statement itself, in the process that has found it."""

    @property
    def written(self) -> str:
        """As people write it: `fold list(x)` for `fold acc(list(x), write)`."""
        short = re.fullmatch(r"(fold|unfold) acc\((.*), write\)", self.text)
        return self.text if short is None else f"{short[1]} {short[2]}"

    @property
    def line(self) -> int:
        """The line that it goes before, or in which its loop begins or its body ends."""
        if self.position is Position.END_OF_BODY:
            return self.span.end_position[0]
        return self.span.line

    @property
    def where(self) -> str:
        return self.position.value.format(self.line)

    @property
    def column(self) -> int:
        """Where in its line the statement that it goes before begins, or the closing brace."""
        if self.position in (Position.BEFORE, Position.ELSEIF, Position.AROUND):
            return self.span.start_position[1]
        return self.span.end_position[1] - 1

    def __str__(self) -> str:
        """`before line 7, column 3: fold list(x)`."""
        limit = " (on some paths only)" if self.sometimes else ""
        return f"{self.where}, column {self.column}: {self.written}{limit}"
