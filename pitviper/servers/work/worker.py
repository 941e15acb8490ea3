"""What a server sees of a process that works for it: lines that come, and a way to end it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

LONGEST = 1 << 26
"""Bytes of a line."""

Line = dict[str, Any]
"""A JSON object that a worker says."""


MOST_REQUESTS = 32
"""Requests after which a worker that is kept is let go: its memory grows with what it has seen."""


class Nursery:
    """Starts workers that run a module; what they need is loaded before somebody waits for it.

    One that is done is `kept` for the next request, where that is wanted: a process that was just
    forked is half as quick, since whatever it touches has to be copied first.
    """

    def __init__(self, module: str, *, kept: bool = False) -> None:
        self._module = module
        self._process: subprocess.Popen[bytes] | None = None
        self._asking: socket.socket | None = None
        self._keeps = kept
        self._idle: Worker | None = None

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
        worker, self._idle = self._idle, None
        if worker is None or not worker.is_alive:
            worker = await self._fork()
        worker.tell({"folder": None if folder is None else str(folder)}, request)
        return worker

    async def _fork(self) -> Worker:
        assert self._asking is not None
        (wanted, asking), (reading, writing) = os.pipe(), os.pipe()
        try:
            socket.send_fds(self._asking, [b"r"], [wanted, writing])
        except OSError:
            os.close(asking)
            os.close(reading)
            raise
        finally:
            os.close(wanted)
            os.close(writing)
        loop = asyncio.get_running_loop()
        lines = asyncio.StreamReader(LONGEST, loop=loop)
        source = open(reading, "rb", buffering=0)  # noqa: SIM115  the transport closes it
        sink = open(asking, "wb", buffering=0)  # noqa: SIM115  the transport closes it
        answers, _ = await loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(lines, loop=loop), source
        )
        requests, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, sink)
        return Worker(lines, answers, requests, self._done)

    def _done(self, worker: Worker) -> bool:
        """Whether a worker that has done its request is kept."""
        if not self._keeps or self._idle is not None or worker.requests >= MOST_REQUESTS:
            return False
        self._idle = worker
        return True

    def close(self) -> None:
        """Ends the process and all its workers."""
        self._idle = None
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
    """A process that works on one request at a time."""

    def __init__(
        self,
        lines: asyncio.StreamReader,
        answers: asyncio.ReadTransport,
        asking: asyncio.WriteTransport,
        done: Callable[[Worker], bool],
    ) -> None:
        self._lines = lines
        self._answers = answers
        self._asking = asking
        self._done = done
        self._pid: int | None = None
        self._killed = False
        self._over = False
        self.requests = 0

    @property
    def is_alive(self) -> bool:
        """Whether it can be told something: its end is seen at the end of its lines."""
        return not self._killed and not self._over and not self._lines.at_eof()

    def tell(self, *request: Line) -> None:
        """Sends the lines of a request."""
        self.requests += 1
        self._asking.write("".join(f"{json.dumps(line)}\n" for line in request).encode())

    async def said(self) -> AsyncIterator[Line]:
        """Gives what the worker says until it is done; nothing more once it was killed.

        ValueError for what is no JSON object. Whether the last line was the last word is for the
        reader to know: a worker may die.
        """
        is_kept = False
        try:
            while line := await self._lines.readline():
                data: Line = json.loads(line)
                if self._pid is None:
                    self._pid = int(data["process"])
                    if self._killed:
                        self._end()
                elif "over" in data:
                    is_kept = not self._killed and self._done(self)
                    break
                elif not self._killed:
                    yield data
        finally:
            if not is_kept:
                self._over = True
                self._answers.close()
                self._asking.close()

    def kill(self) -> None:
        """Ends the worker and the processes that it started."""
        self._killed = True
        self._end()

    def _end(self) -> None:
        if self._pid is not None and not self._over:
            with suppress(ProcessLookupError):
                os.killpg(self._pid, signal.SIGKILL)
