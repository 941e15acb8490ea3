"""Changes that the editor offers: cures of problems, ghost statements, renaming, formatting."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from pathlib import Path

from lsprotocol import types as lsp

from pitviper.base.usage_error import UsageError
from pitviper.driver.front.formatting import formatted_text
from pitviper.driver.front.viper_syntax import viper_members
from pitviper.servers.lsp.document import Analysis, Document
from pitviper.servers.lsp.index import Declaration
from pitviper.servers.lsp.positions import position_of, range_of
from pitviper.source.span import Span
from pitviper.syntax import tree
from pitviper.syntax.token import KEYWORDS

INFER = "pitviper.inferGhost"
EXAMPLE, EXPLORE = "pitviper.counterexample", "pitviper.explore"
_MISSING = "insufficient.permission"
_NAME = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")


def cures(document: Document, diagnostics: Sequence[lsp.Diagnostic]) -> list[lsp.CodeAction]:
    """Returns what may cure the given problems; each is one edit or one command."""
    found = []
    for diagnostic in diagnostics:
        code = str(diagnostic.code or "")
        data = diagnostic.data if isinstance(diagnostic.data, dict) else {}
        member = data.get("member")
        if not isinstance(member, str):
            continue
        if code not in ("undecided", "crash"):
            found.append(
                _ask(document, diagnostic, f"Show a counterexample of {member}", EXAMPLE, member)
            )
        found.append(_ask(document, diagnostic, f"Explore {member}", EXPLORE, member))
        if not code.endswith(_MISSING):
            continue
        found.extend(_require(document, diagnostic, member, data.get("offending")))
        title = f"Infer folds and unfolds in {member}"
        found.append(_ask(document, diagnostic, title, INFER, member))
    return sorted(found, key=lambda action: action.edit is None)


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


def _require(
    document: Document, diagnostic: lsp.Diagnostic, member: str, offending: object
) -> list[lsp.CodeAction]:
    """Offers a precondition that brings the permission, where it can be said before the body."""
    analysis = document.current()
    declared = _member(analysis, member)
    if declared is None or not isinstance(offending, str) or not _is_location(offending):
        return []
    names = {param.name.name for param in declared.params}
    if offending.split(".", 1)[0] not in names:
        return []
    clause = f"requires acc({offending})"
    title = f"Add `{clause}` to {member}"
    edit = lsp.TextEdit(_clause_place(analysis, declared), f"\n  {clause}")
    return [
        lsp.CodeAction(
            title,
            kind=lsp.CodeActionKind.QuickFix,
            diagnostics=[diagnostic],
            edit=lsp.WorkspaceEdit(changes={document.uri: [edit]}),
        )
    ]


def _is_location(text: str) -> bool:
    return re.fullmatch(r"[A-Za-z_$][\w$]*\.[A-Za-z_$][\w$]*", text) is not None


def _member(analysis: Analysis, name: str) -> tree.Method | tree.Function | None:
    for member in viper_members(analysis.front):
        if isinstance(member, tree.Method | tree.Function) and member.name.name == name:
            return member if member.span.file is analysis.source else None
    return None


def _clause_place(analysis: Analysis, member: tree.Method | tree.Function) -> lsp.Range:
    """Behind the last precondition, else behind the parameters and the result."""
    end = member.params[-1].span.end if member.params else member.name.span.end
    text = analysis.source.text
    end = text.index(")", end) + 1
    if isinstance(member, tree.Function):
        end = member.result.span.end
    elif member.returns:
        end = text.index(")", member.returns[-1].span.end) + 1
    for clause in member.specs:
        if isinstance(clause, tree.Clause) and clause.kind == "requires":
            end = clause.span.end
    place = position_of(analysis.source, end)
    return lsp.Range(place, place)


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


def rename(
    document: Document, declared: Declaration, new: str, folders: list[Path]
) -> lsp.WorkspaceEdit:
    """Returns the edit that gives a declaration another name; UsageError where that would break."""
    analysis = document.current()
    if _NAME.fullmatch(new) is None or new in KEYWORDS:
        raise UsageError(f"{new!r} is no name that Viper knows")
    if declared.place.file is not analysis.source:
        raise UsageError(
            f"{declared.name} is declared in {declared.place.file.path}: rename it there"
        )
    clash = next((d for d in analysis.index.by_name.get(new, ()) if _meets(d, declared)), None)
    if clash is not None:
        raise UsageError(f"{new} is declared already, as a {clash.kind}")
    if declared.scope is None:
        user = _importer(document.path, folders)
        if user is not None:
            raise UsageError(f"{user} imports this file, and would still say {declared.name}")
    edits = [lsp.TextEdit(range_of(use), new) for use in analysis.index.uses(declared)]
    return lsp.WorkspaceEdit(changes={document.uri: edits})


def _meets(other: Declaration, declared: Declaration) -> bool:
    if other.scope is None or declared.scope is None:
        return True
    return other.scope.start < declared.scope.end and declared.scope.start < other.scope.end


def _importer(path: Path, folders: list[Path]) -> Path | None:
    """A file below the folders of the editor that imports a file."""
    for folder in folders:
        for other in sorted(folder.rglob("*.vpr")):
            if other == path or not other.is_file():
                continue
            text = other.read_text(encoding="utf-8", errors="replace")
            for name in re.findall(r'import\s+"([^"]+)"', text):
                if (other.parent / name).resolve() == path.resolve():
                    return other
    return None
