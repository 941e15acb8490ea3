"""A folder of small files, each under its key, for several processes at once.

A file appears in one step and is never changed. It starts with the digest of the rest: whatever
was damaged, or written by somebody else, is not there for us. Where the folder grows beyond its
limit, the files that were not used for longest go.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

from pitviper.base.digest import blake2b
from pitviper.base.record import record

LAYOUT = "v1"
"""Other versions with another layout have a folder of their own beside it."""

LIMIT = 256 << 20
"""Bytes of all files together."""

_ENOUGH = 0.8
"""The part of the limit that is kept when the folder is swept."""

_SWEEP_AFTER = 600.0
_REFRESH_AFTER = 3600.0
_SUFFIX = ".json"
_SWEPT = "swept"


@record
class CacheInfo:
    """`files` files of `size` bytes together."""

    folder: Path
    files: int
    size: int
    limit: int


def default_folder() -> Path | None:
    """Where the user's programs keep what they can do without; None for a user without home."""
    return own_folder("XDG_CACHE_HOME", ".cache")


def own_folder(variable: str, usual: str) -> Path | None:
    """Our folder below the one that a variable names, or below its usual place at home."""
    chosen = os.environ.get(variable, "")
    if os.path.isabs(chosen):
        return Path(chosen) / "pitviper"
    home = os.environ.get("HOME") or os.path.expanduser("~")
    return Path(home) / usual / "pitviper" if os.path.isabs(home) else None


class CacheFolder:
    """`problem` says what went wrong first; from then on nothing is written."""

    def __init__(self, folder: Path, limit: int = LIMIT) -> None:
        self.folder = folder
        self.problem: str | None = None
        self._root = folder / LAYOUT
        self._limit = limit
        self._written = 0

    def read(self, key: str) -> str | None:
        """What was written under a key; None if nothing is there, or not what was written."""
        path = self._path(key)
        try:
            data = path.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            self._complain("read", error)
            return None
        digest, _, body = data.partition(b"\n")
        if digest != _digest(body):
            self._remove(path)
            return None
        self._refresh(path)
        with contextlib.suppress(UnicodeDecodeError):
            return body.decode("utf-8")
        return None

    def write(self, key: str, text: str) -> None:
        if self.problem is not None:
            return
        body = text.encode("utf-8", "replace")
        path = self._path(key)
        try:
            self._make(path.parent)
            new = path.with_name(f".new-{os.urandom(8).hex()}")
            try:
                with open(new, "xb", opener=_private) as file:
                    file.write(_digest(body) + b"\n" + body)
                new.replace(path)
            finally:
                new.unlink(missing_ok=True)
        except OSError as error:
            self._complain("write to", error)
        self._written += 1

    def forget(self, key: str) -> None:
        """What is under the key is of no use."""
        self._remove(self._path(key))

    def close(self) -> None:
        """After a run: sweep, now and then."""
        if self._written and self.problem is None and self._is_time_to_sweep():
            self.sweep()

    def sweep(self) -> None:
        """Remove what was not used for longest, if the folder is too large."""
        found = self._files()
        size = sum(f.st_size for _, f in found)
        if size <= self._limit:
            return
        for path, status in sorted(found, key=lambda item: item[1].st_mtime):
            if size <= self._limit * _ENOUGH:
                return
            self._remove(path)
            size -= status.st_size

    def info(self) -> CacheInfo:
        found = self._files()
        return CacheInfo(self.folder, len(found), sum(f.st_size for _, f in found), self._limit)

    def clear(self) -> int:
        """Remove all that this layout has written; the number of files. OSError if it cannot."""
        found = self._files()
        if self._root.is_dir():
            import shutil

            shutil.rmtree(self._root)
        return len(found)

    def _path(self, key: str) -> Path:
        return self._root / key[:2] / f"{key[2:]}{_SUFFIX}"

    def _make(self, folder: Path) -> None:
        if not folder.is_dir():
            self._root.parent.mkdir(parents=True, exist_ok=True)
            self._root.mkdir(mode=0o700, exist_ok=True)
            folder.mkdir(mode=0o700, exist_ok=True)

    def _files(self) -> list[tuple[Path, os.stat_result]]:
        found = []
        for path in self._root.glob("??/*"):
            with contextlib.suppress(OSError):  # another process was quicker
                found.append((path, path.stat()))
        return found

    def _is_time_to_sweep(self) -> bool:
        mark = self._root / _SWEPT
        try:
            if time.time() - mark.stat().st_mtime < _SWEEP_AFTER:
                return False
        except OSError:
            pass
        with contextlib.suppress(OSError):
            mark.touch()
        return True

    def _refresh(self, path: Path) -> None:
        """Remember that the file was used, to the hour."""
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > _REFRESH_AFTER:
                os.utime(path)

    def _remove(self, path: Path) -> None:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)

    def _complain(self, action: str, error: OSError) -> None:
        reason = (error.strerror or str(error)).lower()
        self.problem = self.problem or f"cannot {action} the cache {self.folder}: {reason}"


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _digest(body: bytes) -> bytes:
    return blake2b(body, digest_size=16).hexdigest().encode()
