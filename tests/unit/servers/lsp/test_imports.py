"""Files that import each other in an editor: saved or not, a verdict is about what they say now."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from lsprotocol import types as lsp

pytest.importorskip("pygls.lsp.client", reason="pygls is not installed")

from tests.unit.servers.lsp.test_server import at, editor, run

LIBRARY = """method callee(x: Int) returns (r: Int)
  ensures r > 3
{
  r := 4
}
"""
MAIN = """import "library.vpr"
method caller()
{
  var y: Int
  y := callee(1)
  assert y > 3
}
"""
WEAK = LIBRARY.replace("r > 3", "r > 2")
ENDS = "verified", "refuted", "undecided", "rejected", "crashed"


def test_an_unsaved_edit_is_seen_by_all_that_import_the_text(tmp_path: Path) -> None:
    (tmp_path / "library.vpr").write_text(LIBRARY)
    library, main = (tmp_path / "library.vpr").as_uri(), (tmp_path / "main.vpr").as_uri()

    async def session() -> None:
        async with editor(tmp_path) as known:
            known.open(main, MAIN)
            assert (await known.state(main, *ENDS))["state"] == "verified"
            known.open(library, LIBRARY)
            await known.state(library, *ENDS)
            assert (await known.state(main, *ENDS))["state"] == "verified"
            before = len(known.states)
            known.replace(library, WEAK, 2)
            await known.state(main, "refuted", "rejected", "crashed", "undecided")
            told = [s["state"] for s in known.states[before:] if s["uri"] == main]
            assert told[0] == "stale"
            assert "verified" not in told
            assert told[-1] == "refuted"
            close = lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(library))
            known.client.text_document_did_close(close)
            assert (await known.state(main, "verified"))["state"] == "verified"

    run(session)


@pytest.mark.parametrize("change", ["another text", "gone", "back in time"])
def test_a_verdict_ends_when_an_imported_file_changes_on_disk(tmp_path: Path, change: str) -> None:
    file = tmp_path / "library.vpr"
    file.write_text(LIBRARY)
    main = (tmp_path / "main.vpr").as_uri()

    async def session() -> None:
        async with editor(tmp_path) as known:
            known.open(main, MAIN)
            assert (await known.state(main, *ENDS))["state"] == "verified"
            before = len(known.states)
            if change == "gone":
                file.unlink()
            else:
                then = file.stat().st_mtime_ns
                file.write_text(WEAK)
            if change == "back in time":
                os.utime(file, ns=(then, then))
            wanted = "rejected" if change == "gone" else "refuted"
            await known.state(main, wanted)
            told = [s["state"] for s in known.states[before:]]
            assert told[0] == "stale"
            assert "verified" not in told
            file.write_text(LIBRARY)
            await known.state(main, "verified")

    run(session)


def test_a_change_that_is_told_is_looked_at_at_once(tmp_path: Path) -> None:
    file = tmp_path / "library.vpr"
    file.write_text(LIBRARY)
    main = (tmp_path / "main.vpr").as_uri()

    async def session() -> None:
        async with editor(tmp_path, "--pause", "off") as known:
            known.open(main, MAIN)
            await known.command("pitviper.verify", main)
            assert (await known.state(main, *ENDS))["state"] == "verified"
            file.write_text(WEAK)
            change = lsp.FileEvent(file.as_uri(), lsp.FileChangeType.Changed)
            told = lsp.DidChangeWatchedFilesParams([change])
            known.client.workspace_did_change_watched_files(told)
            assert (await known.state(main, "stale"))["members"] == {}
            lenses = await known.client.text_document_code_lens_async(
                lsp.CodeLensParams(lsp.TextDocumentIdentifier(main))
            )
            assert lenses is not None
            assert not [
                lens for lens in lenses if lens.command and "verified" in lens.command.title
            ]

    run(session)


def test_a_text_is_told_with_no_verdicts_of_the_text_before(tmp_path: Path) -> None:
    uri = (tmp_path / "calls.vpr").as_uri()
    text = LIBRARY + MAIN.partition("\n")[2]

    async def session() -> None:
        async with editor(tmp_path, "--pause", "off") as known:
            known.open(uri, text)
            await known.command("pitviper.verify", uri)
            assert (await known.state(uri, *ENDS))["state"] == "verified"
            known.replace(uri, text.replace("r := 4", "r := 0"), 2)
            assert (await known.state(uri, "stale", version=2))["members"] == {}

    run(session)


def test_names_are_found_and_changed_in_all_files_that_import_them(tmp_path: Path) -> None:
    (tmp_path / "library.vpr").write_text(LIBRARY)
    (tmp_path / "main.vpr").write_text(MAIN)
    (tmp_path / "other.vpr").write_text("method callee() {}\nmethod its() { callee() }\n")
    (tmp_path / "far.vpr").write_text(
        'import "main.vpr"\nmethod far() { var r: Int r := callee(2) }\n'
    )
    library, main = (tmp_path / "library.vpr").as_uri(), (tmp_path / "main.vpr").as_uri()
    far = (tmp_path / "far.vpr").as_uri()

    async def session() -> None:
        async with editor(tmp_path, "--pause", "off") as known:
            known.open(main, "// a line more\n" + MAIN)
            where = at("// a line more\n" + MAIN, "callee", main)
            uses = await known.client.text_document_references_async(
                lsp.ReferenceParams(**where, context=lsp.ReferenceContext(True))  # type: ignore[arg-type]
            )
            assert uses is not None
            assert {(u.uri, u.range.start.line) for u in uses} == {
                (library, 0),
                (main, 5),
                (far, 1),
            }
            renamed = await known.client.text_document_rename_async(
                lsp.RenameParams(**where, new_name="worker")  # type: ignore[arg-type]
            )
            assert renamed is not None
            assert renamed.changes is not None
            assert {uri: len(edits) for uri, edits in renamed.changes.items()} == {
                library: 1,
                main: 1,
                far: 1,
            }
            with pytest.raises(Exception, match=r"far is declared already in .*far\.vpr"):
                await known.client.text_document_rename_async(
                    lsp.RenameParams(**where, new_name="far")  # type: ignore[arg-type]
                )
            found = await known.client.workspace_symbol_async(lsp.WorkspaceSymbolParams("ITS"))
            assert found is not None
            assert [symbol.name for symbol in found] == ["its"]

    run(session)


def test_colours_go_when_an_imported_file_changes(tmp_path: Path) -> None:
    file = tmp_path / "library.vpr"
    file.write_text(LIBRARY)
    main = (tmp_path / "main.vpr").as_uri()

    async def session() -> None:
        async with editor(tmp_path, "--pause", "off") as known:
            known.open(main, MAIN)
            await known.command("pitviper.wizard", main)
            await known.until(lambda: bool(known.colours))
            assert "green" in [place.colour for place in known.colours[-1].places]
            file.write_text(WEAK)
            await known.until(lambda: len(known.colours) > 1)
            told = known.colours[-1]
            assert (told.uri, told.version, list(told.places)) == (main, 1, [])

    run(session)


@pytest.mark.parametrize("half", ["  y := cal\n  y.\n", "  if (\n", "}\nmethod next("])
def test_imported_names_are_known_in_a_text_that_is_half_written(tmp_path: Path, half: str) -> None:
    (tmp_path / "library.vpr").write_text(LIBRARY)
    main = (tmp_path / "main.vpr").as_uri()
    text = MAIN.replace("  assert y > 3\n", half)

    async def session() -> None:
        async with editor(tmp_path, "--pause", "off") as known:
            known.open(main, text)
            await known.until(lambda: bool(known.diagnostics.get(main)))
            assert known.diagnostics[main].diagnostics[0].code == "parser.error"
            params = lsp.CompletionParams(**at(text, "callee(1)", main, 3))
            items = await known.client.text_document_completion_async(params)
            assert isinstance(items, tuple | list)
            assert "callee" in [item.label for item in items]
            place = lsp.DefinitionParams(**at(text, "callee(1)", main, 1))
            found = await known.client.text_document_definition_async(place)
            assert isinstance(found, lsp.Location)
            assert found.uri == (tmp_path / "library.vpr").as_uri()

    run(session)
