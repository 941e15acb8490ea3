"""Hints inside the text: chosen triggers, inferred ghost statements, permissions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lsprotocol import types as lsp

from pitviper.encoding.triggers.choice import inferred_triggers
from pitviper.program import expr as pe
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants
from pitviper.servers.lsp.protocol.positions import position_of
from pitviper.servers.lsp.protocol.problems import MemberProblems
from pitviper.servers.lsp.texts.document import Analysis, Document

MOST_PERMISSIONS = 3
"""Permissions that a hint tells; all are in its tooltip."""


def inlay_hints(document: Document, first: int, last: int) -> list[lsp.InlayHint]:
    """Returns what the verifier puts in: triggers that nobody wrote, ghost statements."""
    analysis = document.current()
    program = analysis.front.program
    if program is None or analysis.language is not None:
        return []
    found: list[lsp.InlayHint] = []
    for declared in (*program.methods.values(), *program.functions.values(),
                     *program.predicates.values()):  # fmt: skip
        if declared.span.file is not analysis.source:
            continue
        if declared.span.end < first or declared.span.start > last:
            continue
        for node in descendants(declared):
            if isinstance(node, pe.Forall | pe.Exists) and not node.triggers:
                found.extend(_trigger_hint(analysis, node))
    known = () if document.problems is None else document.problems.members.values()
    for member in known:
        found.extend(_ghost_hints(analysis, member))
    return found


def permission_hints(analysis: Analysis, changes: list[dict[str, Any]]) -> list[lsp.InlayHint]:
    """Returns what statements bring (+) and take (-), behind them."""
    found = []
    for change in changes:
        said = [
            *[f"+ {text}" for text in change["gained"]],
            *[f"- {text}" for text in change["lost"]],
        ]
        more = [] if len(said) <= MOST_PERMISSIONS else [f"{len(said) - MOST_PERMISSIONS} more"]
        label = "  ".join([*said[:MOST_PERMISSIONS], *more])
        tip = "permissions that this statement brings (+) and takes (-):\n" + "\n".join(said)
        place = position_of(analysis.source, change["end"])
        found.append(lsp.InlayHint(place, label, tooltip=tip, padding_left=True))
    return found


def _trigger_hint(analysis: Analysis, node: pe.Forall | pe.Exists) -> Iterator[lsp.InlayHint]:
    """The chosen triggers, behind the `::` of the quantifier."""
    text = node.span.text
    at = text.find("::")
    chosen = inferred_triggers(node)
    if at < 0 or not chosen or node.span.file is not analysis.source:
        return
    shown = " ".join("{" + ", ".join(text_of(e) for e in t.terms) + "}" for t in chosen[:3])
    position = position_of(analysis.source, node.span.start + at + 2)
    yield lsp.InlayHint(
        position, f" {shown}", tooltip="the triggers that are chosen", padding_left=False
    )


def _ghost_hints(analysis: Analysis, known: MemberProblems) -> Iterator[lsp.InlayHint]:
    """Folds and unfolds that the verdict rests on, in front of or behind their statements."""
    span = analysis.member_span(known.name)
    shift = 0 if span is None else span.line - known.line
    for step in known.inferred:
        place, text = step["place"], str(step["text"])
        assert isinstance(place, dict)
        in_front = str(step["where"]).startswith(("before", "around"))
        line, column = place["start"] if in_front else place["end"]
        source = analysis.source
        if 0 < line + shift <= source.line_count:
            position = position_of(source, source.offset(line + shift, column))
            yield lsp.InlayHint(position, text, tooltip="inferred", padding_right=True)
