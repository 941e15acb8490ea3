"""What takes longer, through the protocol: counterexamples, colours, progress with a button."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls.lsp.client", reason="pygls is not installed")

from lsprotocol import types as lsp

from tests.unit.servers.lsp.test_server import RIGHT, Editor, editor, run
from tests.unit.servers.rough import SLOW

WRONG = """method max(a: Int, b: Int) returns (r: Int)
  ensures r >= a && r >= b
{
  r := a
  if (a < b && a > 7) { r := b }
}
method same(n: Int) { assert n * n >= 0 || n == n }
"""


async def lenses(known: Editor, uri: str) -> list[str]:
    params = lsp.CodeLensParams(lsp.TextDocumentIdentifier(uri))
    found = await known.client.text_document_code_lens_async(params)
    return [lens.command.title for lens in found or () if lens.command is not None]


MARK = "Mark assertions that exploration proved"
SILENT = """method square(i: Int) returns (r: Int)
{
  r := i * i
}
method exhaustive(i: Int)
{
  var squared: Int
  squared := square(i)
  assert squared == i * i
}
"""


async def edits(known: Editor, uri: str, title: str) -> list[lsp.TextEdit]:
    [action] = [found for found in await offered(known, uri) if found.title == title]
    assert isinstance(action, lsp.CodeAction)
    assert action.edit is not None
    assert action.edit.changes is not None
    return list(action.edit.changes[uri])


async def actions(known: Editor, uri: str) -> list[str]:
    return [action.title for action in await offered(known, uri)]


async def offered(
    known: Editor, uri: str, found: Sequence[lsp.Diagnostic] | None = None
) -> list[lsp.Command | lsp.CodeAction]:
    found = known.diagnostics[uri].diagnostics if found is None else found
    where = lsp.Range(lsp.Position(0, 0), lsp.Position(9, 0))
    params = lsp.CodeActionParams(
        lsp.TextDocumentIdentifier(uri), where, lsp.CodeActionContext(found)
    )
    return list(await known.client.text_document_code_action_async(params) or ())


def test_lenses_offer_what_fits_a_member(tmp_path: Path) -> None:
    uri = (tmp_path / "max.vpr").as_uri()
    lens = lsp.CodeLensWorkspaceClientCapabilities(refresh_support=True)
    able = lsp.ClientCapabilities(workspace=lsp.WorkspaceClientCapabilities(code_lens=lens))

    async def session() -> None:
        own = {"clientCommands": True}
        async with editor(tmp_path, "--pause", "off", able=able, options=own) as known:
            known.open(uri, WRONG)
            assert await lenses(known, uri) == ["verify", "explore", "debug"] * 2
            await known.command("pitviper.verify", uri)
            await known.state(uri, "refuted")
            await known.until(lambda: known.refreshes > 0)
            assert await lenses(known, uri) == [
                "refuted (verify again)", "counterexample", "explore", "debug", "replay",
                "verified (verify again)", "explore", "debug",
            ]  # fmt: skip
        async with editor(tmp_path, "--pause", "off") as known:
            known.open(uri, WRONG)
            assert await lenses(known, uri) == ["verify", "explore"] * 2

    run(session)


def test_a_counterexample_has_values_and_a_picture(tmp_path: Path) -> None:
    uri = (tmp_path / "max.vpr").as_uri()

    async def session() -> None:
        async with editor(tmp_path, "--pause", "off") as known:
            known.open(uri, WRONG)
            await known.command("pitviper.verify", uri)
            await known.state(uri, "refuted")
            assert "Show a counterexample of max" in await actions(known, uri)
            answer: Any = await known.command("pitviper.counterexample", uri, "max")
            [found] = answer["results"]
            assert found["title"].startswith("max, line 2")
            assert any("a = " in line for line in found["lines"])
            assert found["picture"] is None or "<svg" in found["picture"]

    run(session)


def test_colours_come_with_inputs_and_go_with_the_text(tmp_path: Path) -> None:
    uri = (tmp_path / "max.vpr").as_uri()

    async def session() -> None:
        async with editor(tmp_path, "--pause", "off") as known:
            known.open(uri, WRONG)
            await known.command("pitviper.wizard", uri)
            await known.until(lambda: bool(known.colours))
            told = known.colours[-1]
            painted = {place.member: place for place in told.places}
            assert told.version == 1
            assert painted["max"].colour == "red"
            assert "fails for" in painted["max"].message
            assert painted["same"].colour == "green"
            await known.until(lambda: bool(known.diagnostics.get(uri)))
            await known.until(lambda: bool(known.diagnostics[uri].diagnostics))
            assert known.diagnostics[uri].diagnostics[0].code == "explored.red"
            known.replace(uri, WRONG + " ", 2)
            await known.until(lambda: known.diagnostics[uri].version == 2)
            assert not known.diagnostics[uri].diagnostics

    run(session)


def test_lines_of_a_range_are_laid_out_and_no_others(tmp_path: Path) -> None:
    uri = (tmp_path / "range.vpr").as_uri()
    text = "method a()\n{\n      assert true\n}\n\nmethod b()\n{\n      assert true\n}\n"

    async def session() -> None:
        async with editor(tmp_path, "--pause", "off") as known:
            known.open(uri, text)
            edits = await known.client.text_document_range_formatting_async(
                lsp.DocumentRangeFormattingParams(
                    lsp.TextDocumentIdentifier(uri),
                    lsp.Range(lsp.Position(5, 0), lsp.Position(8, 1)),
                    lsp.FormattingOptions(2, insert_spaces=True),
                )
            )
            assert edits is not None
            assert edits
            assert all(edit.range.start.line >= 5 for edit in edits)
            assert "  assert true" in "".join(edit.new_text for edit in edits)

    run(session)


def test_progress_is_shown_and_its_button_stops_the_run(tmp_path: Path) -> None:
    uri = (tmp_path / "progress.vpr").as_uri()
    able = lsp.ClientCapabilities(window=lsp.WindowClientCapabilities(work_done_progress=True))

    async def session() -> None:
        async with editor(tmp_path, "--pause", "off", able=able) as known:
            known.open(uri, RIGHT)
            await known.command("pitviper.verify", uri)
            await known.state(uri, "verified")
            await known.until(lambda: any(_kind(p) == "end" for p in known.progress))
            assert _kind(known.progress[0]) == "begin"
            known.tokens.clear()
            known.progress.clear()
            known.replace(uri, SLOW, 2)
            await known.command("pitviper.verify", uri)
            await known.until(lambda: any(_kind(p) == "begin" for p in known.progress))
            known.client.window_work_done_progress_cancel(
                lsp.WorkDoneProgressCancelParams(known.tokens[0])
            )
            await known.state(uri, "cancelled", version=2)
            await known.until(lambda: any(_kind(p) == "end" for p in known.progress))
            assert not any(_kind(p) == "begin" for p in known.progress[1:])
            known.replace(uri, RIGHT, 3)
            await known.command("pitviper.verify", uri)
            await known.state(uri, "verified", version=3)

    run(session)


def test_what_exploration_proved_is_marked_by_an_action(tmp_path: Path) -> None:
    uri = (tmp_path / "silent.vpr").as_uri()

    async def session() -> None:
        async with editor(tmp_path, "--pause", "off") as known:
            known.open(uri, SILENT)
            await known.command("pitviper.verify", uri)
            await known.state(uri, "refuted")
            assert MARK not in await actions(known, uri)
            await known.command("pitviper.wizard", uri)
            await known.until(lambda: bool(known.colours))
            [edit] = await edits(known, uri, MARK)
            assert "@verified_under" in edit.new_text
            known.replace(uri, edit.new_text, 2)
            await known.until(lambda: known.diagnostics[uri].version == 2)
            assert MARK not in await actions(known, uri)  # the colours are of the other text
            await known.command("pitviper.verify", uri)
            await known.state(uri, "verified", version=2)

    run(session)


def _kind(value: Any) -> str:
    return str(value["kind"] if isinstance(value, dict) else value.kind)


LOOP = """field f: Int
predicate cell(x: Ref) { acc(x.f) }

method count(x: Ref)
  requires cell(x)
  ensures cell(x)
{
  unfold cell(x)
  var i: Int := 0
  while (i < 3)
  {
    x.f := i
    i := i + 1
  }
  fold cell(x)
}

method open(x: Ref)
  requires cell(x)
{
  x.f := 1
}
"""


def test_changes_that_advice_names_are_offered_until_the_text_changes(tmp_path: Path) -> None:
    uri = (tmp_path / "loop.vpr").as_uri()

    async def session() -> None:
        async with editor(tmp_path, "--pause", "off") as known:
            text, version = LOOP, 1
            known.open(uri, text)
            for title in (
                "Add `invariant acc(x.f)` to the loop of line 10",
                "Write `unfold cell(x)` before line 22",
            ):
                await known.command("pitviper.verify", uri)
                await known.state(uri, "refuted", "verified", version=version)
                told = await offered(known, uri)
                names = [action.title for action in told]
                assert len(names) == len(set(names)), "each is offered once"
                action = told[names.index(title)]
                assert isinstance(action, lsp.CodeAction)
                assert action.edit is not None
                assert action.edit.changes is not None
                (edit,) = action.edit.changes[uri]
                assert isinstance(edit, lsp.TextEdit)
                text, version = written(text, edit), version + 1
                stale = known.diagnostics[uri].diagnostics
                known.replace(uri, text, version)
                left = await offered(known, uri, stale)
                assert [a.title for a in left if isinstance(a, lsp.CodeAction) and a.edit] == []
            await known.command("pitviper.verify", uri)
            last = await known.state(uri, "verified", "refuted", version=version)
            assert last["state"] == "verified", text

    run(session)


def written(text: str, edit: lsp.TextEdit) -> str:
    """The text with an edit at a place that is empty."""
    lines = text.splitlines(keepends=True)
    at = sum(len(line) for line in lines[: edit.range.start.line]) + edit.range.start.character
    return text[:at] + edit.new_text + text[at:]


def test_an_invariant_that_is_kept_only_at_first_is_not_green(tmp_path: Path) -> None:
    uri = (tmp_path / "count.vpr").as_uri()
    text = (
        "method count(n: Int)\n  requires n > 3\n{\n  var i: Int := 0\n  while (i < n)\n"
        "    invariant i <= 2\n  {\n    i := i + 1\n  }\n}\n"
    )

    async def session() -> None:
        async with editor(tmp_path, "--pause", "off") as known:
            known.open(uri, text)
            await known.command("pitviper.wizard", uri)
            await known.until(lambda: bool(known.colours))
            [painted] = known.colours[-1].places
            assert painted.range.start.line == 5
            assert painted.colour == "red"
            assert "after an iteration: fails for n = " in painted.message
            assert "before the first iteration: proved" in painted.message

    run(session)
