"""How a language server is started: for one editor on standard input, for several on a port.

Each connection has a server of its own: what one editor has open is nothing to the other.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import threading
from contextlib import suppress

from pygls.exceptions import JsonRpcException
from pygls.io_ import run_async

from pitviper.base.json_text import read_json
from pitviper.base.usage_error import UsageError
from pitviper.servers.ending import ends_with_signals, standard_streams
from pitviper.servers.lsp.requests import equip
from pitviper.servers.lsp.server import PitviperServer, ServerOptions
from pitviper.servers.lsp.stream import LONGEST, streams_of

HOST = "127.0.0.1"
"""Nothing listens beyond this machine."""


def make_server(options: ServerOptions) -> PitviperServer:
    """Returns a server that knows how to answer, not yet started."""
    logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_no_refusal)
    server = PitviperServer(options)
    equip(server)
    return server


def _is_no_refusal(record: logging.LogRecord) -> bool:
    """Whether a message of the library is about more than an answer that says no."""
    what = record.exc_info[1] if record.exc_info else None
    return not isinstance(what, JsonRpcException)


def serve(options: ServerOptions, port: int | None = None) -> None:
    """Serves one editor on standard input and output, or editors on a port of this machine."""
    if port is not None:
        asyncio.run(_Listening(options).run(port))
        return
    server = make_server(options)
    ends_with_signals(server.end_processes)
    try:
        source, sink = standard_streams()
        server.start_io(*streams_of(source, sink, server.end_processes))
    finally:
        server.end_processes()


class _Listening:
    """Editors on a port; the process ends when the last of them goes."""

    def __init__(self, options: ServerOptions) -> None:
        self._options = options
        self._servers: set[PitviperServer] = set()
        self._over = asyncio.Event()

    async def run(self, port: int) -> None:
        """Serves until the last editor is gone; the port is told on standard output."""
        ends_with_signals(self._end)
        try:
            listening = await asyncio.start_server(self._connected, HOST, port)
        except OSError as error:
            raise UsageError(f"cannot listen on port {port}: {error.strerror}") from error
        sys.stdout.write(f"listening on {HOST}:{listening.sockets[0].getsockname()[1]}\n")
        sys.stdout.flush()
        async with listening:
            await self._over.wait()

    def _end(self) -> None:
        for server in list(self._servers):
            server.end_processes()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server, spoken = make_server(self._options), Spoken(b"", reader)
        self._servers.add(server)
        try:
            await talk(server, spoken, writer)
        finally:
            self._servers.discard(server)
            writer.close()
            if spoken.has_spoken and not self._servers:
                self._over.set()


async def talk(server: PitviperServer, reader: Spoken, writer: asyncio.StreamWriter) -> None:
    """Answers one client until it goes; then all that was started for it ends."""
    server.protocol.set_writer(writer)
    try:
        with suppress(ConnectionError, asyncio.IncompleteReadError, ValueError):
            await run_async(
                stop_event=threading.Event(),
                reader=reader,
                protocol=server.protocol,
                error_handler=server.report_server_error,
            )
    except SystemExit:  # how the protocol's library says that the client has said `exit`
        pass
    finally:
        server.end_processes()


class Spoken:
    """What a client says on a connection of which the first line may have been read already.

    It `has_spoken` if a message came: somebody who only sends nonsense is no client.
    """

    def __init__(self, first: bytes, reader: asyncio.StreamReader) -> None:
        self._first = first
        self._reader = reader
        self.has_spoken = False

    async def readline(self) -> bytes:
        first, self._first = self._first, b""
        return first or await self._reader.readline()

    async def readexactly(self, n: int) -> bytes:
        """Returns a message; one of our own without parameters gets empty ones.

        The protocol allows to leave them out, the library that reads the message does not.
        """
        if n > LONGEST:
            raise ValueError("a message that is too long")
        body = await self._reader.readexactly(n)
        message = read_json(body.decode())
        if not isinstance(message, dict):
            raise ValueError("a message that is none")  # the connection ends
        self.has_spoken = True
        if "method" not in message or "params" in message:
            return body
        return json.dumps({**message, "params": None}).encode()
