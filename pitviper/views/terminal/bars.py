"""A bar that shows how far a verification is: members done, failed and running, and the slowest.

It appears on a terminal only, and only after a second. The solver may keep a thread busy for long,
so the bar is drawn by a thread of its own. Other output goes to the terminal inside `hidden`.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self, TypeVar

from pitviper.base.record import field, struct
from pitviper.results.verdict import MemberOutcome, Verdict
from pitviper.views.terminal.report import counted
from pitviper.views.terminal.style import visible

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

    from pitviper.results.exploration import ExploredRun


PATIENCE = 1.0
"""Seconds without a bar at the start."""

AGAIN = 0.15
"""Seconds after other output: a burst of it is not slowed down by the bar."""

_SHOWN = 3
"""Names of running members that are shown."""


@struct
class Progress:
    """What is known about the members of one file."""

    total: int = 0
    done: int = 0
    failed: int = 0
    open: int = 0
    running: dict[str, float] = field(default_factory=dict)
    slowest: tuple[float, str] = (0.0, "")
    cured: tuple[float, str] | None = None
    """The member for whose findings cures are tried, and since when."""

    def started(self, member: str, done: int, total: int, now: float) -> None:
        self.total, self.done = total, done
        self.running.setdefault(member, now)

    def finished(self, outcome: MemberOutcome) -> None:
        self.done += 1
        self.failed += outcome.verdict is Verdict.REFUTED
        self.open += outcome.verdict is Verdict.UNDECIDED
        self.running.pop(outcome.name, None)
        self.cured = None
        self.slowest = max(self.slowest, (outcome.seconds, outcome.name))

    def curing(self, member: str, now: float) -> None:
        self.running.pop(member, None)
        self.cured = (now, member)

    def counts(self) -> str:
        """`12 of 40 members, 2 failed, 1 undecided`."""
        parts = [f"{self.done} of {max(self.total, self.done)} members"]
        parts += [f"{self.failed} failed"] if self.failed else []
        parts += [f"{self.open} undecided"] if self.open else []
        return ", ".join(parts)

    def names(self, now: float) -> str:
        """What is running, the longest first, and the slowest of all so far."""
        order = sorted(self.running.items(), key=lambda item: item[1])
        shown = [f"{visible(name)} ({now - start:.0f} s)" for name, start in order[:_SHOWN]]
        more = f" and {len(order) - _SHOWN} more" if len(order) > _SHOWN else ""
        running = f"running {', '.join(shown)}{more}" if shown else ""
        seconds, name = self.slowest
        slowest = f"slowest {visible(name)} ({seconds:.1f} s)" if seconds >= PATIENCE else ""
        cured = ""
        if self.cured is not None:
            since, name = self.cured
            cured = f"looking for a cure for {visible(name)} ({now - since:.0f} s)"
        return "; ".join([part for part in (cured, running, slowest) if part])


class MembersBar:
    """The bar on standard error; it does nothing where that is no terminal."""

    def __init__(self, *, shown: bool = True) -> None:
        self._shown = shown and sys.stderr.isatty()
        self._lock = threading.RLock()
        self._timer: threading.Timer | None = None
        self._live: Live | None = None
        self._begun = time.monotonic()
        self.progress = Progress()

    def __enter__(self) -> Self:
        self._wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._clear()

    def next_file(self) -> None:
        with self._lock:
            self.progress = Progress()

    def started(self, member: str, done: int, total: int) -> None:
        with self._lock:
            self.progress.started(member, done, total, time.monotonic())

    def curing(self, member: str) -> None:
        with self._lock:
            self.progress.curing(member, time.monotonic())

    def finished(self, outcome: MemberOutcome) -> None:
        with self._lock:
            self.progress.finished(outcome)

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Other output goes to the terminal meanwhile."""
        self._clear()
        try:
            yield
        finally:
            self._wait()

    def _wait(self) -> None:
        if self._shown:
            left = PATIENCE - (time.monotonic() - self._begun)
            self._timer = threading.Timer(max(AGAIN, left), self._show)
            self._timer.daemon = True
            self._timer.start()

    def _show(self) -> None:
        from rich.console import Console
        from rich.live import Live

        with self._lock:
            if self._timer is not threading.current_thread():  # cleared in the meantime
                return
            self._live = Live(
                console=Console(stderr=True),
                transient=True,
                refresh_per_second=5,
                get_renderable=self._picture,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._live.start(refresh=True)

    def _picture(self) -> RenderableType:
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        with self._lock:
            state = self.progress
            counts, names = state.counts(), state.names(time.monotonic())
            total, done = max(state.total, 1), state.done
        row = Table.grid(padding=(0, 1))
        row.add_row(
            Text(counts, no_wrap=True),
            ProgressBar(total=total, completed=done, width=24),
            Text(names, no_wrap=True, overflow="ellipsis", style="dim"),
        )
        return row

    def _clear(self) -> None:
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            live, self._live = self._live, None
        if live is not None:
            live.stop()  # its thread may be waiting for the lock


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
            self._methods.pop(method, None)  # one that goes on is the last again
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

    def failing(self, method: str, run: ExploredRun) -> None:
        """A run that fails was found; for those who write it."""

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


T = TypeVar("T")


def with_progress(items: Iterable[T], total: int, title: str) -> Iterator[T]:
    """The items, with a bar on standard error that says how many of `total` have come."""
    if not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, redirect_stdout=False) as progress:
        task = progress.add_task(title, total=total)
        for item in items:
            progress.advance(task)
            yield item
