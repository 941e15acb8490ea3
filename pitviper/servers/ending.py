"""The end of a server that reads its standard input: a signal, or a client that is gone.

A thread that waits for input cannot be told to end, and the machinery around it waits for that
thread. So such a process ends what it has started, and then itself.
"""

from __future__ import annotations

import io
import os
import select
import signal
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, BinaryIO

from pitviper.base.usage_error import UsageError


def standard_streams() -> tuple[BinaryIO, BinaryIO]:
    """Returns where a client writes to and reads from; UsageError where there cannot be one.

    A standard output that was closed leads to nowhere by now (`cli/start.py`).
    """
    if sys.stdin is None or sys.stdout is None or sys.__stdout__ is None:
        raise UsageError("standard input or output is closed: there is no client")
    return sys.stdin.buffer, sys.stdout.buffer


class Messages(io.RawIOBase, ABC):
    """A stream of the messages that `_next` finds in another one; it ends with an empty one."""

    _left = b""

    def readable(self) -> bool:
        return True

    def readinto(self, target: Any) -> int:
        if not self._left:
            self._left = self._next()
        part = self._left[: len(target)]
        target[: len(part)] = part
        self._left = self._left[len(part) :]
        return len(part)

    @abstractmethod
    def _next(self) -> bytes: ...


LOOK = 1.0
"""Seconds between two looks at whether the client is still there."""


def ends_with_signals(tidy_up: Callable[[], None]) -> None:
    """From now on, SIGINT and SIGTERM end this process at once, after `tidy_up`.

    What the starter of the process ignores is ignored. Only the main thread hears signals.
    """
    if threading.current_thread() is not threading.main_thread():
        return

    def end(number: int, _: object) -> None:
        try:
            tidy_up()
            if number == signal.SIGINT:
                os.write(2, b"\npitviper: interrupted\n")
        finally:
            os._exit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, end)


def ends_with_client(source: int, sink: int) -> None:
    """From now on, the process ends when nobody writes to `source` and nobody reads `sink`.

    Work under way then has no listener. A script that was read to its end still gets its answers.
    It ends with a signal, too, where the thread that reads does not hear it: one that comes just
    when a part of a line has been read is kept until the rest of that line comes.
    """
    heard, told = os.pipe()
    os.set_blocking(told, False)
    if threading.current_thread() is threading.main_thread():
        signal.set_wakeup_fd(told, warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(source, sink, heard), daemon=True).start()


def _watch(source: int, sink: int, heard: int) -> None:
    while not (_is_gone(source) and _is_gone(sink)):
        if select.select([heard], [], [], LOOK)[0]:
            for number in os.read(heard, 1):
                if number in (signal.SIGINT, signal.SIGTERM):
                    time.sleep(LOOK)  # it ends by itself, or does not hear
                    os._exit(128 + number)
    os._exit(0)


def _is_gone(descriptor: int) -> bool:
    """Whether the other side of a pipe or socket has closed it; files have no other side."""
    look = select.poll()
    look.register(descriptor, 0)
    return any(event & (select.POLLHUP | select.POLLERR) for _, event in look.poll(0))
