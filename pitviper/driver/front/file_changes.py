"""Waits for files to change."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from stat import S_ISREG

PAUSE = 0.3
"""Seconds between two looks, and between a change and its being over."""

_State = tuple[int, int, int]


def watched(
    path: Path,
    others: Sequence[Path] = (),
    pause: float = PAUSE,
    listed: Callable[[], Sequence[Path]] = tuple,
) -> Iterator[None]:
    """Once at first, then whenever the file has changed and has stopped changing.

    A file that an editor replaces by another one has changed; one that is gone for a moment has
    not, nor has one in whose place there is a folder, or a pipe that nobody may write to. `others`
    are looked at, too, and may be other ones after each time: imported files. `listed` are the
    files of folders, as they are now: it is a change if there is another one, or one less. What
    changes while somebody works on an earlier change is not missed.
    """
    seen: dict[Path, _State | None] = {path: _state(path)}
    begun, shown = time.time_ns(), tuple(listed())
    yield
    while True:
        inside = tuple(listed())
        files = (path, *others, *inside)
        seen = {file: seen[file] if file in seen else _before(file, begun) for file in files}
        time.sleep(pause)
        now = {file: _state(file) for file in files}
        gone = now[path] is None and (not inside or path in inside)
        if gone or (now == seen and inside == shown):
            continue
        time.sleep(pause)
        if now == {file: _state(file) for file in files} and inside == tuple(listed()):
            seen, shown, begun = now, inside, time.time_ns()
            yield


def _before(path: Path, begun: int) -> _State | None:
    """What a file was like when work began on it that has just told of it; None if it changed."""
    found = _state(path)
    return None if found is None or found[0] >= begun else found


def _state(path: Path) -> _State | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return (found.st_mtime_ns, found.st_size, found.st_ino) if S_ISREG(found.st_mode) else None
