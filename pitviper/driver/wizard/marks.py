"""Writes marks behind which the verifier assumes assertions, and takes them away again.

Marks are found among the tokens of a file, so that comments and strings stay what they are. All
else in the file stays as it is, byte for byte.
"""

from __future__ import annotations

import codecs
from collections.abc import Collection
from pathlib import Path

from pitviper.base.file import write_file
from pitviper.base.usage_error import UsageError
from pitviper.plugins.build import all_statements, statements_in
from pitviper.plugins.verified_under import CONDITION, KEY, is_marked
from pitviper.program.member import Program
from pitviper.program.stmt import Assert
from pitviper.source.reading import read_bytes
from pitviper.source.span import SourceFile, Span
from pitviper.syntax.parse.lexer import lex
from pitviper.syntax.token import STRING

MARK = f'@{KEY}("{CONDITION}") '

Proved = tuple[str, Span]
"""A method and an assertion in it."""


def marked_text(source: SourceFile, program: Program, proved: Collection[Proved]) -> str:
    """The text with marks before proved assertions and nowhere else; those that stand there stay.

    Assertions that a macro makes are not marked: they do not stand where the macro is used.
    """
    asserts = [s for s in all_statements(program) if isinstance(s, Assert) and _is_in(s, source)]
    kept = _proved(program, proved)
    new = {_start(s): None for s in asserts if s.assertion.span in kept and not is_marked(s)}
    text = source.text
    pieces = [(start, start, MARK) for start in new]
    for start, end in _marks(source):
        owner = min((s for s in asserts if s.span.start >= end), key=_start, default=None)
        if owner is None or owner.assertion.span not in kept:
            pieces.append((start, end, ""))
    for start, end, mark in sorted(pieces, reverse=True):
        text = text[:start] + mark + text[end:]
    return text


def unmarked_text(source: SourceFile) -> str:
    """The text without any mark."""
    text = source.text
    for start, end in reversed(_marks(source)):
        text = text[:start] + text[end:]
    return text


def rewrite(source: SourceFile, text: str) -> None:
    """Replace what a file says, unless somebody else has changed it since it was read."""
    path: Path = source.path
    if text == source.text:
        return
    if path.exists() and not path.is_file():
        raise UsageError(f"cannot write {path}: it is no file that can be changed")
    before = read_bytes(path)
    start = codecs.BOM_UTF8 if before.startswith(codecs.BOM_UTF8) else b""
    if before != start + source.text.encode():
        raise UsageError(f"{path} has changed meanwhile: nothing was written")
    write_file(path, start + text.encode())


def _proved(program: Program, proved: Collection[Proved]) -> dict[Span, None]:
    """Assertions that are proved in every method in which they stand."""
    members: dict[Span, list[str]] = {}
    for name, method in program.methods.items():
        for statement in () if method.body is None else statements_in(method.body):
            if isinstance(statement, Assert):
                members.setdefault(statement.assertion.span, []).append(name)
    return {
        span: None
        for span, names in members.items()
        if all((name, span) in proved for name in names)
    }


def _marks(source: SourceFile) -> list[tuple[int, int]]:
    """Where marks stand, with the blank behind them."""
    tokens, _ = lex(source)
    text, found = source.text, []
    for at in range(len(tokens.kinds) - 3):
        texts = [text[tokens.starts[i] : tokens.ends[i]] for i in range(at, at + 4)]
        if texts[:2] != [f"@{KEY}", "("] or tokens.kinds[at + 2] != STRING or texts[3] != ")":
            continue
        if texts[2][1:-1].strip() == CONDITION:
            end = tokens.ends[at + 3]
            found.append((tokens.starts[at], end + text.startswith(" ", end)))
    return found


def _is_in(statement: Assert, source: SourceFile) -> bool:
    is_here = statement.span.file.path == source.path
    return is_here and source.text.startswith("assert", statement.span.start)


def _start(statement: Assert) -> int:
    return statement.span.start
