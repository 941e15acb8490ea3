"""The language server: which request is answered by which function, and when a verifier runs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias, cast

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from pitviper.base.record import record, replace
from pitviper.base.usage_error import UsageError
from pitviper.servers.ending import ends_with_signals, standard_streams
from pitviper.servers.lsp import actions, answers
from pitviper.servers.lsp.colours import colours_of
from pitviper.servers.lsp.document import Analysis, Document, path_of
from pitviper.servers.lsp.offering import Offering
from pitviper.servers.lsp.positions import offset_of, range_of
from pitviper.servers.lsp.problems import Data, MemberProblems, Problems
from pitviper.servers.lsp.progress import RunProgress
from pitviper.servers.lsp.questions import COLOURS, COUNTEREXAMPLE, Questions
from pitviper.servers.lsp.states import StateAnswer, States
from pitviper.servers.lsp.stream import streams_of
from pitviper.servers.lsp.verification import Chosen, Request, State, Verifications
from pitviper.servers.work.worker import Line
from pitviper.version import VERSION

Params: TypeAlias = "tuple[object, ...]"
"""Parameters of a request of our own: a named tuple, with what the client has sent."""

STATE = "pitviper/state"
"""A notification: what is known about a text (`State`), by members where these have answers."""

STATE_AT = "pitviper/stateAt"
"""A request: the symbolic states at a position, as `docs/editors.md` describes them."""

COLOURS_TOLD = "pitviper/colours"
"""A notification: the colours of the assertions of a text, after somebody asked for them."""

HOVER_WAIT = 3.0
"""Seconds that a hover waits for the record of a member; without it, it says what is known."""

SHOW = 0.05
"""Seconds in which answers about members are gathered before they are sent."""

VERIFY, VERIFY_MEMBER, STOP = "pitviper.verify", answers.VERIFY_MEMBER, "pitviper.stop"
WIZARD = "pitviper.wizard"


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
        self.token_types: Sequence[str] = answers.TOKEN_TYPES
        self.has_commands = True
        """Whether the client may ask for commands of ours."""
        self.recorded = States(options.timeout)
        self.questions = Questions()
        self.run_progress = RunProgress(self)
        self.knows_commands = False
        """Whether the editor has commands of its own to debug and to replay."""
        self._waiting: dict[tuple[str, str], asyncio.TimerHandle] = {}
        self._inferred: dict[str, list[dict[str, object]]] = {}

    def offered(self, capabilities: lsp.ServerCapabilities) -> None:
        """Is told what the client will be offered, before it is."""

    def changed(self, uri: str) -> None:
        """Takes over the text that the editor has now; what was known becomes stale."""
        text = self.workspace.get_text_document(uri)
        version = text.version or 0
        document = self.documents.get(uri)
        if document is None:
            document = self.documents[uri] = Document(uri, text.source, version)
        else:
            document.change(text.source, version)
        self.verifications.cancel(uri)
        self.recorded.changed(uri)
        self.questions.changed(uri)
        self.tell(uri, State.STALE)
        self._later(uri, "analyse", self.options.quiet, lambda: self.publish(uri))
        if self.options.pause is not None:
            self._later(uri, "verify", self.options.pause, lambda: self.verify(uri))

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
        self.documents.pop(uri, None)
        self.states.pop(uri, None)
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    def publish(self, uri: str) -> None:
        """Sends all that is known to be wrong with a text now."""
        document = self.documents.get(uri)
        if document is None:
            return
        found = document.diagnostics()
        self.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(uri, found, version=document.version)
        )

    def verify(self, uri: str, select: tuple[str, ...] = (), *, infer: bool = False) -> None:
        """Starts to verify a text as it is now, unless the front end rejects it."""
        document = self.documents.get(uri)
        if document is None:
            return
        self._forget_later(uri, "verify")
        if not document.current().accepted:
            self.verifications.cancel(uri)
            self.tell(uri, State.REJECTED)
            self.publish(uri)
            return
        options = self.options
        usual = Chosen(options.backend, options.timeout, options.cache)
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
            )
        )
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
        same = document.version == request.version and document.text == request.text
        if self._forget_later(request.uri, "show") and same:
            self.publish(request.uri)
        if request.infer and same:
            self._write_inferred(document)
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

    def _missing(self, document: Document) -> bool:
        """Whether some member has no answer for the text as it is."""
        analysis = document.current()
        if not analysis.accepted:
            return True
        known = {} if document.problems is None else document.problems.members
        names = analysis.verified_members
        return any(name not in known or known[name].verdict != "verified" for name in names)

    def _write_inferred(self, document: Document) -> None:
        inferred = self._inferred.pop(document.uri, [])
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
        if document is not None and document.problems is not None:
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
        places = [
            {"range": p.range, "colour": p.colour, "message": p.message, "member": p.member}
            for p in found.places
        ]
        told = {"uri": uri, "version": document.version, "places": places}
        self.protocol.notify(COLOURS_TOLD, told)
        self.publish(uri)
        return {"places": len(places)}

    def end_processes(self) -> None:
        """Ends all that was started for the editor: it is gone."""
        self.verifications.kill_all()
        self.recorded.close()
        self.questions.close()

    def folders(self) -> list[Path]:
        """Returns the folders that the editor has open."""
        return [path_of(folder.uri) for folder in self.workspace.folders.values()]


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


def make_server(options: ServerOptions) -> PitviperServer:
    """Returns a server that knows how to answer, not yet started."""
    server = PitviperServer(options)
    equip(server)
    return server


def equip(server: PitviperServer) -> None:
    """Gives a server the functions that answer the standard requests."""
    _synchronise(server)
    _show_states(server)
    _navigate(server)
    _help_writing(server)
    _show_structure(server)
    _change(server)


def _synchronise(server: PitviperServer) -> None:
    @server.feature(lsp.INITIALIZE)
    async def initialised(params: lsp.InitializeParams) -> None:
        options = params.initialization_options
        given = options.get("clientCommands") if isinstance(options, dict) else False
        server.knows_commands = bool(given)

    @server.feature(lsp.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    async def stopped(params: lsp.WorkDoneProgressCancelParams) -> None:
        server.run_progress.cancelled(str(params.token))

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        server.verifications.prepare()
        server.changed(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        server.changed(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def saved(params: lsp.DidSaveTextDocumentParams) -> None:
        if server.options.on_save:
            server.verify(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        server.closed(params.text_document.uri)

    @server.feature(lsp.SHUTDOWN)
    async def shut_down(*_: object) -> None:
        server.end_processes()

    @server.feature(
        lsp.TEXT_DOCUMENT_DIAGNOSTIC,
        lsp.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False),
    )
    async def pulled(params: lsp.DocumentDiagnosticParams) -> lsp.DocumentDiagnosticReport:
        document = server.documents.get(params.text_document.uri)
        items = [] if document is None else document.diagnostics()
        return lsp.RelatedFullDocumentDiagnosticReport(items)


def _at(
    server: PitviperServer, uri: str, position: lsp.Position
) -> tuple[Document, Analysis, int] | None:
    document = server.documents.get(uri)
    if document is None:
        return None
    analysis = document.current()
    return document, analysis, offset_of(analysis.source, position)


def _help_writing(server: PitviperServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=["."]))
    async def completion(params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        found = _at(server, params.text_document.uri, params.position)
        return [] if found is None else answers.completions(found[1], found[2])

    @server.feature(
        lsp.TEXT_DOCUMENT_SIGNATURE_HELP, lsp.SignatureHelpOptions(trigger_characters=["(", ","])
    )
    async def signature(params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
        found = _at(server, params.text_document.uri, params.position)
        return None if found is None else answers.signature(found[1], found[2])


def _show_states(server: PitviperServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        found = _at(server, params.text_document.uri, params.position)
        if found is None:
            return None
        document, analysis, offset = found
        declared = answers.meaning_at(analysis, offset)
        status = None if declared is None else _status(document, declared.name)
        shown = answers.hover(analysis, offset, status)
        if _is_answered(document, offset):
            try:
                states = await asyncio.wait_for(server.recorded.at(document, offset), HOVER_WAIT)
            except TimeoutError:
                states = None
            return answers.hover_with_states(analysis, offset, shown, states)
        return shown

    @server.feature(STATE_AT)
    async def state_at(params: Params) -> StateAnswer | None:
        """`{textDocument: {uri}, position: {line, character}}` to the states there."""
        asked = getattr(params, "textDocument", None) or getattr(params, "text_document", None)
        position = getattr(params, "position", None)
        line, character = getattr(position, "line", None), getattr(position, "character", None)
        if not isinstance(line, int) or not isinstance(character, int):
            raise JsonRpcInvalidParams("a position with line and character is needed")
        found = _at(server, str(getattr(asked, "uri", "")), lsp.Position(line, character))
        return None if found is None else await server.recorded.at(found[0], found[2])


def _navigate(server: PitviperServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    async def definition(params: lsp.DefinitionParams) -> lsp.Location | None:
        found = _at(server, params.text_document.uri, params.position)
        declared = None if found is None else answers.meaning_at(found[1], found[2])
        return None if declared is None else answers.location_of(declared)

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    async def references(params: lsp.ReferenceParams) -> list[lsp.Location]:
        found = _at(server, params.text_document.uri, params.position)
        declared = None if found is None else answers.meaning_at(found[1], found[2])
        if found is None or declared is None:
            return []
        uses = found[1].index.uses(declared)
        if not params.context.include_declaration:
            uses = [use for use in uses if use != declared.place]
        return [lsp.Location(params.text_document.uri, range_of(use)) for use in uses]

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    async def highlight(params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
        found = _at(server, params.text_document.uri, params.position)
        return [] if found is None else answers.highlights(found[1], found[2])

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepare(params: lsp.PrepareRenameParams) -> lsp.Range | None:
        found = _at(server, params.text_document.uri, params.position)
        if found is None or answers.meaning_at(found[1], found[2]) is None:
            return None
        hovered = answers.hover(found[1], found[2], None)
        return None if hovered is None else hovered.range

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    async def rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        found = _at(server, params.text_document.uri, params.position)
        declared = None if found is None else answers.meaning_at(found[1], found[2])
        if found is None or declared is None:
            return None
        try:
            return actions.rename(found[0], declared, params.new_name, server.folders())
        except UsageError as error:
            raise JsonRpcInvalidParams(str(error)) from error


def _is_answered(document: Document, offset: int) -> bool:
    """Whether a verifier has said something about the member at a place."""
    name = document.current().member_at(offset)
    return name is not None and document.problems is not None and name in document.problems.members


def _status(document: Document, name: str) -> str | None:
    known = None if document.problems is None else document.problems.members.get(name)
    return None if known is None else f"*{known.verdict}*"


async def _permission_hints(
    server: PitviperServer, document: Document, first: int, last: int
) -> list[lsp.InlayHint]:
    """What statements do to permissions, in members that a verifier has answered about."""
    analysis, found = document.current(), list[lsp.InlayHint]()
    known = {} if document.problems is None else document.problems.members
    for name in known:
        span = analysis.member_span(name)
        if span is None or span.end < first or span.start > last:
            continue
        asked = asyncio.ensure_future(server.recorded.changes(document, span.start))
        done, _ = await asyncio.wait({asked}, timeout=HOVER_WAIT)
        if not done:
            asked.add_done_callback(lambda _: server.refresh())
            break
        if document.current() is not analysis:
            return []
        moved = span.line - known[name].line
        failing = {line + moved for told in known[name].problems for line in _line_of(told)}
        changes = [
            change
            for change in asked.result()
            if first <= change["end"] <= last
            and analysis.source.line_column(change["end"])[0] not in failing
        ]
        found += answers.permission_hints(analysis, changes)
    return found


def _line_of(problem: Data) -> list[int]:
    """The line where something fails: behind it, what it lacks is supposed, not held."""
    place = problem.get("place")
    return [place["end"][0]] if isinstance(place, dict) else []


def _show_structure(server: PitviperServer) -> None:
    def analysis_of(uri: str) -> Analysis | None:
        document = server.documents.get(uri)
        return None if document is None else document.current()

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        analysis = analysis_of(params.text_document.uri)
        return [] if analysis is None else answers.outline(analysis)

    @server.feature(lsp.WORKSPACE_SYMBOL)
    async def all_symbols(params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
        wanted = params.query.lower()
        return [
            lsp.WorkspaceSymbol(lsp.Location(uri, symbol.selection_range), symbol.name, symbol.kind)
            for uri, document in server.documents.items()
            for symbol in answers.outline(document.current())
            if wanted in symbol.name.lower()
        ]

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    async def folding(params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        analysis = analysis_of(params.text_document.uri)
        return [] if analysis is None else answers.folding(analysis)

    @server.feature(lsp.TEXT_DOCUMENT_SELECTION_RANGE)
    async def selection(params: lsp.SelectionRangeParams) -> list[lsp.SelectionRange]:
        analysis = analysis_of(params.text_document.uri)
        if analysis is None:
            return []
        offsets = [offset_of(analysis.source, position) for position in params.positions]
        return [answers.selection(analysis, offset) for offset in offsets]

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_LINK)
    async def links(params: lsp.DocumentLinkParams) -> list[lsp.DocumentLink]:
        analysis = analysis_of(params.text_document.uri)
        return [] if analysis is None else answers.links(analysis)

    legend = lsp.SemanticTokensLegend(server.token_types, [])

    @server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)
    async def tokens(params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        analysis = analysis_of(params.text_document.uri)
        if analysis is None:
            return lsp.SemanticTokens([])
        return lsp.SemanticTokens(answers.semantic_tokens(analysis, server.token_types))

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    async def hints(params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        document = server.documents.get(params.text_document.uri)
        if document is None:
            return []
        source = document.current().source
        first, last = offset_of(source, params.range.start), offset_of(source, params.range.end)
        found = answers.inlay_hints(document, first, last)
        return [*found, *await _permission_hints(server, document, first, last)]

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    async def lenses(params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        document = server.documents.get(params.text_document.uri)
        if document is None:
            return []
        if not server.has_commands:
            return answers.verdict_lenses(document)
        return answers.lenses(document, with_own=server.knows_commands)


def _change(server: PitviperServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    async def formatting(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        document = server.documents.get(params.text_document.uri)
        return [] if document is None else actions.formatting(document)

    @server.feature(lsp.TEXT_DOCUMENT_RANGE_FORMATTING)
    async def formatting_in(params: lsp.DocumentRangeFormattingParams) -> list[lsp.TextEdit]:
        document = server.documents.get(params.text_document.uri)
        first, last = params.range.start.line, params.range.end.line
        return [] if document is None else actions.formatting_in(document, first, last)

    @server.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION,
        lsp.CodeActionOptions(
            code_action_kinds=[lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.RefactorRewrite]
        ),
    )
    async def code_actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        document = server.documents.get(params.text_document.uri)
        if document is None:
            return []
        cures = actions.cures(document, params.context.diagnostics)
        if not server.has_commands:
            cures = [cure for cure in cures if cure.command is None]
        return [*cures, *actions.marking(document)]

    @server.command(VERIFY)
    async def verify(uri: str) -> None:
        server.verify(uri)

    @server.command(VERIFY_MEMBER)
    async def verify_member(uri: str, member: str) -> None:
        server.verify(uri, (member,))

    @server.command(actions.EXAMPLE)
    async def counterexample(uri: str, member: str) -> Line | None:
        return await server.ask(COUNTEREXAMPLE, uri, member)

    @server.command(actions.EXPLORE)
    async def explore(uri: str, member: str) -> Line | None:
        return await server.paint(uri, member)

    @server.command(WIZARD)
    async def wizard(uri: str) -> Line | None:
        return await server.paint(uri, None)

    @server.command(STOP)
    async def stop(uri: str) -> bool:
        return server.verifications.cancel(uri)

    @server.command(actions.INFER)
    async def infer(uri: str, member: str) -> None:
        server.verify(uri, (member,), infer=True)


def serve(options: ServerOptions, port: int | None = None) -> None:
    """Serves one editor on standard input and output, or editors on a port of this machine."""
    server = make_server(options)
    ends_with_signals(server.end_processes)
    try:
        if port is None:
            source, sink = standard_streams()
            server.start_io(*streams_of(source, sink, server.end_processes))
        else:
            server.start_tcp("127.0.0.1", port)
    finally:
        server.end_processes()
