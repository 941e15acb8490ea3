"""The language server: the open texts, what is known of each, and when a verifier runs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from pitviper.base.record import record, replace
from pitviper.driver.cache.outline import states_of
from pitviper.servers.lsp.answers import actions, tokens
from pitviper.servers.lsp.answers.symbols import Symbols
from pitviper.servers.lsp.offering import Offering
from pitviper.servers.lsp.processes.questions import COLOURS, Questions
from pitviper.servers.lsp.processes.states import States
from pitviper.servers.lsp.processes.verification import Chosen, Request, State, Verifications
from pitviper.servers.lsp.progress import RunProgress
from pitviper.servers.lsp.protocol.colours import colours_of
from pitviper.servers.lsp.protocol.problems import Data, MemberProblems, Problems
from pitviper.servers.lsp.texts.document import Document, path_of
from pitviper.servers.lsp.texts.imports import ImportsWatch
from pitviper.servers.lsp.texts.project import Project
from pitviper.servers.work.imports import LOOK
from pitviper.servers.work.worker import Line
from pitviper.version import VERSION

STATE = "pitviper/state"
"""A notification: what is known about a text (`State`), by members where these have answers."""

COLOURS_TOLD = "pitviper/colours"
"""A notification: the colours of the assertions of a text, after somebody asked for them."""

SHOW = 0.05
"""Seconds in which answers about members are gathered before they are sent."""


@record
class ServerOptions:
    """`pause` are the seconds without a keystroke after which a text is verified; None: on save.

    Without `on_save`, a text is verified only when the client asks for it.
    """

    backend: str = "symbolic"
    timeout: float | None = None
    cache: Path | None = None
    pause: float | None = 0.6
    quiet: float = 0.01
    on_save: bool = True


class PitviperServer(LanguageServer):
    """The state of a server: the open texts, and what is verified beside them."""

    def __init__(self, options: ServerOptions) -> None:
        super().__init__(
            "pitviper",
            VERSION,
            text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental,
            protocol_cls=Offering,
        )
        self.options = options
        self.documents: dict[str, Document] = {}
        self.states: dict[str, State] = {}
        self.verifications = Verifications(self.heard)
        self.chosen: dict[str, Chosen] = {}
        """How a text is verified, where that is its own."""
        self.token_types: Sequence[str] = tokens.TOKEN_TYPES
        self.has_commands = True
        """Whether the client may ask for commands of ours."""
        self.recorded = States(options.timeout)
        self.questions = Questions()
        self.run_progress = RunProgress(self)
        self.knows_commands = False
        """Whether the editor has commands of its own to debug and to replay."""
        self.symbols = Symbols()
        self._preparing: asyncio.Task[None] | None = None
        self._texts: dict[Path, str] = {}
        self._imports = ImportsWatch()
        self._waiting: dict[tuple[str, str], asyncio.TimerHandle] = {}
        self._inferred: dict[str, list[dict[str, object]]] = {}
        self._painted: set[str] = set()
        """Texts whose colours the editor shows."""
        self._verified_whole: set[str] = set()
        """Texts of which all members were verified as they are now, or are being verified."""

    def offered(self, capabilities: lsp.ServerCapabilities) -> None:
        """Is told what the client will be offered, before it is."""

    def changed(self, uri: str) -> None:
        """Takes over the text that the editor has now; what was known becomes stale."""
        text = self.workspace.get_text_document(uri)
        version = text.version or 0
        document = self.documents.get(uri)
        if document is None:
            document = self.document(uri, text.source, version)
        else:
            self.replace(document, text.source, version)
        self._begin_again(uri)

    def document(self, uri: str, text: str, version: int) -> Document:
        """Returns a text that is new here; others may import it."""
        document = self.documents[uri] = Document(uri, text, version, texts=self._texts)
        self.replace(document, text, version)
        return document

    def replace(self, document: Document, text: str, version: int) -> None:
        """Gives a document another text."""
        document.change(text, version)
        self._texts[document.place] = text
        self.look_at_imports()

    def _begin_again(self, uri: str) -> None:
        """What was known of a text, or is being found out, is not known of the present one."""
        self._verified_whole.discard(uri)
        self.verifications.cancel(uri)
        self.recorded.changed(uri)
        self.questions.changed(uri)
        self.tell(uri, State.STALE)
        self._unpaint(uri)
        self._later(uri, "analyse", self.options.quiet, lambda: self.publish(uri))
        if self.options.pause is not None:
            self._later(uri, "verify", self.options.pause, lambda: self.verify(uri))

    def saved(self, uri: str) -> None:
        """Verifies a text that was saved, unless that is done, or being done, as it is."""
        if self.options.on_save and uri not in self._verified_whole:
            self.verify(uri)

    def look_at_imports(self) -> None:
        """Texts that import a file which is another one by now are read and verified again."""
        for uri, document in list(self.documents.items()):
            if self._imports.has_moved(document):
                document.imports_changed()
                self._begin_again(uri)

    def _keep_looking(self) -> None:
        """Looks every second, as long as a text is open that imports something."""
        self.look_at_imports()
        if any(document.imports for document in self.documents.values()):
            self._later("", "look", LOOK, self._keep_looking)
        else:
            self._forget_later("", "look")

    def _later(self, uri: str, what: str, seconds: float, act: Callable[[], object]) -> None:
        self._forget_later(uri, what)
        loop = asyncio.get_running_loop()
        self._waiting[(uri, what)] = loop.call_later(seconds, act)

    def _forget_later(self, uri: str, what: str) -> bool:
        """Whether something was to be done later; it is not done any more."""
        waiting = self._waiting.pop((uri, what), None)
        if waiting is not None:
            waiting.cancel()
        return waiting is not None

    def closed(self, uri: str) -> None:
        """Forgets a text; its diagnostics go."""
        self.verifications.cancel(uri)
        self.recorded.changed(uri)
        self.questions.changed(uri)
        for what in ("analyse", "verify", "show"):
            self._forget_later(uri, what)
        document = self.documents.pop(uri, None)
        self.states.pop(uri, None)
        self._painted.discard(uri)
        self._verified_whole.discard(uri)
        self._imports.forget(uri)
        if document is not None:
            self._texts.pop(document.place, None)
            self.look_at_imports()
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    def publish(self, uri: str) -> None:
        """Sends all that is known to be wrong with a text now."""
        document = self.documents.get(uri)
        if document is None:
            return
        found = document.diagnostics()
        if document.imports and ("", "look") not in self._waiting:
            self._later("", "look", LOOK, self._keep_looking)
        self.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(uri, found, version=document.version)
        )

    def verify(self, uri: str, select: tuple[str, ...] = (), *, infer: bool = False) -> None:
        """Starts to verify a text as it is now, unless the front end rejects it."""
        document = self.documents.get(uri)
        if document is None:
            return
        self._forget_later(uri, "verify")
        self._verified_whole.discard(uri)
        if not document.current().accepted:
            self.verifications.cancel(uri)
            self.tell(uri, State.REJECTED)
            self.publish(uri)
            return
        options = self.options
        usual = Chosen(options.backend, options.timeout, options.cache, cures=True)
        chosen = self.chosen.get(uri, usual)
        self.verifications.start(
            Request(
                uri,
                document.version,
                document.path,
                document.text,
                replace(chosen, cache=None) if infer else chosen,
                select,
                infer,
                document.open_imports,
            )
        )
        if not select and not infer:
            self._verified_whole.add(uri)
        self.tell(uri, State.RUNNING)

    def heard(self, request: Request, data: Data) -> None:
        """Takes a message of a run; one about a text that is gone says nothing."""
        document = self.documents.get(request.uri)
        if document is None:
            return
        if data["kind"] == "ended":
            self._ended(request, document, data)
        elif document.version == request.version and document.text == request.text:
            if data["kind"] == "member":
                self._member(request, document, data)
            elif data["kind"] == "started":
                self.tell(request.uri, State.RUNNING, progress=data)
            elif data["kind"] == "read":
                self._look_at_reading(document, data)

    def _look_at_reading(self, document: Document, data: Data) -> None:
        """A run that was made with other imported files than those that are known is no answer."""
        document.current()
        if data.get("imports") == states_of(document.imports):
            return
        uri = document.uri
        self.look_at_imports()
        if self.verifications.cancel(uri):
            self._later(uri, "verify", LOOK, lambda: self.verify(uri))

    def _member(self, request: Request, document: Document, data: Data) -> None:
        if request.infer:
            listed = data.get("inferred")
            self._inferred.setdefault(request.uri, []).extend(
                cast("list[dict[str, object]]", listed) if isinstance(listed, list) else []
            )
            return
        name = str(data["member"])
        analysis = document.current()
        span = analysis.member_span(name)
        text, line = ("", 1) if span is None else (span.text, span.line)
        problems = document.problems or Problems({})
        document.problems = problems
        shown = (*_list(data, "problems"), *_open(data))
        inferred = tuple(_list(data, "inferred"))
        rests_on, version = analysis.surroundings, document.version
        verdict = str(data["verdict"])
        answer = MemberProblems(name, verdict, text, line, shown, inferred, rests_on, version)
        problems.members[name] = answer
        if (request.uri, "show") not in self._waiting:
            self._later(request.uri, "show", SHOW, lambda: self._show(request.uri))

    def _show(self, uri: str) -> None:
        """Sends what is known of members so far."""
        self._forget_later(uri, "show")
        self.publish(uri)
        self.tell(uri, State.RUNNING)

    def _ended(self, request: Request, document: Document, data: Data) -> None:
        state = State(str(data["state"]))
        if state not in (State.VERIFIED, State.REFUTED):
            self._verified_whole.discard(request.uri)
        same = document.version == request.version and document.text == request.text
        if self._forget_later(request.uri, "show") and same:
            self.publish(request.uri)
        if request.infer:
            inferred = self._inferred.pop(request.uri, [])
            if same and state not in (State.CANCELLED, State.CRASHED):
                self._write_inferred(document, inferred)
                return
        if state is State.CANCELLED or not same:
            self.tell(request.uri, State.CANCELLED if same else State.STALE)
            return
        if request.select and state is State.VERIFIED:
            state = State.STALE if self._missing(document) else State.VERIFIED
        if state is State.CRASHED:
            self.window_show_message(
                lsp.ShowMessageParams(
                    lsp.MessageType.Error, f"pitviper: verification failed: {data.get('message')}"
                )
            )
        self.tell(request.uri, state)
        self._preparing = asyncio.get_running_loop().create_task(self.recorded.prepare())

    def _missing(self, document: Document) -> bool:
        """Whether some member has no answer for the text as it is."""
        analysis = document.current()
        if not analysis.accepted:
            return True
        known = {} if document.problems is None else document.problems.members
        names = analysis.verified_members
        return any(name not in known or known[name].verdict != "verified" for name in names)

    def _write_inferred(self, document: Document, inferred: list[dict[str, object]]) -> None:
        edit = actions.ghost_edit(document, inferred)
        if edit is None:
            self.window_show_message(
                lsp.ShowMessageParams(
                    lsp.MessageType.Info, "pitviper: no fold or unfold was found that helps"
                )
            )
            self.tell(document.uri, State.STALE)
            return
        self.workspace_apply_edit(lsp.ApplyWorkspaceEditParams(edit, "ghost statements"))

    def tell(self, uri: str, state: State, progress: Data | None = None) -> None:
        """Sends what is known about a text; the only success is VERIFIED."""
        self.states[uri] = state
        self.run_progress.tell(uri, state, progress)
        if state not in (State.RUNNING, State.STALE):
            self.refresh()
        document = self.documents.get(uri)
        members = {}
        if document is not None and document.problems is not None and document.is_read:
            members = {n: known.verdict for n, known in document.problems.members.items()}
        self.protocol.notify(
            STATE,
            {
                "uri": uri,
                "state": state.value,
                "version": None if document is None else document.version,
                "members": members,
                "progress": progress,
            },
        )

    def refresh(self) -> None:
        """Asks the editor to ask again for what a verdict changes."""
        offered = self.client_capabilities.workspace
        if offered is not None and offered.code_lens and offered.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)
        if offered is not None and offered.inlay_hint and offered.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)

    async def ask(self, what: str, uri: str, member: str | None) -> Line | None:
        """Returns what a worker answers about a text; an error is shown, and None returned."""
        document = self.documents.get(uri)
        if document is None:
            return None
        token = self.run_progress.begin_question(uri, f"{what} of {member or 'all members'}")
        try:
            answer = await self.questions.ask(what, document, member)
        finally:
            self.run_progress.end_question(token)
        if answer is not None and "error" in answer:
            text = f"pitviper: {what}: {answer['error']}"
            self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, text))
            return None
        return answer

    async def paint(self, uri: str, member: str | None) -> Line | None:
        """Explores and verifies a text, and sends the colours of its assertions."""
        answer = await self.ask(COLOURS, uri, member)
        document = self.documents.get(uri)
        if answer is None or document is None:
            return None
        document.colours = found = colours_of(document.text, document.path, answer)
        places: list[dict[str, object]] = [
            {"range": p.range, "colour": p.colour, "message": p.message, "member": p.member}
            for p in found.places
        ]
        self._painted.add(uri)
        self._tell_colours(document, places)
        self.publish(uri)
        return {"places": len(places)}

    def _unpaint(self, uri: str) -> None:
        """Colours were about a text, or about imported files, that are gone: there are none."""
        if uri in self._painted:
            self._painted.discard(uri)
            self._tell_colours(self.documents[uri], [])

    def _tell_colours(self, document: Document, places: list[dict[str, object]]) -> None:
        told = {"uri": document.uri, "version": document.version, "places": places}
        self.protocol.notify(COLOURS_TOLD, told)

    def end_processes(self) -> None:
        """Ends all that was started for the editor: it is gone."""
        self.verifications.kill_all()
        self.recorded.close()
        self.questions.close()

    def project(self) -> Project:
        """Returns the programs of the folders that the editor has open, and of open texts."""
        folders = [path_of(folder.uri) for folder in self.workspace.folders.values()]
        if not folders:
            folders = [document.place.parent for document in self.documents.values()]
        texts = {document.place: document for document in self.documents.values()}
        return Project(tuple(dict.fromkeys(folders)), texts)


def _list(data: Data, key: str) -> list[Data]:
    value = data.get(key)
    return value if isinstance(value, list) else []


def _open(data: Data) -> list[Data]:
    """What is undecided, and bugs of ours, as problems: they are no success."""
    found: list[Data] = [
        {
            "id": "undecided",
            "severity": "warning",
            "message": f"undecided: {point['message']}",
            "member": data["member"],
            "place": point["place"],
        }
        for point in _list(data, "undecided")
    ]
    if data.get("crash"):
        message = f"internal error of Pitviper in {data['member']}: {data['crash']}"
        found.append(
            {"id": "crash", "severity": "warning", "message": message, "member": data["member"]}
        )
    return found
