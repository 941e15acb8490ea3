"""A bar that shows how far a verification is: members done, failed and running, and the slowest.

It appears on a terminal only, and only after a second. The solver may keep a thread busy for long,
so the bar is drawn by a thread of its own. Other output goes to the terminal inside `hidden`.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

from pitviper.base.record import field, struct
from pitviper.results.member import MemberOutcome
from pitviper.results.verdict import Verdict
from pitviper.views.terminal.cells import visible

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

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

    def started(self, member: str, done: int, total: int, now: float) -> None:
        self.total, self.done = total, done
        self.running.setdefault(member, now)

    def finished(self, outcome: MemberOutcome) -> None:
        self.done += 1
        self.failed += outcome.verdict is Verdict.REFUTED
        self.open += outcome.verdict is Verdict.UNDECIDED
        self.running.pop(outcome.name, None)
        self.slowest = max(self.slowest, (outcome.seconds, outcome.name))

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
        return "; ".join([part for part in (running, slowest) if part])


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
