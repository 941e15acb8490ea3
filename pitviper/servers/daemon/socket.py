"""How a daemon is talked to: messages, and open files, through a socket.

A message is JSON behind its length. A client waits for Python to load what it uses, so it loads the
part of `socket` that is written in C, and no parser for the few answers that are usual.
"""

from __future__ import annotations

import _socket
import contextlib
import os
import sys
import time
from _json import encode_basestring_ascii as _quoted
from _socket import socket

_HEAD = 4
"""Bytes that tell how long a message is."""

_INT = 4
"""Bytes of an `int` of C, wherever there are such sockets."""

_LONGEST = 64 << 20

Message = dict[str, object]

_USUAL: dict[bytes, Message] = {
    b'{"begun": true}': {"begun": True},
    b'{"told": true}': {"told": True},
    **{b'{"exit": %d}' % code: {"exit": code} for code in range(10)},
}
"""What a daemon answers to a command, as a rule."""


class Hangup(Exception):
    """The other side is gone, or talks nonsense."""


def connect(path: str) -> socket | None:
    """A connection; None if nobody answers there. A socket that nobody listens at is removed."""
    connection = socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
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


def send(connection: socket, message: Message, files: list[int] | None = None) -> None:
    """A message, with open files for the other side."""
    data = _text(message).encode()
    head = len(data).to_bytes(_HEAD)
    try:
        if files:
            rights = b"".join([file.to_bytes(_INT, sys.byteorder) for file in files])
            connection.sendmsg([head], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, rights)])
        else:
            connection.sendall(head)
        connection.sendall(data)
    except OSError as error:
        raise Hangup from error


def _text(value: object) -> str:
    """JSON; TypeError where there is none."""
    match value:
        case str():
            return _quoted(value)
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return int.__repr__(value)  # that of a named number tells its name
        case float():
            return float.__repr__(value)
        case list():
            return f"[{', '.join([_text(item) for item in value])}]"
        case dict():
            items = [f"{_quoted(name)}: {_text(item)}" for name, item in value.items()]
            return f"{{{', '.join(items)}}}"
    raise TypeError(f"no part of a message: {value!r}")


def receive(
    connection: socket, most_files: int = 0, seconds: float | None = None
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
    connection: socket, most_files: int, files: list[int], deadline: float | None
) -> Message:
    try:
        _until(connection, deadline)
        head = _head(connection, most_files, files)
        if len(head) != _HEAD:
            raise Hangup
        message = _read(_exactly(connection, int.from_bytes(head), deadline))
    except (OSError, ValueError) as error:
        raise Hangup from error
    if not isinstance(message, dict):
        raise Hangup
    return message


def _read(data: bytes) -> object:
    usual = _USUAL.get(data)
    if usual is not None:
        return usual
    from pitviper.base.json_text import read_json

    return read_json(data.decode())


def _head(connection: socket, most: int, files: list[int]) -> bytes:
    """The first bytes of a message; files that came along, so many at most, go into `files`."""
    if not most:
        return connection.recv(_HEAD)
    head, told, _, _ = connection.recvmsg(_HEAD, _socket.CMSG_LEN(most * _INT))
    for level, kind, data in told:
        if (level, kind) == (_socket.SOL_SOCKET, _socket.SCM_RIGHTS):
            whole = range(0, len(data) - len(data) % _INT, _INT)
            files += [int.from_bytes(data[at : at + _INT], sys.byteorder) for at in whole]
    return head


def _until(connection: socket, deadline: float | None) -> None:
    """Makes the next wait end in time: a timeout of a socket counts from byte to byte."""
    if deadline is not None:
        left = deadline - time.monotonic()
        if left <= 0:
            raise Hangup
        connection.settimeout(left)


def _exactly(connection: socket, length: int, deadline: float | None) -> bytes:
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


def is_ours(connection: socket) -> bool:
    """Whether the other side belongs to the same user, where the system tells."""
    if not hasattr(_socket, "SO_PEERCRED"):
        return True
    found = connection.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 3 * _INT)
    return int.from_bytes(found[_INT : 2 * _INT], sys.byteorder) == os.getuid()
