"""Formulas that stand alone as statements, and signs that stand behind complete statements."""

from __future__ import annotations

import re

from pitviper.syntax.parse.complaints import STATEMENT_WORDS
from pitviper.syntax.parse.mistakes.look import Look, Rule
from pitviper.syntax.token import END, INT, NAME

A_STEP = "something that is done"
"""What is expected where a whole expression was read that is no statement."""

_COMPARING = (
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "in",
    "==>",
    "<==>",
    "&&",
    "||",
    "?",
    "--*",
    "subset",
)
_FORMULAS = ("forall", "exists", "!", "true", "false", "forperm", "unfolding")
_ENDS_BEHIND = ("label", "goto", "var", "assert", "assume", "inhale", "exhale", "fold", "unfold")
_LONG = 60
"""Characters of a formula that are repeated."""


def _begins(look: Look, at: int) -> int:
    """The first token of the statement that ends in front of a token."""
    here = at - 1
    while here > 0:
        if look.begins_line(here) or look.kind(here - 1) in (";", "{"):
            return here
        if look.kind(here) in ("}", "{") and here < at - 1:
            opened = look.opening(here) if look.kind(here) == "}" else None
            if opened is None or look.before(opened, "::", ";", "{") is None:
                return here + 1
            here = opened
        here -= 1
    return here


def _formula(look: Look, at: int, expected: str) -> str | None:
    """`x > 0` and `forall i: Int :: ...` in the place of a statement."""
    if expected not in (A_STEP, "a statement"):
        return None
    size = look.kind(at) == "|" and (look.kind(at - 1) in ("{", ";") or look.begins_line(at))
    start = at if size else _begins(look, at)
    first = look.kind(start)
    if first == "acc":
        return _permission(look, start)
    is_formula = size or look.kind(at) in _COMPARING or (expected == A_STEP and first in _FORMULAS)
    text = look.formula(start)
    if not is_formula or first in STATEMENT_WORDS or not 0 < len(text) <= _LONG or ":=" in text:
        return None
    may_assign = look.kind(at) == "==" and not any(sign in text for sign in ("==>", "&&", "||"))
    target = look.between(start, at)
    if may_assign and expected == A_STEP and re.fullmatch(r"[\w$]+(\.[\w$]+)+", target):
        value = look.formula(at + 1)
        return f"write `{target} := {value}` to assign, or `assert {text}`"
    if (may_assign and "(" not in target) or text.count("(") != text.count(")"):
        return None
    return f"a formula alone does nothing: write `assert {text}`"


def _permission(look: Look, start: int) -> str | None:
    """`acc(x.f)` in the place of a statement."""
    text = look.formula(start)
    if not text or len(text) > _LONG:
        return None
    return (
        f"say what is done with it: `inhale {text}` makes the permission, `exhale {text}` gives it "
        f"away, `assert {text}` asks whether it is there"
    )


def _value(look: Look, at: int, expected: str) -> str | None:
    """`2 * x` as a statement: the value that a method has for its result."""
    if expected not in (A_STEP, "a statement"):
        return None
    start = _begins(look, at)
    text, end = look.formula(start), start
    while look.kind(end) != END and look.tokens.starts[end] < look.tokens.starts[start] + len(text):
        end += 1
    kinds = [look.kind(here) for here in range(start, end)]
    if not 0 < len(text) <= _LONG or not start < at <= end or kinds[-1] in _JOINING:
        return None
    result = look.only_result(at)
    of_result = expected == A_STEP and result is not None and kinds[-1] != ")"
    if kinds[0] in _JOINING or not (of_result or any(kind in _JOINING for kind in kinds)):
        return None
    if any(kind not in _OF_VALUES for kind in kinds) or text.count("(") != text.count(")"):
        return None
    if any(
        kinds[here] in _JOINING and kinds[here + 1] in _JOINING for here in range(len(kinds) - 1)
    ):
        return None  # `x++`
    if result is None:
        return f"a value alone does nothing: use it, as in `var value: Int := {text}`"
    return f"a value alone does nothing: write `{result} := {text}`"


_JOINING = ("+", "-", "*", "/", "\\", "%")
_OF_VALUES = (*_JOINING, NAME, INT, "(", ")", "|", ".", "[", "]", ",")
"""What values of numbers consist of."""


def _stray(look: Look, at: int, expected: str) -> str | None:
    """`label l:`, `var x: Int := 1,` and `assert a.`: a sign behind what is complete."""
    sign = look.text(at)
    if expected != "a statement" or sign not in (":", ",", ".", "!", "?", "`", "´"):
        return None
    after = look.kind(at + 1)
    if not (after == "}" or look.line(at + 1) != look.line(at)):
        return None
    start = _begins(look, at)
    assigns = any(look.kind(here) == ":=" for here in range(start, at))
    if not assigns and look.kind(start) not in _ENDS_BEHIND:
        return None
    written = look.between(start, at).rstrip("; ")
    if "\n" in written or len(written) > _LONG:
        return f"leave `{sign}` out"
    return f"leave `{sign}` out: `{written}`"


def _last_sign(look: Look, at: int, expected: str) -> str | None:
    """`assert a.` and `assert a!` at the end of a block."""
    sign, start = look.text(at - 1), _begins(look, at)
    wanted = {".": "a field name", "!": "an expression", "?": "an expression"}.get(sign)
    if look.kind(at) != "}" or wanted != expected or look.kind(start) not in STATEMENT_WORDS:
        return None
    written = look.between(start, at - 1)
    return f"leave `{sign}` out: `{written}`" if "\n" not in written else f"leave `{sign}` out"


def _assigned(look: Look, at: int, expected: str) -> str | None:
    """`y <- x`, `y : = x`, `y ::= x`, `y =: x` and `y ← x`."""
    sign = look.between(at, at + 2)
    if expected != "a statement" or "".join(sign.split()) not in ("<-", ":=", "::=", "=:"):
        return None
    start = _begins(look, at)
    target, value = look.between(start, at), look.formula(at + 2)
    if sign == ":=" or not value or "\n" in target or len(target) + len(value) > _LONG:
        return None
    if look.kind(start) in STATEMENT_WORDS and look.kind(start) != "var":
        return None
    return f"write `:=` to assign: `{target} := {value}`"


RULES: tuple[Rule, ...] = (_stray, _last_sign, _assigned, _value, _formula)
"""In the order in which they are asked."""
