"""Waits for a file to change."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

PAUSE = 0.3
"""Seconds between two looks, and between a change and its being over."""


def watched(path: Path, pause: float = PAUSE) -> Iterator[None]:
    """Once at first, then whenever the file has changed and has stopped changing."""
    yield
    seen = _look(path)
    while True:
        time.sleep(pause)
        now = _look(path)
        if now == seen or now is None:
            continue
        time.sleep(pause)
        if _look(path) == now:
            seen = now
            yield


def _look(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
