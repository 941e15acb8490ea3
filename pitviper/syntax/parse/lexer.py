"""Text to tokens, by one regular expression that covers every character of the file."""

from __future__ import annotations

import re
from itertools import accumulate, compress, islice

from pitviper.source.diagnostic import Diagnostic, Severity
from pitviper.source.span import SourceFile, Span
from pitviper.syntax.parse.complaints import parameter_type
from pitviper.syntax.token import BAD, END, INT, KEYWORDS, NAME, STRING, Tokens

SYMBOLS = tuple(
    """
    <==> ==> --* := :: .. ++ && || == != <= >=
    ( ) [ ] { } , ; : . # * / \\ % + - ! ? | < >
    """.split()
)
"""Longest first, as the expression below needs them."""

MAX_DIAGNOSTICS = 100
"""More than that says only that the file is no Viper program."""

_SPACE, _COMMENT = "", "comment"

_PIECE = re.compile(
    r"""
      [ \t\r\n]+
    | [A-Za-z_$][A-Za-z0-9_$]*
    | [0-9]+
    | //[^\n]*
    | /\*[\s\S]*?(?:\*/|\Z)
    | "[^"]*"
    | @[A-Za-z_$][A-Za-z0-9_$.]*
    """
    + "".join(f"| {re.escape(symbol)}\n" for symbol in SYMBOLS)
    + r"""
    | [=&"@]
    | [^ \t\r\nA-Za-z0-9_$=&"@()\[\]{},;:.\#*/\\%+\-!?|<>]+
    """,
    re.VERBOSE,
)

_NAME_START = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$")


class _KindOf(dict[str, str]):
    """The kind of a piece of text; computed once for each distinct text of a file."""

    def __missing__(self, text: str) -> str:
        kind = self[text] = _classify(text)
        return kind


def _classify(text: str) -> str:
    first = text[0]
    if first in _NAME_START:
        return NAME
    if first in " \t\r\n":
        return _SPACE
    if first in "0123456789":
        return INT
    if first == "/":
        closed = text[1] == "/" or (len(text) >= 4 and text.endswith("*/"))
        return _COMMENT if closed else BAD
    if len(text) > 1 and first in '"@':
        return STRING if first == '"' else "@"
    return BAD


def lex(file: SourceFile, keywords: frozenset[str] = KEYWORDS) -> tuple[Tokens, list[Diagnostic]]:
    """The tokens of a file and a diagnostic for each of the first BAD ones."""
    kind_of = _KindOf({word: word for word in (*SYMBOLS, *sorted(keywords))})
    pieces: list[str] = _PIECE.findall(file.text)
    kinds = list(map(kind_of.__getitem__, pieces))
    ends = list(accumulate(map(len, pieces)))
    starts = [0, *ends]
    comments = [
        (start, end)
        for kind, start, end in zip(kinds, starts, ends, strict=False)
        if kind == _COMMENT
    ]
    kept = [bool(kind) and kind != _COMMENT for kind in kinds]
    size = len(file.text)
    tokens = Tokens(
        file,
        [*compress(kinds, kept), END],
        [*compress(starts, kept), size],
        [*compress(ends, kept), size],
        comments,
    )
    bad = (at for at, kind in enumerate(tokens.kinds) if kind == BAD)
    return tokens, [bad_token(tokens, at) for at in islice(bad, MAX_DIAGNOSTICS)]


def bad_token(tokens: Tokens, at: int) -> Diagnostic:
    """What to say about a BAD token."""
    text, start, end = tokens.file.text, tokens.starts[at], tokens.ends[at]
    here = text[start : start + 3]
    help_: str | None
    if here.startswith("/*"):
        end = start + 2
        message, help_ = "this comment is not closed", "write `*/` where the comment ends"
    elif here.startswith('"'):
        message, help_ = "this string is not closed", 'write `"` at its end'
    elif here.startswith("@"):
        message, help_ = "expected the key of an annotation after `@`", 'write `@key("value")`'
    else:
        end = start + 2 if here[:2] in ("=>", "=<") else end
        message = f"unknown symbol {_shown(text[start:end])}"
        help_ = _advice(text, start)
        if text[start:end] == "^":
            help_ = _about_caret(tokens, at)
        if text[start:end] == "=" and help_ == _EQUALS:
            help_ = _about_equals(tokens, at)
    span = Span(tokens.file, start, end)
    return Diagnostic("parser.error", Severity.ERROR, span, message, help=help_)


def _shown(text: str) -> str:
    if text.isprintable():
        return f"`{text[:20]}`"
    return " ".join(f"U+{ord(character):04X}" for character in text[:4])


_EQUALS = "write `:=` to assign, `==` to compare"

_ADVICE = (
    ("=>", "write `==>` for an implication"),
    ("=<", "write `<=` for at most"),
    ("=", _EQUALS),
    ("&", "write `&&` for a conjunction"),
    ("~", "write `!` for a negation"),
    ("∧", "write `&&` for a conjunction"),
    ("∨", "write `||` for a disjunction"),
    ("¬", "write `!` for a negation"),
    ("∀", "write `forall x: T :: ...`"),
    ("∃", "write `exists x: T :: ...`"),
    ("≤", "write `<=`"),
    ("≥", "write `>=`"),
    ("≠", "write `!=`"),
    ("'", "a name consists of letters, digits, `_` and `$`"),
)


def _advice(text: str, start: int) -> str | None:
    if text[start] == "'" and text[start + 2 : start + 3] == "'":
        return f"there are no characters: use numbers, such as `{ord(text[start + 1])}`"
    if text[start] == "=" and text[max(start - 2, 0) : start] in ("==", "!="):
        return f"write `{text[start - 2 : start]}`"
    if text[start] == "=" and start > 0 and text[start - 1] in "+-*/%":
        return f"write `x := x {text[start - 1]} e`"
    return next((advice for sign, advice in _ADVICE if text.startswith(sign, start)), None)


_COMPARING = frozenset(
    "assert assume inhale exhale refute requires ensures invariant if elseif while && || ==> ?"
    " forall exists".split()
)
_LOOK_BACK = 30


def _about_equals(tokens: Tokens, at: int) -> str:
    """`=` compares inside a formula, and assigns behind the target of an assignment."""
    for back in range(at - 1, max(at - _LOOK_BACK, -1), -1):
        kind = tokens.kinds[back]
        if kind in _COMPARING:
            return "write `==` to compare"
        if kind in ("{", "}", ";", "var"):
            return _about_assignment(tokens, at)
    return _EQUALS


def _about_caret(tokens: Tokens, at: int) -> str:
    """`x ^ 2` is a power, `a ^ b` may be one, too, or the exclusive or of Booleans."""
    base, exponent = tokens.text(at - 1) if at else "", tokens.text(at + 1)
    if tokens.kinds[at + 1] != INT:
        return "there is no power: multiply; between Booleans, write `!=`"
    alone = at > 1 and tokens.kinds[at - 2] != "."
    if not alone or tokens.kinds[at - 1] not in (NAME, INT) or exponent not in ("2", "3"):
        return "there is no power: multiply"
    return f"there is no power: write `{' * '.join([base] * int(exponent))}`"


def _about_assignment(tokens: Tokens, at: int) -> str:
    """A parameter cannot be assigned to, however that is written."""
    name = tokens.text(at - 1)
    if tokens.kinds[at - 1] == NAME and tokens.kinds[at - 2] != ".":
        type_ = parameter_type(tokens, name, at)
        if type_ is not None:
            value = _value_behind(tokens, at)
            return (
                f"write `:=` to assign, to a variable of its own: `var {name}2: {type_} := "
                f"{value}`; parameters keep their values"
            )
    return "write `:=` to assign"


def _value_behind(tokens: Tokens, at: int) -> str:
    """What is assigned, where it stands in the line; else three dots."""
    line = tokens.file.text[tokens.ends[at] :].partition("\n")[0]
    return re.split(r"//|[;{}]", line)[0].strip() or "..."


VERSIONED = re.compile(
    r"[A-Za-z_$][A-Za-z0-9_$]*@(?:[A-Za-z_$][A-Za-z0-9_$]*\.)*[0-9]+(?:\#l:[0-9]+)?"
)


def versioned_tokens(file: SourceFile) -> Tokens:
    """The tokens of a text; a name with a version is one of them."""
    masked = VERSIONED.sub(lambda match: re.sub(r"[^A-Za-z0-9_$]", "_", match.group()), file.text)
    tokens, _ = lex(SourceFile(file.path, masked))
    return Tokens(file, tokens.kinds, tokens.starts, tokens.ends, tokens.comments)


def versions_in(file: SourceFile) -> list[tuple[str, Span]]:
    """All names with versions, where they stand."""
    return [(m.group(), Span(file, *m.span())) for m in VERSIONED.finditer(file.text)]
