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
            if text == "=":  # what was meant is clear: the rest is read as if it were written so
                tokens.append(token._replace(kind=":="))
        elif group != "space":
            tokens.append(token)
    size = len(file.text)
    return [*_named(tokens), Token(END, "", size, size)], comments, problems


_COLLECTIONS = frozenset(["seq", "set"])
_COMMANDS = frozenset(["open", "close", "use", "join", "write"])
_BEFORE_NAMES = frozenset([".", "void", "int", "bool", NAME, "]", ">"])


def _named(tokens: list[Token]) -> list[Token]:
    """Words that are names where they can mean nothing else: `c.set(1)`, `void close()`."""
    found: list[Token] = []
    for at, token in enumerate(tokens):
        follows = tokens[at + 1].text if at + 1 < len(tokens) else ""
        before = found[-1].kind if found else ""
        is_name = (token.kind in _COLLECTIONS and follows != "<") or (
            token.kind in _COMMANDS and follows == "(" and before in _BEFORE_NAMES
        )
        found.append(token._replace(kind=NAME) if is_name else token)
    return found


def _kind(group: str | None, text: str) -> str:
    if group == "name":
        return text if text in KEYWORDS else NAME
    return NUMBER if group == "number" else text


_HELP = {
    "&": "write `&&`",
    "\\": "words have no `\\` before them: `old(x)`, `result`, `forall int i in 0..n :: ...`",
    "@": "there are no annotations: leave it out",
    "^": "there is no such operator",
    "~": "there is no such operator: write `!` for a condition",
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
        message, told = "this comment is not closed", "write `*/` where the comment ends"
        return Diagnostic("parser.error", Severity.ERROR, span, message, help=told)
    message = f"`{token.text}` has no meaning here"
    cure = _about_equals(file, token) if token.text == "=" else _HELP.get(token.text)
    return Diagnostic("parser.error", Severity.ERROR, span, message, help=cure)


_CONDITIONS = re.compile(
    r"\s*(?:else\s+)?(?:if|while|return)\b|.*\b(?:assert|assume|requires|ensures|invariant)\b"
)


def _about_equals(file: SourceFile, token: Token) -> str:
    """What was meant by a `=`, as far as its line tells."""
    start = file.text.rfind("\n", 0, token.start) + 1
    before = file.text[start : token.start]
    behind = file.text[token.end :].partition("\n")[0].strip()
    if before.endswith(("==", "!=", ">", "<")):
        return "write `==` for equal, `!=` for different, `<=` and `>=` to compare"
    if re.search(r"\bpredicate\b[^{]*\)\s*$", before):
        return f"the body stands in braces: `{{ return {behind.rstrip(';')}; }}`"
    updated = re.search(r"([\w.]+)\s*([-+*/%])$", before)
    if updated is not None:
        value = behind.partition(";")[0].rstrip(" }")
        return f"write `{updated[1]} := {updated[1]} {updated[2]} {value}`"
    if _CONDITIONS.match(re.split(r"[;{}]", before)[-1]):
        return "write `==` to compare"
    return "write `:=` to assign"
