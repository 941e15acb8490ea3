"""How a daemon is talked to: messages, and open files, through a socket."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import struct
import time

from pitviper.base.json_text import read_json

_LENGTH = struct.Struct("!I")
_LONGEST = 64 << 20

Message = dict[str, object]


class Hangup(Exception):
    """The other side is gone, or talks nonsense."""


def connect(path: str) -> socket.socket | None:
    """A connection; None if nobody answers there. A socket that nobody listens at is removed."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.connect(path)
    except ConnectionRefusedError:
        connection.close()
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
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


def receive(
    connection: socket.socket, most_files: int = 0, seconds: float | None = None
) -> tuple[Message, list[int]]:
    """A message, and the files that came with it; Hangup where it takes longer than `seconds`.

    Files that came with what is no message are closed.
    """
    files: list[int] = []
    deadline = None if seconds is None else time.monotonic() + seconds
    try:
        return _receive(connection, most_files, files, deadline), files
    except BaseException:
        for file in files:
            os.close(file)
        raise


def _receive(
    connection: socket.socket, most_files: int, files: list[int], deadline: float | None
) -> Message:
    try:
        _until(connection, deadline)
        if most_files:
            head, came, _, _ = socket.recv_fds(connection, _LENGTH.size, most_files)
            files.extend(came)
        else:
            head = connection.recv(_LENGTH.size)
        if len(head) != _LENGTH.size:
            raise Hangup
        (length,) = _LENGTH.unpack(head)
        message = read_json(_exactly(connection, length, deadline).decode())
    except (OSError, ValueError) as error:
        raise Hangup from error
    if not isinstance(message, dict):
        raise Hangup
    return message


def _until(connection: socket.socket, deadline: float | None) -> None:
    """Makes the next wait end in time: a timeout of a socket counts from byte to byte."""
    if deadline is not None:
        left = deadline - time.monotonic()
        if left <= 0:
            raise Hangup
        connection.settimeout(left)


def _exactly(connection: socket.socket, length: int, deadline: float | None) -> bytes:
    if length > _LONGEST:
        raise Hangup
    parts = bytearray()
    while len(parts) < length:
        _until(connection, deadline)
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
