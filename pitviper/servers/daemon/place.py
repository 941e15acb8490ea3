"""Where a daemon is found; every command looks there, so nothing large is loaded for it.

A daemon serves one user and one version: both are in the name of its socket, so a client never
finds one that would answer differently. Nobody else can read or write in the folder.
"""

from __future__ import annotations

import os
import stat
import sys

from pitviper.base.usage_error import UsageError
from pitviper.driver.cache.stamp import stamp

_PREFIX, _SUFFIX = "daemon-", ".sock"


def is_possible() -> bool:
    """Whether this system has what a daemon needs."""
    return hasattr(os, "fork") and sys.platform != "win32"


def seems_there() -> bool:
    """Whether there is a socket; somebody may listen at it."""
    try:
        return is_possible() and os.path.exists(socket_path())
    except UsageError:
        return False


def runtime_folder() -> str:
    """A folder of the user alone; UsageError where somebody else has prepared another one."""
    base = os.environ.get("XDG_RUNTIME_DIR")
    if base and os.path.isabs(base):
        folder = os.path.join(base, "pitviper")
    else:
        folder = os.path.join(os.environ.get("TMPDIR") or "/tmp", f"pitviper-{os.getuid()}")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        found = os.lstat(folder)
    except OSError as error:
        raise UsageError(f"cannot use {folder}: {error.strerror}") from error
    private = stat.S_ISDIR(found.st_mode) and not found.st_mode & 0o077
    if not private or found.st_uid != os.getuid():
        raise UsageError(f"cannot use {folder}: others may have access to it")
    return folder


def socket_path() -> str:
    """The socket of a daemon of this version."""
    return os.path.join(runtime_folder(), f"{_PREFIX}{stamp()[:16]}{_SUFFIX}")


def beside(path: str, suffix: str) -> str:
    """The file of another kind that belongs to a socket."""
    return path.removesuffix(_SUFFIX) + suffix


def all_sockets() -> list[str]:
    """Those of other versions, too."""
    folder = runtime_folder()
    names = [n for n in os.listdir(folder) if n.startswith(_PREFIX) and n.endswith(_SUFFIX)]
    return [os.path.join(folder, name) for name in sorted(names)]


def is_ours_alone(word: str) -> bool:
    """Whether a word names something that another process may not see, such as a pipe."""
    if word.startswith(("/dev/", "/proc/")):
        return True
    return os.path.exists(word) and not os.path.isfile(word) and not os.path.isdir(word)
