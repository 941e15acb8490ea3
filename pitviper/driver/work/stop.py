"""Signals as a wish to end early and to hear what was found so far."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from pitviper.base.time_box import left_of
from pitviper.results.exploration import INTERRUPTED, TIME_IS_OVER, ExploredRun, MethodExploration

HEARD = (signal.SIGINT, signal.SIGTERM)


class Stopped(Exception):
    """Ends work that somebody no longer wants to wait for; caught where its results are kept."""


class Stop:
    """Whether somebody wants an end; `by` is the number of the signal, 0 for none.

    `why` says in the user's words what ended the work: that may be its time, in `seconds`.
    """

    def __init__(self, seconds: float | None = None) -> None:
        self._end = None if seconds is None else time.monotonic() + left_of(seconds)
        self.by = 0
        self.why = INTERRUPTED
        self._enough = False

    def asked(self) -> bool:
        if not self._enough and self._end is not None and time.monotonic() >= self._end:
            self.enough(TIME_IS_OVER)
        return self.by != 0 or self._enough

    def enough(self, why: str) -> None:
        """What was found is all that was asked for."""
        self._enough, self.why = True, why

    def __call__(self) -> None:
        """Called by work under way after every attempt, and in the middle of long ones."""
        self.tried(1)
        if self.asked():
            raise Stopped(self.why)

    def begins(self, method: str, total: int) -> None:
        """Work on one of so many methods begins; for those who show it."""

    def tried(self, attempts: int) -> None:
        """So many attempts were made since the last time; for those who show it."""

    def told(self, method: str, run: ExploredRun) -> None:
        """A method has a failing run; for those who show it."""

    def explored(self, done: MethodExploration) -> None:
        """A method is done; for those who show it."""

    @contextmanager
    def listening(self) -> Iterator[None]:
        """The first signal is a wish, a second one ends the process as it always does."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self._hear) for number in HEARD}

        def restore() -> None:
            for number, handler in before.items():
                signal.signal(number, handler)

        self._restore = restore
        try:
            yield
        finally:
            restore()

    def _hear(self, number: int, frame: FrameType | None) -> None:
        self.by, self.why = number, INTERRUPTED
        self._restore()
