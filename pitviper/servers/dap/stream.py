"""The base protocol of debug adapters: messages with a header, one after the other."""

from __future__ import annotations

import contextlib
import json
import select
import socket
from collections.abc import Callable
from typing import BinaryIO

from pitviper.base.json_text import read_json
from pitviper.base.usage_error import UsageError
from pitviper.driver.work.process import ChildProcess
from pitviper.servers.dap.adapter import Adapter
from pitviper.views.json.lines import JsonObject

LONGEST = 10_000_000
"""Bytes of a message; a longer one is an error of whoever sends it."""


class _NoMessage(Exception):
    """No message; says why. `is_fatal` if nobody knows where the next one begins."""

    def __init__(self, why: str, *, is_fatal: bool) -> None:
        super().__init__(why)
        self.is_fatal = is_fatal


def serve(adapter: Adapter, source: BinaryIO, sink: BinaryIO) -> None:
    """Until the editor disconnects or closes the stream."""
    while not adapter.is_over:
        try:
            request = _read(source)
        except _NoMessage as error:
            _write(sink, [adapter.refusal({}, str(error))])
            if error.is_fatal:
                return
            continue
        if request is None:
            return
        _write(sink, adapter.handle(request))


def serve_port(make: Callable[[], Adapter], port: int, say: Callable[[str], None]) -> None:
    """Listens on a port of this machine: each session is a process, none outlives this one."""
    if not 0 <= port < 1 << 16:
        raise UsageError(f"{port} is no port")
    try:
        listener = socket.create_server(("127.0.0.1", port))
    except OSError as error:
        raise UsageError(f"cannot listen on port {port}: {error.strerror}") from error
    with listener:
        say(f"listening on 127.0.0.1:{listener.getsockname()[1]}")
        _accept(make, listener)


def _accept(make: Callable[[], Adapter], listener: socket.socket) -> None:
    """An editor that is silent, or whose launch takes long, keeps nobody waiting."""
    sessions: dict[int, ChildProcess] = {}
    try:
        while True:
            ready, _, _ = select.select([listener.fileno(), *sessions], [], [])
            for over in [known for known in sessions if known in ready]:
                sessions.pop(over).death()
            if listener.fileno() in ready:
                connection, _ = listener.accept()
                with connection:
                    session = _session(make, connection, [listener.fileno(), *sessions])
                sessions[session.inbox] = session
    finally:
        for session in sessions.values():
            session.end()


def _session(
    make: Callable[[], Adapter], connection: socket.socket, others: list[int]
) -> ChildProcess:
    return ChildProcess(lambda *_: _converse(make(), connection), others)


def _converse(adapter: Adapter, connection: socket.socket) -> None:
    """One session; an editor that is gone ends it."""
    source, sink = connection.makefile("rb"), connection.makefile("wb")
    with contextlib.suppress(ConnectionError), source, sink:
        serve(adapter, source, sink)


def _write(sink: BinaryIO, messages: list[JsonObject]) -> None:
    for message in messages:
        data = json.dumps(message).encode()
        sink.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
    sink.flush()


def _read(source: BinaryIO) -> JsonObject | None:
    """The next message; None at the end of the stream."""
    length = None
    while line := source.readline():
        if line in (b"\r\n", b"\n"):
            break
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            length = int(value)
    else:
        return None
    if length is None or length > LONGEST:
        raise _NoMessage("a message has no usable Content-Length", is_fatal=True)
    data = source.read(length)
    if len(data) < length:
        return None
    try:
        message = read_json(data.decode())
    except ValueError as error:
        raise _NoMessage("a message is not JSON", is_fatal=False) from error
    if not isinstance(message, dict):
        raise _NoMessage("a message is no object", is_fatal=False)
    return message
