"""A process that works for a page and can be killed at any moment, with all that it has started."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections import deque
from collections.abc import AsyncGenerator
from pathlib import Path

from pitviper.servers.web.messages import Data
from pitviper.servers.web.settings import LARGEST_ANSWER


class Gone(Exception):
    """The process has ended without an answer."""


class Worker:
    """A process of `worker.py`: one request at a time, answers as lines."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls, folder: Path) -> Worker:
        """Starts a process that loads what it needs while nobody waits for it."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "pitviper.servers.web.worker",
            str(folder),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
            limit=LARGEST_ANSWER,
        )
        return cls(process)

    @property
    def is_alive(self) -> bool:
        """Whether it may answer: that its output has ended is known before how it ended."""
        stdout = self._process.stdout
        assert stdout is not None
        return self._process.returncode is None and not stdout.at_eof()

    async def ask(self, request: Data) -> AsyncGenerator[Data, None]:
        """Gives the answers to a request; the first is `begun`, the last `done` or `failed`."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        try:
            stdin.write(json.dumps(request).encode() + b"\n")
            await stdin.drain()
            while True:
                line = await stdout.readline()
                if not line:
                    raise Gone
                answer: Data = json.loads(line)
                yield answer
                if answer["kind"] in ("done", "failed"):
                    return
        except (OSError, ValueError) as error:
            self.kill()
            raise Gone from error

    def kill(self) -> None:
        """Ends the process and those that it has started."""
        if self._process.returncode is not None:
            return
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return

    async def ended(self) -> None:
        """Waits until the process is gone."""
        await self._process.wait()


class Spare:
    """Processes that are started before somebody needs them: a page that opens takes three."""

    def __init__(self, folder: Path, count: int = 3) -> None:
        self._folder = folder
        self._count = count
        self._waiting: deque[asyncio.Task[Worker]] = deque()

    def prepare(self) -> None:
        """Starts as many as are missing."""
        loop = asyncio.get_running_loop()
        while len(self._waiting) < self._count:
            self._waiting.append(loop.create_task(Worker.start(self._folder)))

    async def take(self) -> Worker:
        """Returns a process nobody else has, the one that was started first."""
        self.prepare()
        taken = self._waiting.popleft()
        self.prepare()
        worker = await taken
        return worker if worker.is_alive else await Worker.start(self._folder)

    async def close(self) -> None:
        """Ends those that nobody has taken."""
        while self._waiting:
            worker = await self._waiting.popleft()
            worker.kill()
            await worker.ended()
