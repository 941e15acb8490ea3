"""One port of loopback for clients of ViperServer: the first bytes tell which protocol one speaks.

The server ends when the last language client goes, when a client asks for it over HTTP, or when it
is told to by a signal. Its cache is a folder of its own, gone with it.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pitviper.base.record import record
from pitviper.base.scratch import scratch_folder
from pitviper.base.usage_error import UsageError
from pitviper.servers.lsp.server import ServerOptions
from pitviper.servers.lsp.serving import Spoken, talk
from pitviper.servers.viper.asked import Translate
from pitviper.servers.viper.http import Interface, Jobs, TooLarge, read_call
from pitviper.servers.viper.language import Host, make_viper_server

if TYPE_CHECKING:
    from pitviper.servers.viper.language import ViperServer

HOST = "127.0.0.1"
"""Nothing listens beyond this machine."""

GRACE = 5.0
"""Seconds in which connections may end when the server does."""


@record
class ViperOptions:
    """`port` is 0 for one that is free; `processes` jobs work at the same time.

    `timeout` is for one verification, where its client names no other.
    """

    port: int
    processes: int
    translate: Translate
    timeout: float | None = None


def serve_viper(options: ViperOptions) -> None:
    """Serves until somebody wants it to end; the port is told on standard output."""
    with scratch_folder("viper") as folder:
        asyncio.run(_Server(options, folder).run())


class _Server:
    def __init__(self, options: ViperOptions, folder: Path) -> None:
        self._options = options
        self._jobs = Jobs(folder / "cache", options.processes, options.timeout)
        self._over = asyncio.Event()
        self._http = Interface(self._jobs, options.translate, self._over.set)
        self._clients: set[ViperServer] = set()
        self._connections: dict[asyncio.Task[object], asyncio.StreamWriter] = {}
        self._port = 0

    async def run(self) -> None:
        listening = await self._listening(self._options.port)
        self._port = listening.sockets[0].getsockname()[1]
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._over.set)
        sys.stdout.write(f"<ViperServerPort:{self._port}>\n")
        sys.stdout.write(f"ViperServer online at http://localhost:{self._port}\n")
        sys.stdout.flush()
        async with listening:
            await self._over.wait()
            listening.close()
        under_way = self._jobs.close()
        for client in self._clients:
            client.end_processes()
        for writer in self._connections.values():
            writer.close()
        if ends := [*self._connections, *under_way]:
            await asyncio.wait(ends, timeout=GRACE)

    async def _listening(self, port: int) -> asyncio.Server:
        try:
            return await asyncio.start_server(self._connected, HOST, port, limit=1 << 24)
        except OSError as error:
            raise UsageError(f"cannot listen on port {port}: {error.strerror}") from error

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections[task] = writer
        task.add_done_callback(lambda done: self._connections.pop(done, None))
        with suppress(ConnectionError, asyncio.IncompleteReadError, ValueError):
            first = await reader.readline()
            if first.lower().startswith(b"content-"):
                await self._language_client(Spoken(first, reader), writer)
            else:
                await self._requests(first, reader, writer)
        writer.close()

    async def _requests(
        self, first: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Answers request after request on one connection."""
        while first and not self._over.is_set():
            try:
                call = await read_call(first, reader)
            except TooLarge:
                return
            if call is None:
                return
            await self._http.answer(call, writer)
            if call.headers.get("connection", "").lower() == "close":
                return
            first = await reader.readline()

    async def _language_client(self, reader: Spoken, writer: asyncio.StreamWriter) -> None:
        options = ServerOptions(
            timeout=self._options.timeout, cache=self._jobs.cache, pause=None, on_save=False
        )
        host = Host(self._port, options, self._options.translate, self._jobs.flush)
        server = make_viper_server(host)
        self._clients.add(server)
        try:
            await talk(server, reader, writer)
        finally:
            self._clients.discard(server)
            if reader.has_spoken and not self._clients:
                self._over.set()
