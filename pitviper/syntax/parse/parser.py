"""Tokens to syntax tree, member by member, with recovery so that an editor sees several errors.

Nesting is limited to MAX_NESTING levels, so the recursion of the rules is bounded. Calls between
Python functions take no C stack in CPython 3.11, so only the interpreter's recursion limit matters;
`parse_file` raises it where it is too low and never lowers it.
"""

from __future__ import annotations

import sys
from typing import NamedTuple, TypeVar

from pitviper.base.record import record, replace
from pitviper.source.diagnostic import Diagnostic, Severity
from pitviper.source.span import SourceFile, Span
from pitviper.syntax.parse.complaints import STILL_OPEN
from pitviper.syntax.parse.cursor import FRAMES_PER_LEVEL, MAX_NESTING, ParseFailure
from pitviper.syntax.parse.lexer import lex
from pitviper.syntax.parse.members import MemberParser
from pitviper.syntax.token import END, KEYWORDS, NAME, STRING, Tokens
from pitviper.syntax.tree import Expr, File, Member, Node
from pitviper.syntax.walk import first_beyond

MAX_ERRORS = 100
"""Behind that many broken members the rest of a file is left alone."""

_OWN_FRAMES = 500
"""Frames that the caller may use up before it calls the parser."""


@record
class Parsed:
    """`tree` holds the members that could be parsed; `diagnostics` are in source order."""

    tree: File
    diagnostics: tuple[Diagnostic, ...]


def parse_file(
    file: SourceFile, keywords: frozenset[str] = KEYWORDS, masked: str | None = None
) -> Parsed:
    """Parse a whole file; no text makes it raise. `masked` has blanks where nothing is wanted."""
    _make_room()
    tokens = _tokens(file, keywords, masked)
    parser = MemberParser(tokens)
    members: list[Member] = []
    errors: list[Diagnostic] = []
    open_braces = 0
    while not parser.at_end():
        if open_braces > 0 and parser.accept("}"):
            open_braces -= 1
            continue
        start = parser.at
        parser.enter_member()
        try:
            member = _bounded(parser, parser.member())
            if parser.errors:  # what follows may belong to it, whatever its braces say
                parser.at, open_braces = resume(tokens, start, parser.at)
            else:
                members.append(member)
        except ParseFailure as failure:
            lacking = _brace_depth(tokens.kinds, start, failure.at)
            if not _follows(failure.diagnostic, parser.errors, lacking):
                parser.errors.append(failure.diagnostic)
            parser.at, open_braces = resume(tokens, start, failure.at)
        errors += parser.errors
        if len(errors) >= MAX_ERRORS:
            errors[MAX_ERRORS:] = [_gave_up(errors[MAX_ERRORS - 1])]
            break
    tree = File(tuple(members), span=Span(file, 0, len(file.text)))
    return Parsed(tree, tuple(sorted(parser.warnings + errors, key=_place)))


def _tokens(file: SourceFile, keywords: frozenset[str], masked: str | None) -> Tokens:
    if masked is None:
        return lex(file, keywords)[0]
    tokens, _ = lex(SourceFile(file.path, masked), keywords)
    return replace(tokens, file=file)


def parse_expression(
    file: SourceFile, tokens: Tokens | None = None
) -> tuple[Expr | None, tuple[Diagnostic, ...]]:
    """Parse a text that is one expression; `tokens` are its tokens, if they are not the usual."""
    _make_room()
    parser = MemberParser(lex(file)[0] if tokens is None else tokens)
    try:
        expr = _bounded(parser, parser.expression())
        if not parser.at_end():
            raise parser.unexpected("the end of the expression")
    except ParseFailure as failure:
        return None, (*parser.warnings, failure.diagnostic)
    assert not parser.errors  # no statement stands in an expression
    return expr, tuple(parser.warnings)


def _make_room() -> None:
    needed = MAX_NESTING * FRAMES_PER_LEVEL + _OWN_FRAMES
    if sys.getrecursionlimit() < needed:
        sys.setrecursionlimit(needed)


_N = TypeVar("_N", bound=Node)


def _bounded(parser: MemberParser, node: _N) -> _N:
    """The node itself, unless chains of operators in deep places add up to too much."""
    if parser.peak * (parser.chain + 1) > MAX_NESTING:
        span = first_beyond(node, MAX_NESTING)
        if span is not None:
            failure = parser.too_deep()
            raise parser.failure(failure.diagnostic.message, failure.diagnostic.help, span)
    return node


def _follows(found: Diagnostic, errors: list[Diagnostic], lacking: int) -> bool:
    """Whether a `}` is missed at the end of a file that was missed in front of an `else` before.

    Where more are `lacking` than were told of, the end of the file tells of the others.
    """
    told = [error for error in errors if (error.help or "").startswith(STILL_OPEN)]
    return found.message.endswith("found the end of the file") and 0 < lacking <= len(told)


def _gave_up(last: Diagnostic) -> Diagnostic:
    message = f"too many errors ({MAX_ERRORS}): the rest of the file is not checked"
    return Diagnostic("parser.error", Severity.ERROR, last.span, message)


def _place(diagnostic: Diagnostic) -> int:
    return diagnostic.span.start if diagnostic.span is not None else 0


_ONLY_TOP = frozenset({"method", "predicate", "field", "domain", "adt"})
"""Keywords that stand in front of a name only where a member begins."""

_ALSO_INSIDE = frozenset({"function", "define"})
"""Keywords that stand in front of a name in domains and blocks, too."""


class Resumption(NamedTuple):
    """The token to go on at, and how many braces of the broken member are open there."""

    at: int
    open_braces: int


def resume(tokens: Tokens, start: int, failed: int) -> Resumption:
    """Where the next member begins, for a member from `start` that failed at `failed`.

    Braces are counted from the start of the member, so that the functions of a broken domain and
    the macros of a broken method are not taken for members; but a declaration that can stand only
    at the top, or that begins a line, is believed even if a brace is missing.
    """
    kinds = tokens.kinds
    depth = _brace_depth(kinds, start, failed)
    for at in range(max(failed, start + 1), len(kinds)):
        kind = kinds[at]
        if kind == "{":
            depth += 1
        elif kind == "}":
            depth = max(0, depth - 1)
        elif kind != END and _begins_member(tokens, at, depth):
            return Resumption(_before_annotations(kinds, at, max(failed, start + 1)), depth)
    return Resumption(len(kinds) - 1, depth)


def _brace_depth(kinds: list[str], start: int, end: int) -> int:
    part = kinds[start:end]
    return max(0, part.count("{") - part.count("}"))


def _begins_member(tokens: Tokens, at: int, depth: int) -> bool:
    kinds = tokens.kinds
    kind = kinds[at]
    if kind in _ONLY_TOP:
        return kinds[at + 1] == NAME
    if kind == "import":
        return kinds[at + 1] in (STRING, "<")
    if kind not in _ALSO_INSIDE or kinds[at + 1] != NAME:
        return False
    start = tokens.starts[at]
    begins_line = start == 0 or tokens.file.text[start - 1] == "\n"
    return begins_line or (depth == 0 and kinds[at - 1] != "unique")


def _before_annotations(kinds: list[str], at: int, first: int) -> int:
    """Go back over the annotations in front of a member, but not beyond `first`."""
    found = at
    while found - 1 > first and kinds[found - 1] == ")":
        back = found - 2
        while back > first and kinds[back] in (STRING, ","):
            back -= 1
        if back - 1 < first or kinds[back] != "(" or kinds[back - 1] != "@":
            break
        found = back - 1
    return found
