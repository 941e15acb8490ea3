"""Asks the process that knows symbolic states, without waiting for it to be done.

The process is started when somebody asks. It is ended when a text changes that it is busy with:
what it would say is about a text that is gone.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from typing import Any

from pitviper.base.record import record
from pitviper.servers.lsp.texts.document import Document
from pitviper.servers.work.worker import LONGEST
from pitviper.views.json.lines import JsonObject

StateAnswer = dict[str, Any]
"""The object that `states_object` makes."""


class States:
    """The states of all texts of a server, by one process."""

    def __init__(self, timeout: float | None) -> None:
        self._timeout = timeout
        self._process: _Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._waiting: dict[int, tuple[str, asyncio.Future[StateAnswer | None]]] = {}
        self._starting = asyncio.Lock()
        self._number = 0
        self._known: dict[tuple[str, int, bool], StateAnswer] = {}
        self._of: dict[str, str] = {}

    async def prepare(self) -> None:
        """Starts the process before somebody asks: it loads what it needs meanwhile."""
        await self._running()

    async def at(self, document: Document, offset: int) -> StateAnswer | None:
        """Returns the states at an offset of a text; None where the text changed meanwhile."""
        return await self._answer(document, offset, changes=False)

    async def changes(self, document: Document, offset: int) -> list[StateAnswer]:
        """Returns what the statements of the member at an offset bring and take."""
        found = await self._answer(document, offset, changes=True)
        return [] if found is None else found.get("changes", [])

    async def _answer(
        self, document: Document, offset: int, *, changes: bool
    ) -> StateAnswer | None:
        text = document.text
        if self._of.get(document.uri) != text:
            self._forget(document.uri)
            self._of[document.uri] = text
        known = self._known.get((document.uri, offset, changes))
        if known is not None:
            return known
        found = await self._ask(document, offset, changes=changes)
        if found is None or document.text != text:
            return None
        self._known[document.uri, offset, changes] = found
        return found

    def changed(self, uri: str) -> None:
        """Gives up what goes on about a text that is another one now."""
        self._forget(uri)
        if any(about == uri for about, _ in self._waiting.values()):
            self.close()

    def _forget(self, uri: str) -> None:
        self._of.pop(uri, None)
        for key in [key for key in self._known if key[0] == uri]:
            del self._known[key]

    def close(self) -> None:
        """Ends the process; whoever waits gets nothing."""
        if self._process is not None:
            self._process.end()
        self._process = None
        for _, future in self._waiting.values():
            if not future.done():
                future.set_result(None)
        self._waiting.clear()

    async def _ask(self, document: Document, offset: int, *, changes: bool) -> StateAnswer | None:
        process = await self._running()
        self._number += 1
        future: asyncio.Future[StateAnswer | None] = asyncio.get_running_loop().create_future()
        self._waiting[self._number] = document.uri, future
        request: JsonObject = {
            "id": self._number,
            "path": str(document.path),
            "text": document.text,
            "open": dict(document.open_imports),
            "offset": offset,
            "timeout": self._timeout,
            "changes": changes,
        }
        process.requests.write(json.dumps(request).encode() + b"\n")
        return await future

    async def _running(self) -> _Process:
        async with self._starting:
            known = self._process
            if known is not None and known.process.poll() is None:
                return known
            process = self._process = await _start()
            self._reader = asyncio.get_running_loop().create_task(self._listen(process))
            return process

    async def _listen(self, process: _Process) -> None:
        async for line in process.answers:
            data = json.loads(line)
            _, future = self._waiting.pop(data["id"], ("", None))
            if future is not None and not future.done():
                future.set_result(data["result"])
        if process is self._process:
            self.close()


@record
class _Process:
    """A process that answers; what it is told is written when it has room for it."""

    process: subprocess.Popen[bytes]
    requests: asyncio.WriteTransport
    answers: asyncio.StreamReader

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self.requests.abort()


async def _start() -> _Process:
    process = subprocess.Popen(
        [sys.executable, "-m", "pitviper.servers.lsp.processes.recording"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    loop = asyncio.get_running_loop()
    answers = asyncio.StreamReader(LONGEST, loop=loop)
    await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(answers, loop=loop), process.stdout
    )
    requests, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, process.stdin)
    return _Process(process, requests, answers)
