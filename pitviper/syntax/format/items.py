"""What the formatter arranges: tokens and comments, each with what stands before it."""

from __future__ import annotations

from enum import IntEnum

from pitviper.base.record import field, struct

WIDTH = 100
"""Longest line that is left as it is."""
STEP = 2
"""Indentation of one level, the habit of Viper programs."""


class Mark(IntEnum):
    """What the arrangement needs to know about an item beside its text.

    A block holds units, a body holds one expression. CHOICE is the `?` or `:` of a conditional.
    """

    PLAIN = 0
    COMMENT = 1
    OPEN = 2
    CLOSE = 3
    BLOCK_OPEN = 4
    BODY_OPEN = 5
    BLOCK_CLOSE = 6
    CHOICE = 7


class Before(IntEnum):
    """What stands before an item; the last two start a line."""

    NOTHING = 0
    BLANK = 1
    LINE = 2
    EMPTY_LINE = 3


class Start(IntEnum):
    """What starts at an item: a unit is a statement or declaration, a clause is a part of one."""

    NOTHING = 0
    UNIT = 1
    CLAUSE = 2


@struct
class Items:
    """Tokens and comments in source order, as parallel lists.

    `fixed` holds the items of lines that may not be broken, `columns` the source columns (from 0)
    of comments of several lines that start a line.
    """

    texts: list[str] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    before: list[Before] = field(default_factory=list)
    starts: list[Start] = field(default_factory=list)
    fixed: set[int] = field(default_factory=set)
    columns: dict[int, int] = field(default_factory=dict)

    def add(self, text: str, mark: Mark, before: Before, start: Start = Start.NOTHING) -> None:
        self.texts.append(text)
        self.marks.append(mark)
        self.before.append(before)
        self.starts.append(start)
