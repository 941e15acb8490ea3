"""Where the daemon is found, and how it is talked to.

A daemon serves one user and one version: both are in the name of its socket, so a client never
finds one that would answer differently. Nobody else can read or write in the folder.
"""

from __future__ import annotations

import json
import os
import socket
import stat
import struct
import tempfile
from pathlib import Path

from pitviper.driver.stamp import stamp
from pitviper.driver.usage_error import UsageError

_LENGTH = struct.Struct("!I")
_LONGEST = 64 << 20
_PREFIX = "daemon-"

Message = dict[str, object]


class Hangup(Exception):
    """The other side is gone, or talks nonsense."""


def is_possible() -> bool:
    """Whether this system has what a daemon needs."""
    return hasattr(os, "fork") and hasattr(socket, "AF_UNIX")


def runtime_folder() -> Path:
    """A folder of the user alone; UsageError where somebody else has prepared another one."""
    base = os.environ.get("XDG_RUNTIME_DIR")
    if base and os.path.isabs(base):
        folder = Path(base) / "pitviper"
    else:
        folder = Path(tempfile.gettempdir()) / f"pitviper-{os.getuid()}"
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


def connect(path: Path) -> socket.socket | None:
    """A connection; None if nobody answers there. A socket that nobody listens at is removed."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.connect(str(path))
    except ConnectionRefusedError:
        connection.close()
        path.unlink(missing_ok=True)
        return None
    except OSError:
        connection.close()
        return None
    return connection


def send(connection: socket.socket, message: Message, files: list[int] | None = None) -> None:
    """A message, with open files for the other side."""
    data = json.dumps(message).encode()
    try:
        if files:
            socket.send_fds(connection, [_LENGTH.pack(len(data))], files)
        else:
            connection.sendall(_LENGTH.pack(len(data)))
        connection.sendall(data)
    except OSError as error:
        raise Hangup from error


def receive(connection: socket.socket, most_files: int = 0) -> tuple[Message, list[int]]:
    """A message, and the files that came with it."""
    try:
        if most_files:
            head, files, _, _ = socket.recv_fds(connection, _LENGTH.size, most_files)
        else:
            head, files = connection.recv(_LENGTH.size), []
        if len(head) != _LENGTH.size:
            raise Hangup
        (length,) = _LENGTH.unpack(head)
        message = json.loads(_exactly(connection, length))
    except (OSError, ValueError) as error:
        raise Hangup from error
    if not isinstance(message, dict):
        raise Hangup
    return message, list(files)


def _exactly(connection: socket.socket, length: int) -> bytes:
    if length > _LONGEST:
        raise Hangup
    parts = bytearray()
    while len(parts) < length:
        part = connection.recv(length - len(parts))
        if not part:
            raise Hangup
        parts += part
    return bytes(parts)


def is_ours(connection: socket.socket) -> bool:
    """Whether the other side belongs to the same user, where the system tells."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    found = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    _, user, _ = struct.unpack("3i", found)
    return bool(user == os.getuid())
