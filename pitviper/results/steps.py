"""A run step by step: plain data that can be walked forwards and backwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from pitviper.base.record import record
from pitviper.results.finding import Finding
from pitviper.source.span import Span


@record
class Frame:
    """A method under way: where it is, and the step at which it was seen last."""

    method: str
    span: Span
    step: int


@record
class Step:
    """A place that the run came to, and what was there.

    `stack` are the methods under way, outermost first. `values` are the variables of the
    innermost, `cells` what is held: location, amount, value. The value of an instance of a
    predicate is what it contains, as far as the run has looked.
    """

    method: str
    span: Span
    stack: tuple[Frame, ...]
    values: tuple[tuple[str, str], ...]
    cells: tuple[tuple[str, str, str], ...]

    @property
    def line(self) -> int:
        return self.span.line


@record
class Shown:
    """A value with its name; `inner` is what it consists of, where one can look inside."""

    name: str
    value: str
    inner: tuple[Shown, ...] = ()


@record
class Scope:
    """Values that belong together, under a title; `hint` is the kind that editors know."""

    title: str
    hint: str
    values: tuple[Shown, ...]


@record
class Evaluated:
    """The value of an expression, or why it has none."""

    value: str = ""
    problem: str = ""

    @property
    def text(self) -> str:
        return self.problem or self.value


Evaluate: TypeAlias = Callable[[int, str], Evaluated]
"""The value of an expression at a step."""


@record
class Breakpoint:
    """A line of a file, or a method; with a condition, only where that is true.

    Without a file, a line is one of any file. A condition that has no value stops the run.
    """

    line: int = 0
    method: str = ""
    condition: str = ""
    file: str = ""


@record
class Ending:
    """How a run ends: the check that fails, if one does. Not all steps may have been kept."""

    text: str
    failure: Finding | None = None
    is_whole: bool = True


class Walk:
    """A run with a position in it."""

    def __init__(self, steps: tuple[Step, ...], ending: Ending, evaluate: Evaluate) -> None:
        self.steps = steps
        self.ending = ending
        self.at = 0
        self.breakpoints: list[Breakpoint] = []
        self._evaluate = evaluate

    @property
    def now(self) -> Step:
        return self.steps[self.at]

    def places(self) -> frozenset[Frame]:
        """Where the innermost frames of steps stand, on all ways."""
        return frozenset([frame for step in self.steps for frame in step.stack[-1:]])

    @property
    def is_last(self) -> bool:
        return self.at == len(self.steps) - 1

    def evaluate(self, expression: str, step: int | None = None) -> Evaluated:
        """An expression of the program's language, at this step or another one."""
        return self._evaluate(self.at if step is None else step, expression)

    def scopes(self, step: int) -> tuple[Scope, ...]:
        """What there is to see at a step: variables, and what is held."""
        here = self.steps[step]
        held = [Shown(p, f"{v}  (permission {a})" if v else a) for p, a, v in here.cells]
        variables = tuple([Shown(name, value) for name, value in here.values])
        return Scope("Variables", "locals", variables), Scope("Permissions", "heap", tuple(held))

    def console(self, line: str) -> Evaluated:
        """The answer to a line that was typed in at this step."""
        return self.evaluate(line)

    # ------------------------------------------------------------ ways

    def ways(self) -> tuple[str, ...]:
        """The ways through the program that there are, by what sets them apart."""
        return ("run",)

    @property
    def way(self) -> int:
        return 0

    def take(self, way: int) -> None:
        """Goes on along another way, from the last step that both have."""

    def sides(self) -> tuple[tuple[int, str], ...]:
        """Where one can go from here: the number of a way for each next step, and its text."""
        return ()

    # ------------------------------------------------------------ moving

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
        return self._until(self.forward, depth=len(self.now.stack))

    def over_back(self) -> bool:
        """To the step before of this method or of one around it."""
        return self._until(self.back, depth=len(self.now.stack))

    def out(self) -> bool:
        """Until this method has been left."""
        return self._until(self.forward, depth=len(self.now.stack) - 1)

    def run(self) -> bool:
        """To the next breakpoint, or the end."""
        return self._until(self.forward, depth=-1)

    def run_back(self) -> bool:
        return self._until(self.back, depth=-1)

    def _until(self, move: Callable[[], bool], *, depth: int) -> bool:
        """Until so few methods are under way, or a breakpoint is met; whether anything moved."""
        moved = move()
        while moved and len(self.now.stack) > depth and self.hit() is None and move():
            pass
        return moved

    # ------------------------------------------------------------ where to stop

    def hit(self) -> Breakpoint | None:
        """The breakpoint at this step, if there is one."""
        return next((point for point in self.breakpoints if self._is_at(point)), None)

    def _is_at(self, point: Breakpoint) -> bool:
        step = self.now
        if point.method:
            here = step.method == point.method and self._is_entry()
        else:
            here = step.line == point.line and point.file in ("", str(step.span.file.path))
        if not here or not point.condition:
            return here
        found = self.evaluate(point.condition)
        return bool(found.problem) or found.value == "true"

    def _is_entry(self) -> bool:
        """Whether a method begins here."""
        return self.at == 0 or len(self.steps[self.at - 1].stack) < len(self.now.stack)
