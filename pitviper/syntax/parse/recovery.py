"""Where parsing goes on behind a member that could not be parsed."""

from __future__ import annotations

from typing import NamedTuple

from pitviper.syntax.token import END, NAME, STRING, Tokens

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
