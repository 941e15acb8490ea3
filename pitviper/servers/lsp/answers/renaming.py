"""Another name for what a program declares, in all files that mean it."""

from __future__ import annotations

import re
from pathlib import Path

from lsprotocol import types as lsp

from pitviper.base.usage_error import UsageError
from pitviper.checking.imports import LIBRARY
from pitviper.servers.lsp.protocol.positions import range_of
from pitviper.servers.lsp.texts.index import Declaration
from pitviper.servers.lsp.texts.project import Project, Used

_NAME = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")


def rename(project: Project, declared: Declaration, new: str) -> lsp.WorkspaceEdit:
    """Returns the edit that gives a declaration another name; UsageError where that would break."""
    uses = project.uses(declared)
    if _NAME.fullmatch(new) is None or any(new in used.index.words for used in uses):
        raise UsageError(f"{new!r} is no name in this language")
    if Path(declared.place.file.path).is_relative_to(LIBRARY):
        raise UsageError(f"{declared.name} belongs to the library")
    changes: dict[str, list[lsp.TextEdit]] = {}
    for used in uses:
        _look_for_clashes(used, declared, new)
        if used.places:
            edits = [lsp.TextEdit(range_of(place), new) for place in used.places]
            changes[project.uri(used.path)] = edits
    return lsp.WorkspaceEdit(changes=changes)


def _look_for_clashes(used: Used, declared: Declaration, new: str) -> None:
    for other in used.index.by_name.get(new, ()):
        if _meets(other, declared):
            where = "" if declared.place.file.path == used.path else f" in {used.path}"
            raise UsageError(f"{new} is declared already{where}, as a {other.kind}")


def _meets(other: Declaration, declared: Declaration) -> bool:
    if other.scope is None or declared.scope is None:
        return True
    return other.scope.start < declared.scope.end and declared.scope.start < other.scope.end
