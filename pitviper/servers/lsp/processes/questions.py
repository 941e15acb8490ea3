"""Questions that take seconds: a worker for each, at most one of a kind for a text."""

from __future__ import annotations

from pitviper.servers.lsp.texts.document import Document
from pitviper.servers.work.worker import Line, Nursery, Worker

COLOURS, COUNTEREXAMPLE = "colours", "counterexample"


class Questions:
    """All questions that are open."""

    def __init__(self) -> None:
        self._nursery = Nursery("pitviper.servers.lsp.processes.asking")
        self._workers: dict[tuple[str, str], Worker] = {}

    async def ask(self, what: str, document: Document, member: str | None) -> Line | None:
        """Returns the answer; None where the text changed meanwhile, or another question came."""
        key, text = (document.uri, what), document.text
        self._stop(key)
        request: Line = {
            "what": what,
            "path": str(document.path),
            "text": text,
            "open": document.open_imports,
            "members": [] if member is None else [member],
        }
        worker = self._workers[key] = await self._nursery.begin(request)
        answer: Line | None = None
        async for data in worker.said():
            answer = data
        if self._workers.get(key) is not worker or document.text != text:
            return None
        del self._workers[key]
        if answer is None:
            return {"error": "the process of this question ended without an answer"}
        return answer

    def changed(self, uri: str) -> None:
        """Gives up what is asked about a text that is another one now."""
        for key in [key for key in self._workers if key[0] == uri]:
            self._stop(key)

    def _stop(self, key: tuple[str, str]) -> None:
        worker = self._workers.pop(key, None)
        if worker is not None:
            worker.kill()

    def close(self) -> None:
        for key in list(self._workers):
            self._stop(key)
        self._nursery.close()
