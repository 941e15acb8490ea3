"""Text of the object language to tokens, by one regular expression."""

from __future__ import annotations

import re
from typing import NamedTuple

from pitviper.source.diagnostic import Diagnostic, Severity
from pitviper.source.span import SourceFile, Span

KEYWORDS = frozenset(
    """
    class interface implements abstract pure predicate void requires ensures decreases invariant
    return new if else while assert assume join open close use opening using in old acc untouched
    forall exists true false null this result int bool seq set write none wildcard
    union intersection setminus
    """.split()
)

NAME, NUMBER, END = "name", "number", "end"

_PIECE = re.compile(
    r"""
      (?P<space>[ \t\r\n\f]+)
    | (?P<comment>//[^\n]*|/\*[\s\S]*?\*/)
    | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
    | (?P<number>[0-9]+)
    | (?P<symbol><==>|==>|:=|:\||::|\.\.|\+\+|--|&&|\|\||==|!=|<=|>=|[-()\[\]{},;:.*/%+!?|<>])
    | (?P<open>/\*)
    | (?P<bad>.)
    """,
    re.VERBOSE,
)


class Token(NamedTuple):
    """`kind` is the text itself for keywords and symbols."""

    kind: str
    text: str
    start: int
    end: int


def lex(file: SourceFile) -> tuple[list[Token], list[Token], list[Diagnostic]]:
    """The tokens, the comments, and what is no token at all; the last token is the end."""
    tokens: list[Token] = []
    comments: list[Token] = []
    problems: list[Diagnostic] = []
    for piece in _PIECE.finditer(file.text):
        group, text = piece.lastgroup, piece.group()
        token = Token(_kind(group, text), text, piece.start(), piece.end())
        if group == "comment":
            comments.append(token)
        elif group in ("bad", "open"):
            problems.append(_problem(file, token))
        elif group != "space":
            tokens.append(token)
    size = len(file.text)
    return [*tokens, Token(END, "", size, size)], comments, problems


def _kind(group: str | None, text: str) -> str:
    if group == "name":
        return text if text in KEYWORDS else NAME
    return NUMBER if group == "number" else text


_HELP = {
    "=": "write `:=` to assign and `==` to compare",
    "&": "write `&&`",
    "$": "names consist of letters, digits and `_`",
    "'": "there are no characters or strings in this language",
    '"': "there are no characters or strings in this language",
    "∧": "write `&&`",
    "≠": "write `!=`",
    "≤": "write `<=`",
    "≥": "write `>=`",
}


def _problem(file: SourceFile, token: Token) -> Diagnostic:
    span = Span(file, token.start, token.end)
    if token.text == "/*":
        message, cure = "this comment is not closed", "write `*/` where the comment ends"
        return Diagnostic("parser.error", Severity.ERROR, span, message, help=cure)
    message = f"`{token.text}` has no meaning here"
    return Diagnostic("parser.error", Severity.ERROR, span, message, help=_HELP.get(token.text))
