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
from pitviper.plugins.verified_under import CONDITION, KEY, is_marked, rests_on
from pitviper.program.member import Program
from pitviper.program.stmt import Assert
from pitviper.source.reading import read_bytes
from pitviper.source.span import SourceFile, Span
from pitviper.syntax.parse.lexer import lex
from pitviper.syntax.token import STRING


def mark(digest: str) -> str:
    """What is written before an assertion whose proof rests on something with this digest."""
    return f'@{KEY}("{CONDITION}", "{digest}") '


Proved = tuple[str, Span]
"""A method and an assertion in it."""


def marked_text(source: SourceFile, program: Program, proved: Collection[Proved]) -> str:
    """The text with marks before proved assertions and nowhere else, up to date.

    Assertions that a macro makes are not marked: one place stands for all uses of the macro.
    """
    asserts = [s for s in all_statements(program) if isinstance(s, Assert) and _is_in(s, source)]
    kept = _proved(program, proved)
    new = {_start(s): s for s in asserts if s.assertion.span in kept and not is_marked(s)}
    text = source.text
    pieces = [(start, start, kept[s.assertion.span]) for start, s in new.items()]
    for start, end in _marks(source):
        owner = min((s for s in asserts if s.span.start >= end), key=_start, default=None)
        written = "" if owner is None else kept.get(owner.assertion.span, "")
        pieces.append((start, end, written))
    for start, end, written in sorted(pieces, reverse=True):
        text = text[:start] + written + text[end:]
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


def _proved(program: Program, proved: Collection[Proved]) -> dict[Span, str]:
    """Assertions that are proved in the method in which they stand, with their marks."""
    owners = {
        statement.assertion.span: name
        for name, method in program.methods.items()
        if method.body is not None
        for statement in statements_in(method.body)
        if isinstance(statement, Assert) and method.body.span.encloses(statement.span)
    }
    whole = {span: name for span, name in owners.items() if (name, span) in proved}
    digests = {name: rests_on(program, name) for name in whole.values()}
    return {span: mark(digests[name]) for span, name in whole.items()}


def _marks(source: SourceFile) -> list[tuple[int, int]]:
    """Where marks stand, with the blank behind them."""
    tokens, _ = lex(source)
    text, found = source.text, []
    words = [text[s:e] for s, e in zip(tokens.starts, tokens.ends, strict=True)]
    for at, word in enumerate(words):
        if word != f"@{KEY}" or words[at + 1 : at + 2] != ["("]:
            continue
        last = at + 5 if words[at + 3 : at + 4] == [","] else at + 3
        inside = [i for i in range(at + 2, last, 2) if i < len(words)]
        is_whole = words[last : last + 1] == [")"] and all(
            tokens.kinds[i] == STRING for i in inside
        )
        if is_whole and words[at + 2][1:-1].strip() == CONDITION:
            end = tokens.ends[last]
            found.append((tokens.starts[at], end + text.startswith(" ", end)))
    return found


def _is_in(statement: Assert, source: SourceFile) -> bool:
    is_here = statement.span.file.path == source.path
    return is_here and source.text.startswith("assert", statement.span.start)


def _start(statement: Assert) -> int:
    return statement.span.start
