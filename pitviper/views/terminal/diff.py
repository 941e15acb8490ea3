"""The difference between two versions of a program, as a unified diff."""

from __future__ import annotations

import difflib

from pitviper.views.terminal.style import Painter, Style

_STYLES = {"+": Style.ADDED, "-": Style.REMOVED, "@": Style.NOTE}


def diff_text(name: str, before: str, after: str, paint: Painter) -> str:
    """A diff that `patch` understands (without colours); empty where nothing differs."""
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), name, name
    )
    return "".join(_painted(line, paint) for line in lines)


def _painted(line: str, paint: Painter) -> str:
    body = line.rstrip("\r\n")
    end = line[len(body) :] or "\n\\ No newline at end of file\n"
    if line.startswith(("+++", "---")):
        return paint(Style.TITLE, body) + end
    style = _STYLES.get(line[:1])
    return (body if style is None else paint(style, body)) + end
