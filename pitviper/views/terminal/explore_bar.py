"""A bar for exploration: how many methods are done, which one is under way, how much was tried."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from pitviper.driver.work.stop import Stop
from pitviper.views.terminal.bars import MembersBar
from pitviper.views.terminal.cells import visible
from pitviper.views.terminal.report import counted

if TYPE_CHECKING:
    from rich.console import RenderableType


class ExploreBar(MembersBar):
    """Shown like the bar of `verify`: on a terminal only, and only after a second."""

    def __init__(self, *, shown: bool = True) -> None:
        super().__init__(shown=shown)
        self._methods: dict[str, None] = {}
        self._total = 0
        self._attempts = 0
        self._since = 0.0

    def begins(self, method: str, total: int) -> None:
        with self._lock:
            self._methods[method] = None
            self._total = max(total, len(self._methods))
            self._attempts, self._since = 0, time.monotonic()

    def tried(self, attempts: int) -> None:
        with self._lock:
            self._attempts += attempts

    def line(self, now: float) -> str:
        """`exploring insert, 3 of 12 methods: 120 attempts (4 s)`."""
        if not self._methods:
            return "reading the program"
        name = visible([*self._methods][-1])
        place = f"{len(self._methods)} of {counted(self._total, 'method')}"
        tried = counted(self._attempts, "attempt")
        return f"exploring {name}, {place}: {tried} ({now - self._since:.0f} s)"

    def _picture(self) -> RenderableType:
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        with self._lock:
            line = self.line(time.monotonic())
            done, total = max(len(self._methods) - 1, 0), max(self._total, 1)
        row = Table.grid(padding=(0, 1))
        bar = ProgressBar(total=total, completed=done, width=24)
        row.add_row(bar, Text(line, no_wrap=True, overflow="ellipsis"))
        return row


class StopWithBar(Stop):
    """Tells a bar how the work goes on."""

    def __init__(self, bar: ExploreBar) -> None:
        super().__init__()
        self._bar = bar

    def begins(self, method: str, total: int) -> None:
        self._bar.begins(method, total)

    def tried(self, attempts: int) -> None:
        self._bar.tried(attempts)
