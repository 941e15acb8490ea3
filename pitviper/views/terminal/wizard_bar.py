"""A bar for the wizard: how far the verifier is, and how far exploration is beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitviper.views.terminal.bars import MembersBar, Progress
from pitviper.views.terminal.cells import visible
from pitviper.views.terminal.report import counted

if TYPE_CHECKING:
    from rich.console import RenderableType


class WizardBar(MembersBar):
    """Shown like the bar of `verify`, with a second line for exploration."""

    def __init__(self, *, shown: bool = True) -> None:
        super().__init__(shown=shown)
        self._turn = 0
        self._methods = 0
        self._explored = 0
        self._running: dict[str, int] = {}

    def turn(self, number: int, methods: int) -> None:
        with self._lock:
            self.progress = Progress()
            self._turn, self._methods, self._explored = number, methods, 0
            self._running.clear()

    def exploring(self, method: str, attempts: int) -> None:
        with self._lock:
            self._running[method] = attempts

    def explored(self, method: str) -> None:
        with self._lock:
            self._explored += 1
            self._running.pop(method, None)

    def second_line(self) -> str:
        """`turn 1, exploration: 2 of 5 methods, running insert (120 runs)`."""
        running = [f"{visible(name)} ({counted(n, 'run')})" for name, n in self._running.items()]
        names = f", running {', '.join(running)}" if running else ""
        return f"turn {self._turn}, exploration: {self._explored} of {self._methods} methods{names}"

    def _picture(self) -> RenderableType:
        from rich.console import Group
        from rich.text import Text

        first = super()._picture()
        with self._lock:
            line = self.second_line()
        return Group(first, Text(line, no_wrap=True, overflow="ellipsis", style="dim"))
