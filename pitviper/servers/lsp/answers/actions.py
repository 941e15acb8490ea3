"""Changes that the editor offers: cures of problems, ghost statements, formatting."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any

from lsprotocol import types as lsp

from pitviper.driver.front.formatting import formatted_text
from pitviper.servers.lsp.protocol.positions import offset_of, range_of
from pitviper.servers.lsp.texts.document import Document
from pitviper.source.edit import Edit, edited
from pitviper.source.span import Span

INFER = "pitviper.inferGhost"
EXAMPLE, EXPLORE = "pitviper.counterexample", "pitviper.explore"
_MISSING = "insufficient.permission"


def cures(document: Document, diagnostics: Sequence[lsp.Diagnostic]) -> list[lsp.CodeAction]:
    """Returns what may cure the given problems, edits first; each is one edit or one command."""
    found: dict[str, lsp.CodeAction] = {}
    for diagnostic in diagnostics:
        code = str(diagnostic.code or "")
        data = diagnostic.data if isinstance(diagnostic.data, dict) else {}
        offered = _advised(document, diagnostic, data)
        member = data.get("member")
        if isinstance(member, str) and "cures" in data and not code.startswith(_FRONT_END):
            offered += _questions(document, diagnostic, code, member)
        for action in offered:
            found.setdefault(action.title, action)
    return sorted(found.values(), key=lambda action: action.edit is None)


_FRONT_END = ("parser.", "typechecker.", "consistency.")


def _questions(
    document: Document, diagnostic: lsp.Diagnostic, code: str, member: str
) -> list[lsp.CodeAction]:
    """Commands that tell more about a member that is not verified."""
    asked = [(f"Explore {member}", EXPLORE)]
    if code not in ("undecided", "crash"):
        asked.insert(0, (f"Show a counterexample of {member}", EXAMPLE))
    if code.endswith(_MISSING):
        asked.append((f"Infer folds and unfolds in {member}", INFER))
    return [_ask(document, diagnostic, title, command, member) for title, command in asked]


def _advised(
    document: Document, diagnostic: lsp.Diagnostic, data: dict[str, Any]
) -> list[lsp.CodeAction]:
    """The changes that the advice names, where they still fit the text and do not break it."""
    if data.get("version") != document.version or not isinstance(data.get("cures"), list):
        return []
    found = []
    for cure in data["cures"]:
        edits = [lsp.TextEdit(_range(e["range"]), str(e["newText"])) for e in cure["edits"]]
        if not _breaks(document, edits):
            found.append(
                lsp.CodeAction(
                    str(cure["title"]),
                    kind=lsp.CodeActionKind.QuickFix,
                    diagnostics=[diagnostic],
                    edit=lsp.WorkspaceEdit(changes={document.uri: edits}),
                )
            )
    return found


def _range(data: dict[str, dict[str, int]]) -> lsp.Range:
    start, end = data["start"], data["end"]
    return lsp.Range(
        lsp.Position(start["line"], start["character"]), lsp.Position(end["line"], end["character"])
    )


def _breaks(document: Document, edits: list[lsp.TextEdit]) -> bool:
    """Whether a text that the front end accepts would be rejected with the edits."""
    analysis = document.current()
    if not analysis.accepted:
        return False
    source = analysis.source
    changes = [
        Edit(
            Span(source, offset_of(source, e.range.start), offset_of(source, e.range.end)),
            e.new_text,
        )
        for e in edits
    ]
    return bool(analysis.read_as(edited(source.text, changes)).errors)


def _ask(
    document: Document, diagnostic: lsp.Diagnostic, title: str, command: str, member: str
) -> lsp.CodeAction:
    return lsp.CodeAction(
        title,
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=[diagnostic],
        command=lsp.Command(title, command, arguments=[document.uri, member]),
    )


def marking(document: Document) -> list[lsp.CodeAction]:
    """Offers to mark assertions that exploration proved, so that the verifier assumes them."""
    colours = document.colours
    if colours is None or colours.text != document.text or colours.marked is None:
        return []
    source = document.current().source
    whole = range_of(Span(source, 0, len(source.text)))
    edit = lsp.TextEdit(whole, colours.marked)
    return [
        lsp.CodeAction(
            "Mark assertions that exploration proved",
            kind=lsp.CodeActionKind.RefactorRewrite,
            edit=lsp.WorkspaceEdit(changes={document.uri: [edit]}),
        )
    ]


def ghost_edit(document: Document, inferred: list[dict[str, object]]) -> lsp.WorkspaceEdit | None:
    """Returns the edit that writes inferred statements before the lines that need them."""
    lines = document.text.split("\n")
    edits = []
    for step in inferred:
        place = step["place"]
        if not isinstance(place, dict) or not str(step["where"]).startswith("before line"):
            continue
        line = int(place["start"][0]) - 1
        indent = lines[line][: len(lines[line]) - len(lines[line].lstrip())]
        start = lsp.Position(line, 0)
        edits.append(lsp.TextEdit(lsp.Range(start, start), f"{indent}{step['text']}\n"))
    return lsp.WorkspaceEdit(changes={document.uri: edits}) if edits else None


def formatting(document: Document) -> list[lsp.TextEdit]:
    """Returns the edit that lays a text out; none where it cannot be parsed."""
    analysis = document.current()
    new = formatted_text(analysis.source)
    if new is None or new == document.text:
        return []
    whole = Span(analysis.source, 0, len(analysis.source.text))
    return [lsp.TextEdit(range_of(whole), new)]


def formatting_in(document: Document, first: int, last: int) -> list[lsp.TextEdit]:
    """Returns the edits that lay out the lines from `first` to `last`, counted from 0."""
    new = formatted_text(document.current().source)
    if new is None:
        return []
    before, after = document.text.split("\n"), new.split("\n")
    edits = []
    for kind, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal" or i2 <= first or i1 > last:
            continue
        lines = "".join(f"{line}\n" for line in after[j1:j2])
        start, end = lsp.Position(i1, 0), lsp.Position(i2, 0)
        if i2 == len(before):
            end, lines = lsp.Position(i2 - 1, len(before[-1])), lines.removesuffix("\n")
        edits.append(lsp.TextEdit(lsp.Range(start, end), lines))
    return edits
