"""Where a daemon is found; every command looks there, so nothing large is loaded for it.

A daemon serves one user and one version: both are in the name of its socket, so a client never
finds one that would answer differently. Nobody else can read or write in the folder.
"""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

from pitviper.base.usage_error import UsageError
from pitviper.driver.cache.files import stamp

_PREFIX = "daemon-"


def is_possible() -> bool:
    """Whether this system has what a daemon needs."""
    return hasattr(os, "fork") and sys.platform != "win32"


def seems_there() -> bool:
    """Whether there is a socket; somebody may listen at it."""
    try:
        return is_possible() and socket_path().exists()
    except UsageError:
        return False


def runtime_folder() -> Path:
    """A folder of the user alone; UsageError where somebody else has prepared another one."""
    base = os.environ.get("XDG_RUNTIME_DIR")
    if base and os.path.isabs(base):
        folder = Path(base) / "pitviper"
    else:
        folder = Path(os.environ.get("TMPDIR") or "/tmp") / f"pitviper-{os.getuid()}"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.lstat()
    except OSError as error:
        raise UsageError(f"cannot use {folder}: {error.strerror}") from error
    private = stat.S_ISDIR(found.st_mode) and not found.st_mode & 0o077
    if not private or found.st_uid != os.getuid():
        raise UsageError(f"cannot use {folder}: others may have access to it")
    return folder


def socket_path() -> Path:
    """The socket of a daemon of this version."""
    return runtime_folder() / f"{_PREFIX}{stamp()[:16]}.sock"


def all_sockets() -> list[Path]:
    """Those of other versions, too."""
    return sorted(runtime_folder().glob(f"{_PREFIX}*.sock"))


def is_ours_alone(word: str) -> bool:
    """Whether a word names something that another process may not see, such as a pipe."""
    if word.startswith(("/dev/", "/proc/")):
        return True
    return os.path.exists(word) and not os.path.isfile(word) and not os.path.isdir(word)
