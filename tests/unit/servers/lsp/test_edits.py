"""Five hundred random edits: what the server says after each is what a fresh analysis says."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

pytest.importorskip("pygls.lsp.client", reason="pygls is not installed")

from lsprotocol import types as lsp

from pitviper.servers.lsp.answers import completion, lenses, names, structure
from pitviper.servers.lsp.texts.document import Document
from pitviper.source.span import Span
from tests.unit.servers.lsp.test_server import editor, run

TEXT = """field value: Int // größer 😀
predicate cell(x: Ref) { acc(x.value) }
function get(x: Ref): Int requires cell(x) { unfolding cell(x) in x.value }
method set(x: Ref, v: Int) requires cell(x) ensures cell(x) && get(x) == v
{
  unfold cell(x)
  x.value := v
  fold cell(x)
}
method twice(x: Ref) requires cell(x) ensures cell(x)
{
  set(x, 1)
  set(x, 2)
}
method third(x: Ref, v: Int) returns (r: Int) requires cell(x) ensures cell(x)
{
  var before: Int := get(x)
  define more(a) a + 1
  r := more(before)
  twice(x)
}
method fourth(y: Int) { assert y == y }
"""
PIECES = (
    "x", "v", "1", " ", "\n", "{", "}", "(", ")", "acc(", "requires", "method m() {}\n", "// 😀\n",
    "fold", ":=", "==", "field g: Ref\n", "\"", "/*", "*/", "é", "\t", "\r\n", ".",
    "forall i: Int ::", "twice", "set(x, v)", "var k: Int", "r := 1\n", "gett(x)", "fourth(1)\n",
)  # fmt: skip
EDITS = 500
DIRECT = 250
"""Edits of the second test: without a process, everything is compared."""


def position(text: str, offset: int) -> lsp.Position:
    before = text[:offset]
    line = before.count("\n")
    column = before[before.rfind("\n") + 1 :]
    return lsp.Position(line, len(column.encode("utf-16-le")) // 2)


def test_answers_after_random_edits_are_those_of_a_fresh_analysis(tmp_path: Path) -> None:
    uri = (tmp_path / "edits.vpr").as_uri()
    chance = random.Random(20)

    async def session() -> None:
        async with editor(tmp_path, "--pause", "off") as known:
            text = TEXT
            known.open(uri, text)
            version = 1
            while version <= EDITS:
                if len(text) > 3 * len(TEXT) or chance.random() < 0.05:
                    change: object = lsp.TextDocumentContentChangeWholeDocument(TEXT)
                    text = TEXT
                else:
                    start = chance.randrange(len(text) + 1)
                    end = min(len(text), start + chance.choice((0, 0, 0, 1, 2, 7, 40)))
                    if "\r\n" in (text[start - 1 : start + 1], text[end - 1 : end + 1]):
                        continue  # positions do not lie inside of a line end
                    piece = chance.choice(PIECES) if chance.random() < 0.7 else ""
                    place = lsp.Range(position(text, start), position(text, end))
                    change = lsp.TextDocumentContentChangePartial(place, piece)
                    text = text[:start] + piece + text[end:]
                version += 1
                document = lsp.VersionedTextDocumentIdentifier(version, uri)
                known.client.text_document_did_change(
                    lsp.DidChangeTextDocumentParams(document, [change])  # type: ignore[list-item]
                )
                report = await known.client.text_document_diagnostic_async(
                    lsp.DocumentDiagnosticParams(lsp.TextDocumentIdentifier(uri))
                )
                fresh = Document(uri, text, version)
                ours = [(d.range, d.message, d.code) for d in report.items]
                theirs = [(d.range, d.message, d.code) for d in fresh.diagnostics()]
                assert ours == theirs, f"after version {version}"
                symbols = await known.client.text_document_document_symbol_async(
                    lsp.DocumentSymbolParams(lsp.TextDocumentIdentifier(uri))
                )
                expected = [s.name for s in structure.outline(fresh.current())]
                assert [s.name for s in symbols or ()] == expected

    run(session)


def known_of(document: Document) -> tuple[object, ...]:
    analysis = document.current()
    declared = [
        (d.name, d.kind, _place(d.place), _place(d.whole), _place(d.scope), d.text, d.member)
        for d in analysis.index.declarations
    ]
    messages = [
        (d.range, d.message, d.code, d.severity, d.related_information)
        for d in document.diagnostics()
    ]
    members = [analysis.member_at(at) for at in range(0, len(document.text), 40)]
    return messages, analysis.accepted, declared, analysis.surroundings, members


def _place(span: Span | None) -> tuple[int, int] | None:
    return None if span is None else (span.start, span.end)


def test_what_is_read_again_after_an_edit_is_enough() -> None:
    uri, text = "file:///tmp/edits.vpr", TEXT
    chance = random.Random(4)
    document = Document(uri, text, 1)
    document.current()
    partly = 0
    for version in range(2, DIRECT):
        if len(text) > 2 * len(TEXT) or chance.random() < 0.15:
            text = TEXT
        else:
            start = chance.randrange(len(text) + 1)
            end = min(len(text), start + chance.choice((0, 0, 0, 1, 2, 7, 40)))
            text = text[:start] + chance.choice(("", *PIECES)) + text[end:]
        document.change(text, version)
        assert known_of(document) == known_of(Document(uri, text, version)), text
        partly += document.current().reading.edit is not None
    assert partly > 20  # most edits break the text, or concern all of it


def test_a_hover_after_an_edit_reads_nothing_but_the_member(tmp_path: Path) -> None:
    text = "field f: Int\n" + "".join(
        [f"method m{n}(x: Ref) requires acc(x.f)\n{{\n  x.f := {n}\n}}\n" for n in range(9)]
    )
    document = Document((tmp_path / "many.vpr").as_uri(), text, 1)
    document.current()
    document.change(text.replace("x.f := 4", "x.f := 44"), 2)
    analysis = document.current()
    offset = analysis.source.text.index("x.f := 7") + 2
    shown = names.hover(analysis, offset, None)
    assert shown is not None
    assert completion.completions(analysis, offset)
    assert lenses.member_lenses(document, with_own=True)
    assert analysis._front is None
