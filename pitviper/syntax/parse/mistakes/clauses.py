"""Clauses and statements that say nothing."""

from __future__ import annotations

from pitviper.syntax.parse.complaints import CLAUSE_WORDS, MEMBER_WORDS, STATEMENT_WORDS
from pitviper.syntax.parse.mistakes.look import Culprit, CulpritRule, Look
from pitviper.syntax.token import END

_CLAUSES = ("requires", "ensures", "invariant")
_STATEMENTS = ("assert", "assume", "inhale", "exhale")

_BEHIND = (
    *CLAUSE_WORDS, *MEMBER_WORDS, *STATEMENT_WORDS, "invariant", "unique", "axiom", "{", "}", ";",
    END,
)  # fmt: skip
"""What stands behind a clause or statement, and begins no condition here."""


def _says_nothing(look: Look, at: int, expected: str) -> Culprit | None:
    """`requires { }`, `ensures requires x > 0`, `assert }`."""
    word = look.kind(at - 1)
    if not expected.startswith("an expression") or word not in (*_CLAUSES, *_STATEMENTS):
        return None
    if look.kind(at) not in _BEHIND or (look.kind(at) == "domain" and look.kind(at + 1) == "("):
        return None
    closing = look.closing(at) if look.kind(at) == "{" else None
    if closing is not None and look.kind(closing + 1) == "{":
        return None  # the condition stands in braces
    is_next = look.kind(at) not in ("{", *STATEMENT_WORDS) or look.line(at) != look.line(at - 1)
    if not is_next and not (word in _CLAUSES and look.kind(at) == "{"):
        return None
    kind = "clause" if word in _CLAUSES else "statement"
    told = f"leave `{word}` out, or write a condition after it, as in `{word} {_example(look, at)}`"
    return Culprit(at - 1, at - 1, f"this {kind} says nothing: no condition stands after it", told)


def _example(look: Look, at: int) -> str:
    """A condition about a variable of the member."""
    for name, type_ in look.variables(at):
        if type_ in _CONDITIONS:
            return _CONDITIONS[type_].format(name)
    return "true"


_CONDITIONS = {"Int": "{} >= 0", "Ref": "{} != null", "Bool": "{}"}

RULES: tuple[CulpritRule, ...] = (_says_nothing,)
"""In the order in which they are asked."""
