"""Verification beside the editor: one process for each text, killed when the text changes.

A run is about one version of one text. Its messages are heard only while that is the version that
the editor has; what comes later is about a text that is gone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import Path

from pitviper.base.record import field, record, struct
from pitviper.servers.lsp.protocol.problems import Data
from pitviper.servers.work.worker import Line, Nursery, Worker


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
class Chosen:
    """How a text is verified; `more` are choices that only a worker knows."""

    backend: str = "symbolic"
    timeout: float | None = None
    cache: Path | None = None
    cures: bool = False
    """Whether edits that may cure what fails are tried: for who has no other limit of time."""
    more: Line = field(default_factory=dict)


@record
class Request:
    """What a run is about, and how it goes about it."""

    uri: str
    version: int
    path: Path
    text: str
    chosen: Chosen
    select: tuple[str, ...] = ()
    infer: bool = False
    open: Mapping[str, str] = field(default_factory=dict)
    """Imported files that the editor has open, as it has them."""

    def data(self) -> Line:
        """Returns the request as the worker reads it."""
        chosen = self.chosen
        return {
            "path": str(self.path),
            "text": self.text,
            "backend": chosen.backend,
            "timeout": chosen.timeout,
            "cache": None if chosen.cache is None else str(chosen.cache),
            **chosen.more,
            "open": dict(self.open),
            "select": list(self.select),
            "infer": self.infer,
            "cures": chosen.cures and chosen.timeout is None and not self.infer,
        }


Hear = Callable[[Request, Data], None]
"""Is told every message of a run, and how the run ended: `ended` with a state."""


@struct
class Run:
    """A run that goes on; `cancelled` is set before its process is killed."""

    request: Request
    task: asyncio.Task[None]
    worker: Worker | None = None
    cancelled: bool = False

    def cancel(self) -> None:
        """Ends the process; nothing that it says is heard."""
        self.cancelled = True
        if self.worker is not None:
            self.worker.kill()


class Verifications:
    """The runs of all texts, at most one for each."""

    def __init__(self, hear: Hear) -> None:
        self._hear = hear
        self._runs: dict[str, Run] = {}
        self._nursery = Nursery("pitviper.servers.lsp.processes.worker", kept=True)

    def prepare(self) -> None:
        """Loads what a run needs before there is one."""
        self._nursery.prepare()

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
        run.cancel()
        self._hear(run.request, {"kind": "ended", "state": State.CANCELLED.value})
        return True

    def kill_all(self) -> None:
        """Ends all runs without a word: the editor is gone."""
        for run in self._runs.values():
            run.cancel()
        self._runs.clear()
        self._nursery.close()

    async def _follow(self, run: Run) -> None:
        try:
            state, why = await self._ask(run)
        except (OSError, ValueError) as error:
            state, why = State.CRASHED, str(error)
        if run.cancelled:
            return
        if self._runs.get(run.request.uri) is run:
            del self._runs[run.request.uri]
        self._hear(run.request, {"kind": "ended", "state": state.value, "message": why})

    async def _ask(self, run: Run) -> tuple[State, str]:
        """How a run ends, and why there is no answer where that is so.

        A process that was kept and has said nothing has died before it was asked: another one is.
        """
        folder = run.request.path.parent
        while True:
            worker = await self._nursery.begin(
                run.request.data(), folder if folder.is_dir() else None
            )
            run.worker = worker
            if run.cancelled:
                worker.kill()
            state, why = State.CRASHED, "the verifier's process ended without an answer"
            is_silent = True
            async for data in worker.said():
                is_silent = False
                if data["kind"] == "done":
                    state, why = State(data["verdict"]), ""
                elif data["kind"] == "failed":
                    why = str(data["message"])
                else:
                    self._hear(run.request, data)
            if run.cancelled or not is_silent or worker.requests == 1:
                return state, why
