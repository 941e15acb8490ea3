"""What a name means: its declaration, what is known of it, and all its places in a text."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from pitviper.servers.lsp.protocol.positions import position_of, range_of
from pitviper.servers.lsp.texts.document import Analysis, uri_of
from pitviper.servers.lsp.texts.index import Declaration
from pitviper.source.span import Span

MOST_PATHS = 6
"""Paths that a hover tells about."""


def meaning_at(analysis: Analysis, offset: int) -> Declaration | None:
    """Returns the declaration that the name at a place refers to."""
    index = analysis.index.near(offset)
    at = index.name_at(offset)
    return None if at is None else index.meaning(at)


def location_of(declared: Declaration) -> lsp.Location:
    """Returns where a name is declared."""
    return lsp.Location(uri_of(declared.place.file.path), range_of(declared.place))


def hover(analysis: Analysis, offset: int, status: str | None) -> lsp.Hover | None:
    """Returns a declaration as it is written, and what the verifier knows of a member."""
    index = analysis.index.near(offset)
    at = index.name_at(offset)
    declared = None if at is None else index.meaning(at)
    if at is None or declared is None:
        return None
    language = analysis.language
    lines = [f"```{'viper' if language is None else language.name}\n{declared.text}\n```"]
    if declared.kind in ("parameter", "result", "variable", "label"):
        lines.append(f"{declared.kind} of `{declared.member}`" if declared.member else "")
    if status is not None:
        lines.append(status)
    tokens = index.tokens
    place = Span(analysis.source, tokens.starts[at], tokens.ends[at])
    text = "\n\n".join(line for line in lines if line)
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), range_of(place))


def hover_with_states(
    analysis: Analysis, offset: int, shown: lsp.Hover | None, states: dict[str, Any] | None
) -> lsp.Hover | None:
    """Returns a hover with the value and the permission of what is under the cursor, by path."""
    lines: dict[str, None] = {}
    for state in (states or {}).get("states", ()):
        asked = state["asked"]
        if asked is None:
            continue
        parts = []
        if asked["value"] is not None:
            as_given = asked["value"] == asked["text"]
            parts.append("value as given" if as_given else f"value `{asked['value']}`")
        if asked["permission"] is not None:
            parts.append(f"permission `{asked['permission']}`")
        if parts:
            where = " and ".join(state["conditions"])
            path = f" where `{where}`" if where else ""
            lines[f"`{asked['text']}`: {', '.join(parts)}{path}"] = None
    if not lines:
        return shown
    text = "\n\n".join(list(lines)[:MOST_PATHS])
    if shown is None:
        position = position_of(analysis.source, offset)
        place = lsp.Range(position, position)
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), place)
    assert isinstance(shown.contents, lsp.MarkupContent)
    whole = f"{shown.contents.value}\n\n{text}"
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, whole), shown.range)


def highlights(analysis: Analysis, offset: int) -> list[lsp.DocumentHighlight]:
    """Returns all places of the text that mean the same as the name at a place."""
    declared = meaning_at(analysis, offset)
    if declared is None:
        return []
    return [lsp.DocumentHighlight(range_of(use)) for use in analysis.index.uses(declared)]
