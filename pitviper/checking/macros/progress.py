"""How far the expansion at work has come, and when it has grown too large."""

from __future__ import annotations

from typing import TypeAlias

from pitviper.checking.macros.log import MacroLog
from pitviper.source.span import Span
from pitviper.syntax.parse.cursor import MAX_NESTING

MAX_NODES = 500_000
"""Nodes that the expansions of a program may have in all: macros can double at each step.

The largest generated program that we know (759 KB) has 114,470 nodes."""

MAX_DEPTH = 2 * MAX_NESTING
"""Levels of nodes around a node of an expansion. Blocks, clauses and the like count too, so what
the parser accepts has more of them than MAX_NESTING."""

Before: TypeAlias = tuple[Span | None, int]
"""What `Progress.begin` changed."""


class Progress:
    """`place` is that of the use in the member's own text which is being expanded, `depth` the
    number of nodes around the one at work."""

    def __init__(self, log: MacroLog) -> None:
        self.place: Span | None = None
        self.depth = 0
        self._log = log
        self._nodes = 0
        self._gave_up = False

    def begin(self, use: Span) -> Before:
        """Start an expansion, or go one macro deeper in the one at work."""
        before = self.place, self.depth
        if self.place is None:
            self.place = use
        self.depth += 1
        return before

    def end(self, before: Before) -> None:
        self.place, self.depth = before
        if self.place is None:
            self._gave_up = False

    @property
    def stopped(self) -> bool:
        """Have the expansions so far used up what a program may have?"""
        return self._nodes > MAX_NODES

    def step(self) -> bool:
        """Count a node; False if the expansion at work is to be given up."""
        if not self._gave_up:
            self._nodes += 1
            if self.stopped:
                self._give_up(f"the macros of this program expand to more than {MAX_NODES} nodes")
            elif self.depth > MAX_DEPTH:
                self._give_up("the expansion of this macro is nested too deeply")
        return not self._gave_up

    def _give_up(self, message: str) -> None:
        assert self.place is not None
        self._gave_up = True
        self._log.error(self.place, message, help="macros that use others repeatedly grow fast")
