"""Bodies of axioms and of macros, in braces or without them."""

from __future__ import annotations

from pitviper.syntax.parse.complaints import TYPE_WORDS
from pitviper.syntax.parse.mistakes.look import Look, Rule
from pitviper.syntax.token import NAME

_LONG = 60
"""Characters of a body that are repeated."""


def _axiom(look: Look, at: int, expected: str) -> str | None:
    """`axiom forall ...`, `axiom a: forall ...`, `axiom f(1) > 0` and `axiom a() { ... }`."""
    word = look.before(at + 1, "axiom")
    if expected not in ("a name", "`{`") or word is None or at - word > 2:
        return None
    if look.kind(at) == "(" and look.kind(at + 1) == ")" and look.kind(at + 2) == "{":
        return f"an axiom has no parameters: leave `()` out, `axiom {look.text(at - 1)} {{ ... }}`"
    is_named, start = at - word == 2, at
    if is_named and (look.is_declared(look.text(at - 1)) or look.kind(at) not in _AFTER_NAME):
        is_named, start = False, at - 1
    elif look.kind(at) == ":" or look.text(at) in ("=", ":="):
        start = at + 1
    if look.kind(start) == "{" or look.line(start) != look.line(word):
        return None
    body = look.formula(start)
    complete = body and len(body) <= _LONG and _ends_behind(look, start)
    name = f"{look.text(at - 1)} " if is_named else ""
    return f"an axiom stands in braces: `axiom {name}{{ {body if complete else '...'} }}`"


_AFTER_NAME = (":", "=", ":=", "bad", "forall", "exists", NAME, "(", "!")


def _ends_behind(look: Look, start: int) -> bool:
    """Whether the formula from a token on ends with its line."""
    here = start
    while look.kind(here + 1) not in ("", "end") and look.line(here + 1) == look.line(start):
        here += 1
    return look.kind(here + 1) in ("axiom", "function", "unique", "}", "end", "@") or (
        look.kind(here) == "}"
    )


def macro_of_value(look: Look, at: int) -> str | None:
    """`define inc(x) { x + 1 }` with a token inside of the braces."""
    opened = look.enclosing(at)
    while opened is not None and look.kind(opened) != "{":
        opened = look.enclosing(opened)
    if opened is None:
        return None
    head = look.opening(opened - 1) if look.kind(opened - 1) == ")" else opened
    closing = look.closing(opened)
    if head is None or closing is None or look.kind(head - 2) != "define":
        return None
    first = opened + 2 if look.text(opened + 1) == "return" else opened + 1
    body = " ".join(look.between(first, closing).rstrip("; ").split())
    kinds = [look.kind(here) for here in range(first, closing)]
    if not body or len(body) > _LONG or any(kind in _DONE for kind in kinds):
        return None
    header = look.between(head - 2, opened)
    written = body if body in TYPE_WORDS else f"({body})"
    return f"braces stand around statements, a value has parentheses: `{header} {written}`"


_DONE = (
    ":=", "var", "assert", "assume", "inhale", "exhale", "fold", "unfold", "if", "while", "goto",
    "label", ";", "{",
)  # fmt: skip
"""What stands in statements only."""


def _macro(look: Look, at: int, expected: str) -> str | None:
    if expected not in ("a statement", "an expression") or look.kind(at) == "{":
        return None
    return macro_of_value(look, at)


RULES: tuple[Rule, ...] = (_axiom, _macro)
"""In the order in which they are asked."""
