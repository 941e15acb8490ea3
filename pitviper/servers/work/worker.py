"""What a server sees of a process that works for it: lines that come, and a way to end it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from pitviper.base.scratch import scratch_file

LONGEST = 1 << 26
"""Bytes of a line."""

Line = dict[str, Any]
"""A JSON object that a worker says."""


class Nursery:
    """Starts workers that run a module; what they need is loaded before somebody waits for it."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._process: subprocess.Popen[bytes] | None = None
        self._asking: socket.socket | None = None

    def prepare(self) -> None:
        """Starts the process that forks workers, unless it is there."""
        if self._process is not None and self._process.poll() is None:
            return
        self.close()
        self._asking, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "pitviper.servers.work.nursery", self._module],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )

    async def begin(self, request: Line, folder: Path | None = None) -> Worker:
        """Starts a worker on a request, in a folder. OSError where that is not possible."""
        self.prepare()
        assert self._asking is not None
        with scratch_file() as file:
            first = {"folder": None if folder is None else str(folder)}
            file.write(f"{json.dumps(first)}\n{json.dumps(request)}\n".encode())
            file.seek(0)
            reading, writing = os.pipe()
            try:
                socket.send_fds(self._asking, [b"r"], [file.fileno(), writing])
            except OSError:
                os.close(reading)
                raise
            finally:
                os.close(writing)
        loop = asyncio.get_running_loop()
        lines = asyncio.StreamReader(LONGEST, loop=loop)
        pipe = open(reading, "rb", buffering=0)  # noqa: SIM115  the transport closes it
        transport, _ = await loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(lines, loop=loop), pipe
        )
        return Worker(lines, transport)

    def close(self) -> None:
        """Ends the process and all its workers."""
        if self._asking is not None:
            self._asking.close()
            self._asking = None
        if self._process is not None:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(0.2)
            if self._process.poll() is None:
                self._process.kill()
                self._process.wait()
            self._process = None


class Worker:
    """A process that works on one request."""

    def __init__(self, lines: asyncio.StreamReader, transport: asyncio.ReadTransport) -> None:
        self._lines = lines
        self._transport = transport
        self._pid: int | None = None
        self._killed = False
        self._over = False

    async def said(self) -> AsyncIterator[Line]:
        """Gives what the worker says until it ends; nothing more once it was killed.

        ValueError for what is no JSON object. Whether the last line was the last word is for the
        reader to know: a worker may die.
        """
        try:
            while line := await self._lines.readline():
                data: Line = json.loads(line)
                if self._pid is None:
                    self._pid = int(data["process"])
                    if self._killed:
                        self._end()
                elif not self._killed:
                    yield data
        finally:
            self._over = True
            self._transport.close()

    def kill(self) -> None:
        """Ends the worker and the processes that it started."""
        self._killed = True
        self._end()

    def _end(self) -> None:
        if self._pid is not None and not self._over:
            with suppress(ProcessLookupError):
                os.killpg(self._pid, signal.SIGKILL)
