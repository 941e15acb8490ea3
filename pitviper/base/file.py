"""The one way to write a file: it has its old content or all of the new one, never a part.

The new content is written beside the file and takes its place in one step. Access rights and owner
stay as they were, a link stays a link, and what is read-only is not written. A log alone grows.
"""

from __future__ import annotations

import io
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from pitviper.base.usage_error import UsageError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


def write_file(path: Path, content: str | bytes) -> int:
    """Writes UTF-8 and returns the number of bytes.

    UsageError where that cannot be done, and then the old content is there. A name that is no text
    of Unicode (a file system may have such) is written with escapes.
    """
    data = content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
    try:
        target = path.resolve()
        before = _status(target)
        if before is None or stat.S_ISREG(before.st_mode):
            _replace(target, before, data)
        else:  # a terminal, a pipe: there is nothing to be lost
            target.write_bytes(data)
    except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: links in a circle
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(f"cannot write {path}: {reason}") from error
    return len(data)


def open_log(path: Path) -> TextIO:
    """Returns a file that grows; UsageError where there can be none, or it cannot grow later."""
    try:
        raw = _Named(path, "w")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error
    buffered = io.BufferedWriter(raw)
    return io.TextIOWrapper(buffered, encoding="utf-8", errors="backslashreplace")


class _Named(io.FileIO):
    """A file whose errors say which one it is: those of a full disk do not."""

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            raise UsageError(f"cannot write {self.name}: {error.strerror}") from error


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _replace(path: Path, before: os.stat_result | None, data: bytes) -> None:
    if before is not None and not (before.st_mode & 0o222 and os.access(path, os.W_OK)):
        raise PermissionError(13, "it is read-only")
    new = path.with_name(f".pitviper-{os.urandom(8).hex()}")
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if before is None else 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            if before is not None:
                _keep(file.fileno(), before)
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)


def _keep(file: int, before: os.stat_result) -> None:
    """The owner first: changing it takes some rights away."""
    now = os.fstat(file)
    if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
        os.fchown(file, before.st_uid, before.st_gid)
    os.fchmod(file, stat.S_IMODE(before.st_mode))
