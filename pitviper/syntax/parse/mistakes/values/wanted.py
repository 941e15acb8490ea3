"""The type that a value has to have, where something in front of it was declared with one."""

from __future__ import annotations

from pitviper.syntax.parse.mistakes.look import Look
from pitviper.syntax.parse.mistakes.operands import operand_start
from pitviper.syntax.token import NAME

_COMPARING = ("==", "!=", "union", "intersection", "setminus", "subset", "++")
KINDS = ("Seq", "Set", "Multiset", "Map")


def wanted_type(look: Look, at: int) -> str | None:
    """The type of the value that begins at a token, as far as the tokens in front of it tell."""
    sign = look.kind(at - 1)
    if look.text(at - 1) == "=" or sign == ":=":
        return _of_target(look, at - 1)
    if sign in _COMPARING:
        return place_type(look, at - 1)
    if sign == "{":
        return _of_function(look, at - 1)
    if sign in ("(", ","):
        return _of_parameter(look, at)
    return None


def collection(written: str | None) -> str | None:
    """The word in front of the bracket, if a type is one of collections."""
    kind = (written or "").partition("[")[0]
    return kind if kind in KINDS and "[" in (written or "") else None


def _of_target(look: Look, sign: int) -> str | None:
    """Of `var s: T := ...`, `s := ...` and `x.f := ...`."""
    for colon in range(sign - 1, max(sign - 12, 0), -1):
        if look.kind(colon) == ":" and look.kind(colon - 2) == "var":
            written = _written(look, colon + 1)
            return written if written == look.between(colon + 1, sign) else place_type(look, sign)
        if look.kind(colon) in ("{", "}", ";", ":="):
            break
    return place_type(look, sign)


def place_type(look: Look, end: int) -> str | None:
    """The type of a variable or a field in front of a token."""
    if look.kind(end - 1) != NAME:
        return None
    name = look.text(end - 1)
    if operand_start(look, end) == end - 1:
        return look.written_type(name, end)
    places = range(1, len(look.tokens.kinds))
    found = [at for at in places if look.text(at) == name and look.kind(at - 1) == "field"]
    return _written(look, found[0] + 2) if found and look.kind(end - 2) == "." else None


def _written(look: Look, start: int) -> str:
    """The type that begins at a token."""
    closing = look.closing(start + 1) if look.kind(start + 1) == "[" else None
    return look.between(start, (start if closing is None else closing) + 1)


def _of_function(look: Look, brace: int) -> str | None:
    """The type of the result, where a brace opens the body of a function."""
    word = look.before(brace, "function", "method", "predicate", "domain", "define")
    if word is None or look.kind(word) != "function" or look.kind(word + 2) != "(":
        return None
    closing = look.closing(word + 2)
    if closing is None or look.kind(closing + 1) != ":" or look.depth(brace) > 0:
        return None
    return _written(look, closing + 2)


def _of_parameter(look: Look, at: int) -> str | None:
    """The type of the parameter for which an argument stands in a call."""
    opened = look.enclosing(at)
    if opened is None or look.kind(opened) != "(" or look.kind(opened - 1) != NAME:
        return None
    index = _commas(look, opened, at)
    name, places = look.text(opened - 1), range(1, len(look.tokens.kinds))
    for here in places:
        if look.text(here) != name or look.kind(here - 1) not in (
            "method",
            "function",
            "predicate",
        ):
            continue
        colons = _parameters(look, here + 1)
        return _written(look, colons[index] + 1) if index < len(colons) else None
    return None


def _commas(look: Look, opened: int, at: int) -> int:
    """How many commas of a list stand in front of a token."""
    return sum(
        look.kind(here) == "," and look.enclosing(here) == opened for here in range(opened, at)
    )


def _parameters(look: Look, opened: int) -> list[int]:
    """The colons of the parameters between parentheses."""
    closing = look.closing(opened)
    inside = range(opened, opened if closing is None else closing)
    return [at for at in inside if look.kind(at) == ":"]
