"""Where the operand in front of a token begins, and the one behind it ends."""

from __future__ import annotations

from pitviper.syntax.parse.complaints import CLAUSE_WORDS, MEMBER_WORDS, STATEMENT_WORDS
from pitviper.syntax.parse.mistakes.look import Look
from pitviper.syntax.token import END, NAME, Tokens


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


def closed_text(tokens: Tokens, opened: int, end: int) -> str | None:
    """`f(3)` for `f(3 }`: what a bracket was meant to hold, where a statement ends behind it."""
    look = Look(tokens)
    partner = {"(": ")", "[": "]"}.get(look.kind(opened))
    ended = look.kind(end) in _BEHIND or look.line(end) != look.line(end - 1)
    if partner is None or not ended or opened + 1 >= end:
        return None
    first = opened
    if look.stuck(opened) and (look.is_word(opened - 1) or look.kind(opened - 1) in ("]", ")")):
        first = operand_start(look, opened)
    elif look.kind(opened - 1) in ("if", "elseif", "while"):
        first = opened - 1
    text = tokens.file.text[tokens.starts[first] : tokens.ends[end - 1]]
    return f"{text}{partner}" if "\n" not in text and len(text) <= _FAR else None


_BEHIND = (*CLAUSE_WORDS, *MEMBER_WORDS, *STATEMENT_WORDS, "invariant", "{", "}", ";", END)
"""What stands behind a whole statement or clause."""

_FAR = 60
"""Characters of a text that is repeated."""
