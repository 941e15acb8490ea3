"""A progress bar on a terminal; nothing anywhere else."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.status import Status
    from rich.text import Text

T = TypeVar("T")

PATIENCE = 1.0
"""Seconds of silence before a line says what is going on."""


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


class Ticker:
    """A line on standard error that says what is going on, after a second of silence.

    Other output goes to the terminal inside `hidden`, so that the two do not mix. The solver may
    keep a thread busy for long: the line is drawn by a thread of its own.
    """

    def __init__(self) -> None:
        self._shown = sys.stderr.isatty()
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self._status: Status | None = None
        self._text = ""

    def __enter__(self) -> Ticker:
        self._wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._clear()

    def say(self, text: str) -> None:
        with self._lock:
            self._text = text
            if self._status is not None:
                self._status.update(_plain(text))

    @contextmanager
    def hidden(self) -> Iterator[None]:
        self._clear()
        try:
            yield
        finally:
            self._wait()

    def _wait(self) -> None:
        if self._shown:
            self._timer = threading.Timer(PATIENCE, self._show)
            self._timer.daemon = True
            self._timer.start()

    def _show(self) -> None:
        from rich.console import Console
        from rich.status import Status

        with self._lock:
            if self._timer is threading.current_thread():  # else it was cleared in the meantime
                self._status = Status(_plain(self._text), console=Console(stderr=True))
                self._status.start()

    def _clear(self) -> None:
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            if self._status is not None:
                self._status.stop()
                self._status = None


def _plain(text: str) -> Text:
    """Names of the program are no markup."""
    from rich.text import Text

    return Text(text, no_wrap=True, overflow="ellipsis")
