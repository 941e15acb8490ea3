"""Comments as other languages begin them, with the sign to blame."""

from __future__ import annotations

from pitviper.syntax import foreign
from pitviper.syntax.parse.mistakes.look import Look
from pitviper.syntax.token import INT, NAME

_HELP = "a comment begins with `//`"
_SIGNS = (("<", "!", "-", "-"), ("-", "-"), ("(", "*"), ("{", "-"), ("#",), (";",), ("%",), ("/",))
"""The tokens that a comment begins with elsewhere; longer ones first."""

_ONLY_ALONE = (";", "/", "%")
"""Signs with a meaning of their own, unless nothing but words stands behind them."""


def comment(look: Look, at: int) -> tuple[int, int, str, str] | None:
    """The sign from one token to another, what is wrong with it, and what to write.

    It stands in the line of the place, or in the one before: a comment of one word goes wrong in
    the next line.
    """
    lines = [look.first_of_line(at)]
    if at > 0:
        lines.append(look.first_of_line(at - 1))
    for first in dict.fromkeys(lines):
        for start in range(first, at + 1):
            sign = _sign(look, start)
            if sign is not None and _is_comment(look, start, len(sign), first):
                written = "".join(sign)
                message = f"there is no `{written}` here"
                return start, start + len(sign) - 1, message, _help(look, start, written)
    return None


def _sign(look: Look, start: int) -> tuple[str, ...] | None:
    for sign in _SIGNS:
        places = range(start, start + len(sign))
        if all(look.text(at) == part for at, part in zip(places, sign, strict=True)):
            return sign if all(look.stuck(at) for at in places[1:]) else None
    return None


def _is_comment(look: Look, start: int, length: int, first: int) -> bool:
    """Whether words stand behind a sign, and what stands in front of it is complete."""
    word = start + length
    sign = look.text(start)
    if look.stuck(word) and not (sign == "#" and start == first):
        return False
    if not look.is_word(word) or look.line(word) != look.line(start):
        return False
    if sign == "#" and (look.kind(word + 1) == "(" or look.text(word) in ("define", "include")):
        return False
    if sign in _ONLY_ALONE:
        return _is_prose(look, word) and (start == first or look.kind(start - 1) in _COMPLETE)
    return True


_COMPLETE = ("}", ";", "{", ")", "true", "false", "null", NAME, INT)
"""What a comment stands behind."""


def _is_prose(look: Look, word: int) -> bool:
    """Whether two words follow each other as they never do in a program."""
    follows = look.kind(word + 1) == NAME and look.line(word + 1) == look.line(word)
    return follows and look.kind(word) == NAME and look.text(word + 1) not in foreign.OPERATORS


def _help(look: Look, start: int, written: str) -> str:
    closing = {"(*": "*)", "{-": "-}", "<!--": "-->"}.get(written)
    if closing is not None:
        return "a comment stands between `/*` and `*/`, or after `//`"
    text = look.rest(start).removeprefix(written).strip()
    return (
        f"{_HELP}: `// {text}`" if 0 < len(text) <= _LONG and not set("`{}") & set(text) else _HELP
    )


_LONG = 40
"""Characters of a comment that are repeated."""
