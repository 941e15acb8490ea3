"""A folder of small files, each under its key, for several processes at once.

A file appears in one step and is never changed. It starts with a digest of its key and of the rest:
what was damaged, or put under another key, is not there for us. Nor is what belongs to another
user, or could be written by one. Where the folder grows beyond its limit, the files that were not
used for longest go.
"""

from __future__ import annotations

import contextlib
import os
import stat
import time
from pathlib import Path

from pitviper.base.digest import blake2b
from pitviper.base.record import record

LAYOUT = "v2"
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
        self._trusted = False

    def read(self, key: str) -> str | None:
        """What was written under a key; None if nothing is there, or not what was written."""
        path = self._path(key)
        try:
            data = _own_bytes(path) if self._is_ours_alone() else None
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            self._complain("read", error)
            return None
        if data is None:
            return None
        digest, _, body = data.partition(b"\n")
        if digest != _digest(key, body):
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
        data = _digest(key, body) + b"\n" + body
        try:
            try:
                self._write(self._path(key), data)
            except FileNotFoundError:  # somebody has cleared the cache in this moment
                self._write(self._path(key), data)
        except OSError as error:
            self._complain("write to", error)
        self._written += 1

    def _write(self, path: Path, data: bytes) -> None:
        self._make(path.parent)
        if not self._is_ours_alone():
            return
        new = path.with_name(f".new-{os.urandom(8).hex()}")
        try:
            with open(new, "xb", opener=_private) as file:
                file.write(data)
            new.replace(path)
        finally:
            new.unlink(missing_ok=True)

    def _is_ours_alone(self) -> bool:
        """Whether nobody else can have put anything here; says so once where somebody could."""
        if not self._trusted:
            found = self._root.lstat()
            self._trusted = stat.S_ISDIR(found.st_mode) and _is_private(found)
        if not self._trusted and self.problem is None:
            self.problem = f"the cache {self.folder} is not used: others may write to it"
        return self._trusted

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

            away = self._root.with_name(f".old-{os.urandom(8).hex()}")
            self._root.rename(away)  # others begin a new one, and write no more to this
            shutil.rmtree(away)
        self._trusted = False
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


def _own_bytes(path: Path) -> bytes | None:
    """The bytes of a file that only we can have written; None for any other."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(handle, "rb") as file:
        found = os.fstat(handle)
        return file.read() if stat.S_ISREG(found.st_mode) and _is_private(found) else None


def _is_private(found: os.stat_result) -> bool:
    return found.st_uid == os.getuid() and not found.st_mode & 0o022


def _digest(key: str, body: bytes) -> bytes:
    return blake2b(key.encode() + b"\n" + body, digest_size=16).hexdigest().encode()
