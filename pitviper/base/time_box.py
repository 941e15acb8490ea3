"""The end of a command whose time is over, whatever it is doing.

Whoever has a time limit ends by itself soon after that time and tells what it knows. What does not
(a solver that does not heed an interrupt, a file that nobody writes, a text that is read for too
long) ends here, with the whole process: such a command has no result, so it is undecided.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

MARGIN = 0.7
"""Seconds that a command has to end by itself after its time; all in all it is less than one."""

FLUSHING = 0.1
"""Seconds that what was told may take to reach its reader."""

UNDECIDED = 4

_last_words: list[Callable[[int], None]] = []
"""What a process does before it ends here; empty in one that must not: it is not ours alone."""

_open: list[_Box] = []
"""The box that this process is in."""


def process_is_ours(say: Callable[[int], None] = lambda _: None) -> None:
    """This process does nothing but one command, and may end with it; `say` hears its exit code."""
    _last_words[:] = [say]


def _age() -> float:
    """Returns the seconds since this process began: the time of its command began then, too.

    They are 0 where the system does not tell.
    """
    try:
        with open("/proc/self/stat", encoding="utf-8", errors="replace") as file:
            ticks = int(file.read().rpartition(")")[2].split()[19])
        now = time.clock_gettime(time.CLOCK_BOOTTIME)
        return max(0.0, now - ticks / os.sysconf("SC_CLK_TCK"))
    except (OSError, AttributeError, ValueError, IndexError):
        return 0.0


class _Box:
    """Ends the process when its time, and the margin, are over."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        left = max(0.0, seconds - _age())
        self.end = time.monotonic() + left
        import threading  # takes time to load, and few commands have a limit

        self._timer = threading.Timer(left + MARGIN, _end, (seconds,))
        self._timer.daemon = True
        self._timer.start()

    def lift(self) -> None:
        self._timer.cancel()


@contextmanager
def time_box(seconds: float | None) -> Iterator[None]:
    """What is done inside has so many seconds, and a margin; without a number there is no end."""
    if seconds is None or not _last_words or _open:
        yield
        return
    _open.append(_Box(seconds))
    try:
        yield
    finally:
        lift()


def lift() -> None:
    """The time of the box that is open, if there is one, does not matter from now on."""
    while _open:
        _open.pop().lift()


def left_of(seconds: float) -> float:
    """What is left of a time limit: that of the box has begun before, any other begins now."""
    for box in _open:
        if box.seconds == seconds:
            return max(0.0, box.end - time.monotonic())
    return seconds


def _end(seconds: float) -> None:
    """The thread at work may hold the lock of standard output for ever: nobody waits for it."""
    import threading

    flushing = threading.Thread(target=_flush, daemon=True)
    flushing.start()
    flushing.join(FLUSHING)
    text = f"pitviper: stopped: the time for the run is over ({seconds:g} s); the rest is undecided"
    try:
        with suppress(OSError):
            os.write(2, f"{text}\n".encode())
        _last_words[0](UNDECIDED)
    finally:
        os._exit(UNDECIDED)


def _flush() -> None:
    with suppress(OSError, ValueError):
        sys.stdout.flush()
