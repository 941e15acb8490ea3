"""A progress bar on a terminal; nothing anywhere else."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

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
