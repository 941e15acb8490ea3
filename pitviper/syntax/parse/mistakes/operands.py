"""Where the operand in front of a token begins, and the one behind it ends."""

from __future__ import annotations

from pitviper.syntax.parse.mistakes.look import Look
from pitviper.syntax.token import NAME


def operand_start(look: Look, end: int) -> int:
    """The first token of the operand that ends in front of a token: `x.f`, `s[i]`, `f(x)`."""
    at = end - 1
    while at > 0:
        if look.kind(at) in (")", "]"):
            opened = look.opening(at)
            if opened is None:
                return end - 1
            at = opened
            if look.kind(at - 1) not in (NAME, "]", ")") or not look.stuck(at):
                return at
            at -= 1
        elif look.kind(at - 1) == ".":
            at -= 2
        else:
            return at
    return at


def operand_end(look: Look, start: int) -> int:
    """The token behind the operand that begins at a token."""
    at = start
    if look.kind(at) == "(":
        closing = look.closing(at)
        at = start if closing is None else closing
    while True:
        after = look.kind(at + 1)
        if after == ".":
            at += 2
        elif after in ("(", "[") and look.stuck(at + 1):
            closing = look.closing(at + 1)
            if closing is None:
                return at + 1
            at = closing
        else:
            return at + 1
