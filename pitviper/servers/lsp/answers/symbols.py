"""Names that the programs of a project declare, by a part of the name."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from lsprotocol import types as lsp

from pitviper.driver.front.frontend import parse_text
from pitviper.languages.registry import language_of
from pitviper.servers.lsp.answers import structure
from pitviper.servers.lsp.texts.index import index_of
from pitviper.servers.lsp.texts.project import Project

MOST = 500
"""Symbols of an answer."""


class Symbols:
    """What is known of files that are not open, as long as these stay as they are."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[tuple[int, int], list[lsp.DocumentSymbol]]] = {}

    def matching(self, project: Project, wanted: str) -> Iterator[lsp.WorkspaceSymbol]:
        """Returns the members of all programs whose names hold a text."""
        left, part = MOST, wanted.lower()
        for path in project.files():
            uri = project.uri(path)
            for symbol in self._of(project, path):
                if part in symbol.name.lower():
                    place = lsp.Location(uri, symbol.selection_range)
                    yield lsp.WorkspaceSymbol(place, symbol.name, symbol.kind)
                    left -= 1
                    if not left:
                        return

    def _of(self, project: Project, path: Path) -> list[lsp.DocumentSymbol]:
        document = project.documents.get(path)
        if document is not None:
            return structure.outline(document.current())
        try:
            now = os.stat(path)
        except OSError:
            return []  # it is gone since the folder was looked at
        stamp = now.st_mtime_ns, now.st_size
        known = self._known.get(path)
        if known is None or known[0] != stamp:
            known = self._known[path] = stamp, _declared(path, project.text(path) or "")
        return known[1]


def _declared(path: Path, text: str) -> list[lsp.DocumentSymbol]:
    if language_of(path) is not None:
        return []  # its own front end has to read it whole: when it is open
    parsed = parse_text(text, str(path))
    return structure.declared_symbols(index_of(parsed.tree.span.file, parsed.tree.members))
