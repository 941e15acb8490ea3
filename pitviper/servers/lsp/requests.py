"""Which request of an editor is answered by which function."""

from __future__ import annotations

import asyncio
from typing import TypeAlias

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams

from pitviper.base.usage_error import UsageError
from pitviper.servers.lsp.answers import actions, names, renaming, structure
from pitviper.servers.lsp.answers.completion import completions, signature_at
from pitviper.servers.lsp.answers.hints import inlay_hints, permission_hints
from pitviper.servers.lsp.answers.lenses import VERIFY_MEMBER, member_lenses, verdict_lenses
from pitviper.servers.lsp.answers.tokens import semantic_tokens
from pitviper.servers.lsp.processes.questions import COUNTEREXAMPLE
from pitviper.servers.lsp.processes.states import StateAnswer
from pitviper.servers.lsp.protocol.positions import offset_of, range_of
from pitviper.servers.lsp.protocol.problems import Data
from pitviper.servers.lsp.server import PitviperServer
from pitviper.servers.lsp.texts.document import Analysis, Document
from pitviper.servers.lsp.texts.project import is_declared_at
from pitviper.servers.work.worker import Line

Params: TypeAlias = "tuple[object, ...]"
"""Parameters of a request of our own: a named tuple, with what the client has sent."""

STATE_AT = "pitviper/stateAt"
"""A request: the symbolic states at a position, as `docs/editors.md` describes them."""

HOVER_WAIT = 3.0
"""Seconds that a hover waits for the record of a member; without it, it says what is known."""

VERIFY, STOP, WIZARD = "pitviper.verify", "pitviper.stop", "pitviper.wizard"


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
        server.saved(params.text_document.uri)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def moved(_: lsp.DidChangeWatchedFilesParams) -> None:
        server.look_at_imports()

    @server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def configured(_: lsp.DidChangeConfigurationParams) -> None:
        """What can be chosen is chosen when the server starts; many editors tell all the same."""

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
        return [] if found is None else completions(found[1], found[2])

    @server.feature(
        lsp.TEXT_DOCUMENT_SIGNATURE_HELP, lsp.SignatureHelpOptions(trigger_characters=["(", ","])
    )
    async def signature(params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
        found = _at(server, params.text_document.uri, params.position)
        return None if found is None else signature_at(found[1], found[2])


def _show_states(server: PitviperServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        found = _at(server, params.text_document.uri, params.position)
        if found is None:
            return None
        document, analysis, offset = found
        declared = names.meaning_at(analysis, offset)
        status = None if declared is None else _status(document, declared.name)
        shown = names.hover(analysis, offset, status)
        if _is_answered(document, offset):
            try:
                states = await asyncio.wait_for(server.recorded.at(document, offset), HOVER_WAIT)
            except TimeoutError:
                states = None
            return names.hover_with_states(analysis, offset, shown, states)
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
        declared = None if found is None else names.meaning_at(found[1], found[2])
        return None if declared is None else names.location_of(declared)

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    async def references(params: lsp.ReferenceParams) -> list[lsp.Location]:
        found = _at(server, params.text_document.uri, params.position)
        declared = None if found is None else names.meaning_at(found[1], found[2])
        if found is None or declared is None:
            return []
        project = server.project()
        return [
            lsp.Location(project.uri(used.path), range_of(place))
            for used in project.uses(declared)
            for place in used.places
            if params.context.include_declaration or not is_declared_at(declared, used.path, place)
        ]

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    async def highlight(params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
        found = _at(server, params.text_document.uri, params.position)
        return [] if found is None else names.highlights(found[1], found[2])

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepare(params: lsp.PrepareRenameParams) -> lsp.Range | None:
        found = _at(server, params.text_document.uri, params.position)
        if found is None or names.meaning_at(found[1], found[2]) is None:
            return None
        hovered = names.hover(found[1], found[2], None)
        return None if hovered is None else hovered.range

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    async def rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        found = _at(server, params.text_document.uri, params.position)
        declared = None if found is None else names.meaning_at(found[1], found[2])
        if found is None or declared is None:
            return None
        try:
            return renaming.rename(server.project(), declared, params.new_name)
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
    known = {} if document.problems is None else dict(document.problems.members)  # more may come
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
        found += permission_hints(analysis, changes)
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
        return [] if analysis is None else structure.outline(analysis)

    @server.feature(lsp.WORKSPACE_SYMBOL)
    async def all_symbols(params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
        return list(server.symbols.matching(server.project(), params.query))

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    async def folding(params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        analysis = analysis_of(params.text_document.uri)
        return [] if analysis is None else structure.folding(analysis)

    @server.feature(lsp.TEXT_DOCUMENT_SELECTION_RANGE)
    async def selection(params: lsp.SelectionRangeParams) -> list[lsp.SelectionRange]:
        analysis = analysis_of(params.text_document.uri)
        if analysis is None:
            return []
        offsets = [offset_of(analysis.source, position) for position in params.positions]
        return [structure.selection(analysis, offset) for offset in offsets]

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_LINK)
    async def links(params: lsp.DocumentLinkParams) -> list[lsp.DocumentLink]:
        analysis = analysis_of(params.text_document.uri)
        return [] if analysis is None else structure.links(analysis)

    legend = lsp.SemanticTokensLegend(server.token_types, [])

    @server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)
    async def tokens(params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        analysis = analysis_of(params.text_document.uri)
        if analysis is None:
            return lsp.SemanticTokens([])
        return lsp.SemanticTokens(semantic_tokens(analysis, server.token_types))

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    async def hints(params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        document = server.documents.get(params.text_document.uri)
        if document is None:
            return []
        source = document.current().source
        first, last = offset_of(source, params.range.start), offset_of(source, params.range.end)
        found = inlay_hints(document, first, last)
        return [*found, *await _permission_hints(server, document, first, last)]

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    async def lenses(params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        document = server.documents.get(params.text_document.uri)
        if document is None:
            return []
        if not server.has_commands:
            return verdict_lenses(document)
        return member_lenses(document, with_own=server.knows_commands)


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
