"""Questions that take seconds: a worker for each, at most one of a kind for a text."""

from __future__ import annotations

from pitviper.base.record import struct
from pitviper.servers.lsp.texts.document import Document
from pitviper.servers.work.worker import Line, Nursery, Worker

COLOURS, COUNTEREXAMPLE = "colours", "counterexample"


@struct
class _Question:
    """A question that is open; it may be given up before there is a process for it."""

    worker: Worker | None = None
    given_up: bool = False


class Questions:
    """All questions that are open."""

    def __init__(self) -> None:
        self._nursery = Nursery("pitviper.servers.lsp.processes.asking")
        self._open: dict[tuple[str, str], _Question] = {}

    async def ask(self, what: str, document: Document, member: str | None) -> Line | None:
        """Returns the answer; None where the text changed meanwhile, or another question came."""
        key, text = (document.uri, what), document.text
        self._stop(key)
        question = self._open[key] = _Question()
        request: Line = {
            "what": what,
            "path": str(document.path),
            "text": text,
            "open": document.open_imports,
            "members": [] if member is None else [member],
        }
        worker = question.worker = await self._nursery.begin(request)
        if question.given_up:
            worker.kill()
        answer: Line | None = None
        async for data in worker.said():
            answer = data
        if question.given_up or document.text != text:
            return None
        del self._open[key]
        if answer is None:
            return {"error": "the process of this question ended without an answer"}
        return answer

    def changed(self, uri: str) -> None:
        """Gives up what is asked about a text that is another one now."""
        for key in [key for key in self._open if key[0] == uri]:
            self._stop(key)

    def _stop(self, key: tuple[str, str]) -> None:
        question = self._open.pop(key, None)
        if question is not None:
            question.given_up = True
            if question.worker is not None:
                question.worker.kill()

    def close(self) -> None:
        for key in list(self._open):
            self._stop(key)
        self._nursery.close()
