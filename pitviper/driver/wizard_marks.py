"""Writes marks behind which the verifier assumes assertions, and takes them away again."""

from __future__ import annotations

import re
from pathlib import Path

from pitviper.driver.usage_error import UsageError
from pitviper.plugins.statements import all_statements
from pitviper.program.member import Program
from pitviper.program.stmt import Assert
from pitviper.source.span import Span

MARK = '@verified_under("true") '
_MARK = re.compile(r'@verified_under\("true"\)[ \t]*')


def marked_text(text: str, program: Program, places: frozenset[Span], path: Path) -> str:
    """The text with marks before the assertions at these places; marked ones stay as they are."""
    starts = sorted(
        {
            s.span.start
            for s in all_statements(program)
            if isinstance(s, Assert)
            and s.assertion.span in places
            and s.span.file.path == path
            and not text.startswith("@", s.span.start)
        },
        reverse=True,
    )
    for start in starts:
        text = text[:start] + MARK + text[start:]
    return text


def unmarked_text(text: str) -> str:
    return _MARK.sub("", text)


def rewrite(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error
