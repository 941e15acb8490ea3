"""The language server, driven through its protocol over standard input and output."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp

pygls_client = pytest.importorskip("pygls.lsp.client", reason="pygls is not installed")

WRONG = """field value: Int

method reset(cell: Ref)
{
  cell.value := 0
}

method fine(x: Int)
  requires x > 2
{
  assert x > 1
}
"""
RIGHT = WRONG.replace("(cell: Ref)", "(cell: Ref)\n  requires acc(cell.value)")
LIMIT = 300.0
"""Seconds after which an answer that never comes fails a test."""


class Editor:
    """A client that keeps what the server tells it."""

    def __init__(self, client: pygls_client.LanguageClient) -> None:
        self.client = client
        self.diagnostics: dict[str, lsp.PublishDiagnosticsParams] = {}
        self.states: list[dict[str, object]] = []
        self.edits: list[lsp.WorkspaceEdit] = []
        self.colours: list[Any] = []
        self.tokens: list[str] = []
        self.progress: list[Any] = []
        self.refreshes = 0
        self.offered = lsp.ServerCapabilities()
        self.news = asyncio.Event()

    async def until(self, holds: Callable[[], bool]) -> None:
        async def wait() -> None:
            while not holds():
                self.news.clear()
                await self.news.wait()

        await asyncio.wait_for(wait(), LIMIT)

    async def state(self, uri: str, *wanted: str, version: int = 1) -> dict[str, object]:
        """Waits until the last word about a version of a text is one of these."""
        await self.until(lambda: self._is(uri, wanted, version))
        return self._last(uri)

    def _is(self, uri: str, wanted: tuple[str, ...], version: int) -> bool:
        last = self._last(uri)
        return last.get("version") == version and last.get("state") in wanted

    def _last(self, uri: str) -> dict[str, object]:
        told = [s for s in self.states if s["uri"] == uri]
        return told[-1] if told else {}

    async def command(self, name: str, *arguments: object) -> object:
        params = lsp.ExecuteCommandParams(name, arguments=list(arguments))
        return await self.client.workspace_execute_command_async(params)

    def open(self, uri: str, text: str) -> None:
        item = lsp.TextDocumentItem(uri, "viper", 1, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    def replace(self, uri: str, text: str, version: int) -> None:
        whole = lsp.TextDocumentContentChangeWholeDocument(text)
        document = lsp.VersionedTextDocumentIdentifier(version, uri)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [whole]))


@asynccontextmanager
async def editor(
    folder: Path,
    *words: str,
    able: lsp.ClientCapabilities | None = None,
    options: object = None,
) -> AsyncIterator[Editor]:
    client = pygls_client.LanguageClient("tests", "1")
    known = Editor(client)

    @client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def published(params: lsp.PublishDiagnosticsParams) -> None:
        known.diagnostics[params.uri] = params
        known.news.set()

    @client.feature("pitviper/state")
    def told(params):  # the client reads a declared type as a shape to convert to
        known.states.append({**params._asdict(), "members": params.members._asdict()})
        known.news.set()

    @client.feature(lsp.WORKSPACE_APPLY_EDIT)
    def applied(params: lsp.ApplyWorkspaceEditParams) -> lsp.ApplyWorkspaceEditResult:
        known.edits.append(params.edit)
        known.news.set()
        return lsp.ApplyWorkspaceEditResult(applied=True)

    @client.feature("pitviper/colours")
    def painted(params):
        known.colours.append(params)
        known.news.set()

    @client.feature(lsp.WINDOW_WORK_DONE_PROGRESS_CREATE)
    def announced(params: lsp.WorkDoneProgressCreateParams) -> None:
        known.tokens.append(str(params.token))
        known.news.set()

    @client.feature(lsp.PROGRESS)
    def progressed(params: lsp.ProgressParams) -> None:
        known.progress.append(params.value)
        known.news.set()

    @client.feature(lsp.WORKSPACE_CODE_LENS_REFRESH)
    def refreshed(params: None) -> None:
        known.refreshes += 1
        known.news.set()

    @client.feature(lsp.WINDOW_SHOW_MESSAGE)
    def shown(params: lsp.ShowMessageParams) -> None:
        known.news.set()

    cache = str(folder / "cache")
    await client.start_io(
        sys.executable, "-m", "pitviper", "lsp", "--cache", cache, *(words or ("--pause", "0.05"))
    )
    try:
        folders = [lsp.WorkspaceFolder(folder.as_uri(), "tests")]
        answer = await client.initialize_async(
            lsp.InitializeParams(
                able or lsp.ClientCapabilities(),
                workspace_folders=folders,
                initialization_options=options,
            )
        )
        known.offered = answer.capabilities
        client.initialized(lsp.InitializedParams())
        yield known
        await client.shutdown_async(None)
    finally:
        client.exit(None)
        await asyncio.wait_for(client.stop(), LIMIT)


def run(session: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(session())  # type: ignore[arg-type]


def at(text: str, part: str, uri: str, offset: int = 0) -> dict[str, object]:
    before = text[: text.index(part) + offset]
    line = before.count("\n")
    position = lsp.Position(line, len(before) - (before.rfind("\n") + 1))
    return {"text_document": lsp.TextDocumentIdentifier(uri), "position": position}


def test_a_failure_is_shown_cured_and_verified(tmp_path: Path) -> None:
    uri = (tmp_path / "cell.vpr").as_uri()

    async def session() -> None:
        async with editor(tmp_path) as known:
            known.open(uri, WRONG)
            told = await known.state(uri, "refuted", "verified", "crashed")
            assert told["state"] == "refuted"
            found = known.diagnostics[uri].diagnostics
            assert [d.code for d in found] == ["assignment.failed:insufficient.permission"]
            described = [d.code_description.href for d in found if d.code_description]
            assert [uri.partition("#")[2] for uri in described] == ["insufficient.permission"]
            assert found[0].range.start == lsp.Position(4, 2)
            actions = await known.client.text_document_code_action_async(
                lsp.CodeActionParams(
                    lsp.TextDocumentIdentifier(uri), found[0].range, lsp.CodeActionContext(found)
                )
            )
            assert actions is not None
            cure = next(a for a in actions if "requires acc(cell.value)" in a.title)
            assert isinstance(cure, lsp.CodeAction)
            assert cure.edit is not None
            assert cure.edit.changes is not None
            [edit] = cure.edit.changes[uri]
            assert isinstance(edit, lsp.TextEdit)
            assert edit.range.start == lsp.Position(2, 23)
            known.replace(uri, RIGHT, 2)
            told = await known.state(uri, "verified", "refuted", "crashed", version=2)
            assert told["state"] == "verified"
            assert not known.diagnostics[uri].diagnostics

    run(session)


def test_an_edit_makes_answers_stale_and_nothing_is_green(tmp_path: Path) -> None:
    uri = (tmp_path / "cell.vpr").as_uri()

    async def session() -> None:
        async with editor(tmp_path, "--pause", "off") as known:
            known.open(uri, RIGHT)
            known.client.text_document_did_save(
                lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(uri))
            )
            await known.state(uri, "verified")
            known.replace(uri, WRONG, 2)
            told = await known.state(uri, "stale", version=2)
            assert told["version"] == 2
            await known.until(lambda: known.diagnostics[uri].version == 2)
            assert known._last(uri)["state"] == "stale"

    run(session)


def test_a_run_that_is_stopped_or_overtaken_says_so(tmp_path: Path) -> None:
    uri = (tmp_path / "cell.vpr").as_uri()

    async def session() -> None:
        async with editor(tmp_path, "--pause", "off") as known:
            known.open(uri, RIGHT)
            command = lsp.ExecuteCommandParams("pitviper.verify", arguments=[uri])
            await known.client.workspace_execute_command_async(command)
            stop = lsp.ExecuteCommandParams("pitviper.stop", arguments=[uri])
            await known.client.workspace_execute_command_async(stop)
            told = await known.state(uri, "cancelled", "verified")
            assert told["state"] == "cancelled"
            await known.client.workspace_execute_command_async(command)
            known.replace(uri, WRONG, 2)
            told = await known.state(uri, "stale", version=2)
            assert told["version"] == 2

    run(session)


def test_half_written_programs_have_diagnostics_and_answers(tmp_path: Path) -> None:
    uri = (tmp_path / "half.vpr").as_uri()
    text = "field f: Int\nmethod broken( {\n}\nmethod other(x: Ref) { assert x.f == 1 }\n"

    async def session() -> None:
        async with editor(tmp_path) as known:
            known.open(uri, text)
            await known.until(lambda: bool(known.diagnostics.get(uri)))
            assert known.diagnostics[uri].diagnostics[0].code == "parser.error"
            symbols = await known.client.text_document_document_symbol_async(
                lsp.DocumentSymbolParams(lsp.TextDocumentIdentifier(uri))
            )
            assert symbols is not None
            assert "other" in [s.name for s in symbols]
            past = lsp.HoverParams(lsp.TextDocumentIdentifier(uri), lsp.Position(99, 99))
            assert await known.client.text_document_hover_async(past) is None

    run(session)


def test_names_lead_to_their_declarations(tmp_path: Path) -> None:
    uri = (tmp_path / "names.vpr").as_uri()
    text = (
        "field f: Int\n"
        "predicate cell(this: Ref) { acc(this.f) }\n"
        "method m(x: Ref) requires cell(x) {\n"
        "  unfold cell(x)\n"
        "  assert forall i: Int :: i > 0 ==> i > x.f - x.f\n"
        "  x.f := 3\n"
        "}\n"
    )

    async def session() -> None:
        async with editor(tmp_path, "--pause", "off") as known:
            client = known.client
            known.open(uri, text)
            where = at(text, "cell(x)\n", uri)
            found = await client.text_document_definition_async(lsp.DefinitionParams(**where))  # type: ignore[arg-type]
            assert isinstance(found, lsp.Location)
            assert found.range.start == lsp.Position(1, 10)
            hover = await client.text_document_hover_async(lsp.HoverParams(**where))  # type: ignore[arg-type]
            assert hover is not None
            assert "predicate cell(this: Ref)" in str(hover.contents)
            field = at(text, ".f := 3", uri, 1)
            context = lsp.ReferenceContext(include_declaration=True)
            uses = await client.text_document_references_async(
                lsp.ReferenceParams(context, **field)  # type: ignore[arg-type]
            )
            assert uses is not None
            assert len(uses) == 5
            renamed = await client.text_document_rename_async(
                lsp.RenameParams(**at(text, "i: Int", uri), new_name="k")  # type: ignore[arg-type]
            )
            assert renamed is not None
            assert renamed.changes is not None
            assert len(renamed.changes[uri]) == 3
            with pytest.raises(Exception, match="declared already"):
                await client.text_document_rename_async(
                    lsp.RenameParams(**at(text, "m(x", uri), new_name="cell")  # type: ignore[arg-type]
                )
            items = await client.text_document_completion_async(
                lsp.CompletionParams(**at(text, ".f := 3", uri, 1))  # type: ignore[arg-type]
            )
            assert isinstance(items, list)
            assert [item.label for item in items] == ["f"]
            tokens = await client.text_document_semantic_tokens_full_async(
                lsp.SemanticTokensParams(lsp.TextDocumentIdentifier(uri))
            )
            assert tokens is not None
            assert len(tokens.data) % 5 == 0
            assert len(tokens.data) > 100

    run(session)


def test_positions_count_utf16_units(tmp_path: Path) -> None:
    uri = (tmp_path / "wide.vpr").as_uri()
    text = "method m() { /* \U0001f40d */ assert false }\n"

    likes = ["utf-8", "utf-32", "utf-16"]
    able = lsp.ClientCapabilities(general=lsp.GeneralClientCapabilities(position_encodings=likes))

    async def session(able: lsp.ClientCapabilities) -> None:
        async with editor(tmp_path, able=able) as known:
            assert known.offered.position_encoding == "utf-16"
            known.open(uri, text)
            await known.state(uri, "refuted")
            [found] = known.diagnostics[uri].diagnostics
            assert found.range.start == lsp.Position(0, len(text.split("false")[0]) + 1)

    run(lambda: session(lsp.ClientCapabilities()))
    run(lambda: session(able))


def test_formatting_keeps_what_cannot_be_parsed(tmp_path: Path) -> None:
    uri = (tmp_path / "layout.vpr").as_uri()

    async def session() -> None:
        async with editor(tmp_path, "--pause", "off") as known:
            asked = lsp.DocumentFormattingParams(
                lsp.TextDocumentIdentifier(uri), lsp.FormattingOptions(2, insert_spaces=True)
            )
            known.open(uri, "method   m( )  {  }")
            [edit] = await known.client.text_document_formatting_async(asked) or []
            assert edit.new_text.startswith("method m()")
            known.replace(uri, "method m( {", 2)
            assert not await known.client.text_document_formatting_async(asked)

    run(session)


STATES = """field value: Int
method set(cell: Ref, b: Bool)
  requires acc(cell.value)
  ensures forall i: Int :: i in Seq(1) ==> i > 0
{
  var n: Int := 2
  if (b) {
    n := 3
  }
  cell.value := n
}
"""


def test_the_state_at_the_cursor_hover_and_hints(tmp_path: Path) -> None:
    uri = (tmp_path / "states.vpr").as_uri()

    async def session() -> None:
        async with editor(tmp_path) as known:
            known.open(uri, STATES)
            await known.state(uri, "verified", "refuted", "undecided", "crashed")
            assert known._last(uri)["state"] == "verified"
            place = {"line": 9, "character": 8}
            params = {"textDocument": {"uri": uri}, "position": place}
            found = await asyncio.wait_for(
                known.client.protocol.send_request_async("pitviper/stateAt", params), LIMIT
            )
            assert found.member == "set"
            stores = [{v.name: v.value for v in state.store} for state in found.states]
            assert sorted(store["n"] for store in stores) == ["2", "3"]
            asked = {(s.asked.text, s.asked.permission) for s in found.states}
            assert asked == {("cell.value", "write")}
            hover = await known.client.text_document_hover_async(
                lsp.HoverParams(**at(STATES, "cell.value := n", uri, offset=6))
            )
            assert hover is not None
            assert isinstance(hover.contents, lsp.MarkupContent)
            assert "permission `write`" in hover.contents.value
            whole = lsp.Range(lsp.Position(0, 0), lsp.Position(20, 0))
            hints = await known.client.text_document_inlay_hint_async(
                lsp.InlayHintParams(lsp.TextDocumentIdentifier(uri), whole)
            )
            assert [h.label for h in hints or ()] == [" {(i in Seq(1))}"]
            past = {"textDocument": {"uri": uri}, "position": {"line": 900, "character": 9}}
            nothing = await known.client.protocol.send_request_async("pitviper/stateAt", past)
            assert nothing.states == []

    run(session)


def test_hints_say_which_permissions_statements_bring_and_take(tmp_path: Path) -> None:
    uri = (tmp_path / "cell.vpr").as_uri()
    text = (Path(__file__).parents[4] / "examples" / "cell.vpr").read_text()

    async def session() -> None:
        async with editor(tmp_path, "--pause", "off") as known:
            known.open(uri, text)
            whole = lsp.Range(lsp.Position(0, 0), lsp.Position(text.count("\n"), 0))
            asked = lsp.InlayHintParams(lsp.TextDocumentIdentifier(uri), whole)
            assert not await known.client.text_document_inlay_hint_async(asked)
            await known.command("pitviper.verify", uri)
            await known.state(uri, "verified")
            found = await known.client.text_document_inlay_hint_async(asked)
            while not found:  # members are recorded first, which may take longer than it waits
                found = await known.client.text_document_inlay_hint_async(asked)
            lines = text.split("\n")
            told = {(lines[h.position.line].strip(), h.label) for h in found or ()}
            assert ("unfold cell(c)", "+ acc(c.content)  - cell(c)") in told
            assert ("c := new(content)", "+ acc(c.content)") in told

    run(session)


def test_no_hint_says_that_a_failing_statement_brings_what_it_lacks(tmp_path: Path) -> None:
    uri = (tmp_path / "lacks.vpr").as_uri()
    text = "field f: Int\nmethod m(x: Ref)\n{\n  var y: Ref\n  x.f := 1\n  y := new(f)\n}\n"

    async def session() -> None:
        async with editor(tmp_path, "--pause", "off") as known:
            known.open(uri, text)
            await known.command("pitviper.verify", uri)
            await known.state(uri, "refuted")
            whole = lsp.Range(lsp.Position(0, 0), lsp.Position(7, 0))
            asked = lsp.InlayHintParams(lsp.TextDocumentIdentifier(uri), whole)
            found = await known.client.text_document_inlay_hint_async(asked)
            while not found:  # members are recorded first, which may take longer than it waits
                found = await known.client.text_document_inlay_hint_async(asked)
            assert [(h.position.line, h.label) for h in found] == [(5, "+ acc(y.f)")]

    run(session)


def test_programs_of_the_object_language_are_verified(tmp_path: Path) -> None:
    example = next(Path(__file__).parents[4].glob("examples/**/*.cool"))
    text = example.read_text()
    uri = (tmp_path / example.name).as_uri()

    async def session() -> None:
        async with editor(tmp_path) as known:
            known.open(uri, text)
            told = await known.state(uri, "verified", "refuted", "undecided", "crashed", "rejected")
            assert told["state"] in ("verified", "refuted")
            outline = await known.client.text_document_document_symbol_async(
                lsp.DocumentSymbolParams(lsp.TextDocumentIdentifier(uri))
            )
            assert outline
            known.replace(uri, text + "\n", 2)
            again = await known.state(uri, str(told["state"]), version=2)
            assert again["members"] == told["members"]

    run(session)
