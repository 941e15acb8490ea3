"""Progress of runs in the editor, with a button that stops them."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

from lsprotocol import types as lsp

from pitviper.servers.lsp.processes.verification import State
from pitviper.servers.lsp.protocol.problems import Data

if TYPE_CHECKING:
    from pitviper.servers.lsp.server import PitviperServer


class RunProgress:
    """Tells editors that show progress about runs; others hear nothing of it."""

    def __init__(self, server: PitviperServer) -> None:
        self._server = server
        self._runs: dict[str, str] = {}
        self._about: dict[str, str] = {}
        """What a progress is about: the text by its token, also while it is not yet shown."""
        self._begun: set[str] = set()

    @property
    def _is_shown(self) -> bool:
        window = self._server.client_capabilities.window
        return window is not None and bool(window.work_done_progress)

    def tell(self, uri: str, state: State, progress: Data | None) -> None:
        """Follows a verification: its begin, how far it is, its end."""
        token = self._runs.get(uri)
        if state is not State.RUNNING:
            if token is not None:
                del self._runs[uri]
                self.end_question(token)
            return
        if token is None:
            token = self._begin(uri, "verifying")
            if token is None:
                return
            self._runs[uri] = token
        done, total = (progress or {}).get("done"), (progress or {}).get("total")
        if token in self._begun and isinstance(done, int) and isinstance(total, int) and total:
            share = min(100, 100 * done // total)
            text = f"{done} of {total}: {(progress or {}).get('member')}"
            report = lsp.WorkDoneProgressReport(message=text, percentage=share, cancellable=True)
            self._server.work_done_progress.report(token, report)

    def begin_question(self, uri: str, title: str) -> str | None:
        """Shows that a question is worked on; returns what `end_question` takes."""
        return self._begin(uri, title)

    def end_question(self, token: str | None) -> None:
        """Takes the progress away."""
        if token is None:
            return
        self._about.pop(token, None)
        if token in self._begun:
            self._begun.remove(token)
            self._server.work_done_progress.end(token, lsp.WorkDoneProgressEnd())
            self._server.work_done_progress.tokens.pop(token, None)

    def cancelled(self, token: str) -> None:
        """The user has pressed the button: what the progress is about is stopped."""
        uri = self._about.get(token)
        if uri is None:
            return
        if self._runs.get(uri) == token:
            self._server.verifications.cancel(uri)
        else:
            self._server.questions.changed(uri)

    def _begin(self, uri: str, title: str) -> str | None:
        if not self._is_shown:
            return None
        token = f"pitviper-{uuid4()}"
        self._about[token] = uri
        name = uri.rsplit("/", 1)[-1]
        begin = lsp.WorkDoneProgressBegin(
            f"Pitviper: {title}, {name}", cancellable=True, percentage=0
        )
        progress = self._server.work_done_progress

        def created(*_: object) -> None:
            if token in self._about:
                self._begun.add(token)
                progress.begin(token, begin)

        progress.create(token, created)
        return token
