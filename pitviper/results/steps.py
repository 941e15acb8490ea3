"""A run step by step: plain data that can be walked forwards and backwards."""

from __future__ import annotations

from pitviper.source.record import record
from pitviper.source.span import Span


@record
class Step:
    """A place that the run came to, and what was there.

    `stack` are the methods under way with the line where each is, outermost first. `values` are
    the variables of the innermost, `cells` what is held: location, amount, value. Instances of
    predicates have no value.
    """

    method: str
    span: Span
    stack: tuple[tuple[str, int], ...]
    values: tuple[tuple[str, str], ...]
    cells: tuple[tuple[str, str, str], ...]

    @property
    def line(self) -> int:
        return self.span.line


class Walk:
    """A run with a position in it; breakpoints are lines."""

    def __init__(self, steps: tuple[Step, ...], ending: str) -> None:
        self.steps = steps
        self.ending = ending
        self.at = 0
        self.breakpoints: set[int] = set()

    @property
    def now(self) -> Step:
        return self.steps[self.at]

    @property
    def is_last(self) -> bool:
        return self.at == len(self.steps) - 1

    def forward(self) -> bool:
        """One step; whether there was one."""
        if self.is_last:
            return False
        self.at += 1
        return True

    def back(self) -> bool:
        if self.at == 0:
            return False
        self.at -= 1
        return True

    def over(self) -> bool:
        """To the next step of this method or of one around it."""
        depth = len(self.now.stack)
        moved = self.forward()
        while moved and len(self.now.stack) > depth and self.now.line not in self.breakpoints:
            if not self.forward():
                break
        return moved

    def run(self) -> bool:
        """To the next breakpoint, or the end."""
        moved = self.forward()
        while moved and self.now.line not in self.breakpoints and self.forward():
            pass
        return moved

    def run_back(self) -> bool:
        moved = self.back()
        while moved and self.now.line not in self.breakpoints and self.back():
            pass
        return moved

    def evaluate(self, expression: str) -> str | None:
        """A variable, or fields behind one, as in `x.next.val`; None where there is no value."""
        name, *fields = expression.strip().split(".")
        value = dict(self.now.values).get(name)
        for field in fields:
            if value is None:
                return None
            cells = {place: content for place, _, content in self.now.cells}
            value = cells.get(f"{value}.{field}")
        return value
