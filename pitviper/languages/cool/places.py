"""Places in a text of the object language, by its tokens: also where it has mistakes."""

from __future__ import annotations

from pitviper.languages.cool.lexer import lex
from pitviper.languages.cool.parser import parse
from pitviper.source.span import SourceFile


def statement_at(file: SourceFile, offset: int) -> int:
    """Where the statement begins that a place is in: behind the last `;`, `{` or `}`."""
    tokens, _, _ = lex(file)
    start = 0
    for token in tokens:
        if token.start > offset:
            break
        if start < 0:
            start = token.start
        if token.kind in (";", "{", "}"):
            start = -1
    return offset if start < 0 else start


def result_at(file: SourceFile, offset: int) -> str | None:
    """The type of the result of the method that a place is in, as it is written."""
    for declared in parse(file).tree.classes:
        for method in declared.methods:
            if method.span.start <= offset < method.span.end and method.result is not None:
                return method.result.span.text
    return None
