"""Where the names of declarations and calls stand in the text."""

from __future__ import annotations

import re

from pitviper.languages.cool import tree
from pitviper.source.span import Span


def name_in(span: Span, name: str) -> Span:
    """Where the name stands in its declaration, `int x` or `int x := 1`."""
    head = re.split(r"[:;]", span.text, maxsplit=1)[0]
    found = [match.start() for match in re.finditer(rf"\b{re.escape(name)}\b", head)]
    start = span.start + (found[-1] if found else 0)
    return Span(span.file, start, start + len(name))


def name_behind(e: tree.Invoke) -> int | None:
    """Where the name of a called method stands; None behind a comment."""
    if e.receiver is None:
        return e.span.start
    behind = e.receiver.span.end
    found = re.compile(r"[\s)]*\.\s*").match(e.span.file.text, behind)
    return None if found is None else found.end()
