"""Verification beside the editor: one process for each text, killed when the text changes.

A run is about one version of one text. Its messages are heard only while that is the version that
the editor has; what comes later is about a text that is gone.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable
from enum import Enum
from pathlib import Path

from pitviper.base.record import record, struct
from pitviper.servers.lsp.problems import Data


class State(Enum):
    """What a reader may know about a text. Only VERIFIED is success."""

    RUNNING = "running"
    VERIFIED = "verified"
    REFUTED = "refuted"
    UNDECIDED = "undecided"
    REJECTED = "rejected"
    STALE = "stale"
    CANCELLED = "cancelled"
    CRASHED = "crashed"


@record
class Request:
    """What a run is about, and how it goes about it."""

    uri: str
    version: int
    path: Path
    text: str
    backend: str = "symbolic"
    timeout: float | None = None
    cache: Path | None = None
    select: tuple[str, ...] = ()
    infer: bool = False

    def line(self) -> bytes:
        """Returns the request as the worker reads it."""
        data = {
            "path": str(self.path),
            "text": self.text,
            "backend": self.backend,
            "timeout": self.timeout,
            "cache": None if self.cache is None else str(self.cache),
            "select": list(self.select),
            "infer": self.infer,
        }
        return json.dumps(data).encode() + b"\n"


Hear = Callable[[Request, Data], None]
"""Is told every message of a run, and how the run ended: `ended` with a state."""


@struct
class Run:
    """A run that goes on; `cancelled` is set before its process is killed."""

    request: Request
    task: asyncio.Task[None]
    process: asyncio.subprocess.Process | None = None
    cancelled: bool = False


class Verifications:
    """The runs of all texts, at most one for each."""

    def __init__(self, hear: Hear) -> None:
        self._hear = hear
        self._runs: dict[str, Run] = {}

    def start(self, request: Request) -> None:
        """Starts a run; one about the same text is cancelled first."""
        self.cancel(request.uri)
        loop = asyncio.get_running_loop()
        run = Run(request, loop.create_task(asyncio.sleep(0)))
        run.task = loop.create_task(self._follow(run))
        self._runs[request.uri] = run

    def cancel(self, uri: str) -> bool:
        """Ends the run about a text, if there is one."""
        run = self._runs.pop(uri, None)
        if run is None:
            return False
        run.cancelled = True
        _kill(run)
        self._hear(run.request, {"kind": "ended", "state": State.CANCELLED.value})
        return True

    def kill_all(self) -> None:
        """Ends all runs without a word: the editor is gone."""
        for run in self._runs.values():
            run.cancelled = True
            _kill(run)
        self._runs.clear()

    async def _follow(self, run: Run) -> None:
        state = State.CRASHED
        why = "the verifier's process ended without an answer"
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "pitviper.servers.lsp.worker",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                start_new_session=True,
                limit=1 << 26,
                cwd=str(run.request.path.parent) if run.request.path.parent.is_dir() else None,
            )
            run.process = process
            if run.cancelled:
                _kill(run)
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(run.request.line())
            process.stdin.close()
            async for line in process.stdout:
                if run.cancelled:
                    continue
                data = json.loads(line)
                if data["kind"] == "done":
                    state, why = State(data["verdict"]), ""
                elif data["kind"] == "failed":
                    why = str(data["message"])
                else:
                    self._hear(run.request, data)
            await process.wait()
        except (OSError, ValueError) as error:
            state, why = State.CRASHED, str(error)
        if run.cancelled:
            return
        if self._runs.get(run.request.uri) is run:
            del self._runs[run.request.uri]
        self._hear(run.request, {"kind": "ended", "state": state.value, "message": why})


def _kill(run: Run) -> None:
    """Ends the process of a run and those that it started."""
    if run.process is None or run.process.returncode is not None:
        return
    try:
        os.killpg(run.process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
