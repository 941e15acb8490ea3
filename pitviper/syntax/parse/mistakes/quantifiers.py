"""Quantifiers as other languages write them: where triggers and the body stand."""

from __future__ import annotations

import re

from pitviper.syntax.parse.mistakes.look import Look, Rule
from pitviper.syntax.token import NAME

_BINDERS = ("forall", "exists")
_LONG = 80
"""Characters of a formula that are repeated."""


def _binder(look: Look, at: int) -> int | None:
    """The last quantifier in front of a token, in the same line."""
    binder = look.before(at, *_BINDERS)
    return None if binder is None or look.line(binder) != look.line(at) else binder


def _whole(look: Look, binder: int, end: int, body: str) -> str | None:
    """The quantifier with another body."""
    text = f"{look.between(binder, end)} :: {body}"
    return None if not body or len(text) > _LONG or "\n" in text else text


def _trigger_in_front(look: Look, at: int, expected: str) -> str | None:
    """`forall x: Int { f(x) } :: ...`."""
    binder = _binder(look, at)
    if expected != "`::`" or look.kind(at) not in ("{", "[") or binder is None:
        return None
    sign, end = look.behind(at, "::"), look.closing(at)
    if sign is None or end is None or look.line(sign) != look.line(at):
        return None
    names = {look.text(i - 1) for i in range(binder, at) if look.kind(i) == ":"}
    body, triggers = look.formula(sign + 1), re.sub(r"[\[\]]", "", look.between(at, sign))
    if look.between(at + 1, end) in names:
        told = _whole(look, binder, at, body)
        return told and f"a variable is no trigger: leave the braces out, `{told}`"
    triggers = look.between(at, sign) if look.kind(at) == "{" else f"{{ {triggers} }}"
    told = _whole(look, binder, at, f"{triggers} {body}")
    return told and f"a trigger stands after `::`: `{told}`"


def _trigger_in_brackets(look: Look, at: int, expected: str) -> str | None:
    """`forall x: Int :: [f(x)] f(x) > 0` and `{:trigger f(x)}`."""
    opened, binder = look.enclosing(at), _binder(look, at)
    if opened is None or binder is None or look.kind(opened - 1) != "::":
        return None
    closing = look.closing(opened)
    if closing is None or look.line(closing) != look.line(opened):
        return None
    first = opened + 1
    if look.kind(opened) == "{" and look.kind(first) == ":" and look.text(first + 1) == "trigger":
        first += 2
    elif look.kind(opened) != "[" or expected != "`,` or `..`" or look.kind(closing + 1) in _ENDS:
        return None
    body = look.formula(closing + 1)
    told = _whole(look, binder, opened - 1, f"{{ {look.between(first, closing)} }} {body}")
    return told and f"a trigger stands in braces: `{told}`"


_ENDS = ("}", "{", ";", ")", "==", "!=", "++", "in")


def _trigger_behind_body(look: Look, at: int, expected: str) -> str | None:
    """`requires forall x: Int :: f(x) > 0 { f(x) } { ... }`: the braces are read as the body."""
    opened = look.opening(at - 1) if look.kind(at - 1) == "}" else None
    binder = None if opened is None else _binder(look, opened)
    if expected != "a declaration" or look.kind(at) != "{" or opened is None or binder is None:
        return None
    sign = look.behind(binder, "::")
    if sign is None or sign > opened or look.line(at) != look.line(opened):
        return None
    body = f"{look.between(opened, at)} {look.between(sign + 1, opened)}"
    told = _whole(look, binder, sign, body)
    return told and f"a trigger stands after `::`: `{told}`"


def _no_sign(look: Look, at: int, expected: str) -> str | None:
    """`forall x: Int . e`, `forall x: Int => e`, `(forall x: Int) e` and the like."""
    binder = _binder(look, at)
    if expected != "`::`" or binder is None:
        return None
    start = at
    while look.kind(start) in (":", ".", ",", ";", "-", ">", "bad", "|", "==>") and start < at + 3:
        start += 1
    if look.kind(at) == ")" and look.kind(binder - 1) == "(":
        told = _whole(look, binder, at, look.formula(at + 1))
        return told and f"the parentheses stand around all of it: `({told})`"
    if start == at or look.line(start) != look.line(at) or look.text(at) == "|":
        return None
    told = _whole(look, binder, at, look.formula(start))
    return told and f"`::` stands before the body: `{told}`"


def _third_colon(look: Look, at: int, expected: str) -> str | None:
    """`forall x: Int ::: e`."""
    binder = _binder(look, at)
    if expected != "an expression" or look.kind(at) != ":" or look.kind(at - 1) != "::":
        return None
    if binder is None:
        return None
    told = _whole(look, binder, at - 1, look.formula(at + 1))
    return told and f"two colons are enough: `{told}`"


def _in_braces(look: Look, at: int, expected: str) -> str | None:
    """`forall x: Int :: { x > 0 }`: braces around the body are read as a trigger."""
    binder, opened = _binder(look, at), look.opening(at - 1) if look.kind(at - 1) == "}" else None
    if expected != "an expression" or binder is None or opened is None:
        return None
    if look.kind(opened - 1) != "::":
        return None
    told = _whole(look, binder, opened - 1, look.between(opened + 1, at - 1))
    return told and f"braces stand around triggers, and the body has none: `{told}`"


def _range_for_type(look: Look, at: int, expected: str) -> str | None:
    """`forall i: 0..n :: e` and `forall 0 <= i < n :: e`."""
    binder, sign = _binder(look, at), look.behind(at, "::")
    if binder is None or sign is None or expected not in ("a type", "a name"):
        return None
    if look.line(sign) != look.line(binder):
        return None
    joined = "==>" if look.kind(binder) == "forall" else "&&"
    inside = look.between(at, sign).strip("[)]")
    if expected == "a type" and look.kind(at - 1) == ":" and ".." in inside:
        name, (low, _, high) = look.text(at - 2), inside.partition("..")
    else:
        found = re.fullmatch(r"(\w+) *<= *(\w+) *< *([\w|.]+)", inside)
        if found is None or binder != at - 1:
            return None
        low, name, high = found[1], found[2], found[3]
    body = look.formula(sign + 1)
    condition = f"{low.strip()} <= {name} && {name} < {high.strip()}"
    told = f"{look.kind(binder)} {name}: Int :: {condition} {joined} {body}"
    return f"the range goes into the body: `{told}`" if len(told) <= _LONG else None


def _comma_in_body(look: Look, at: int, expected: str) -> str | None:
    """`forall i: Int :: 0 <= i < n, s[i] > 0`."""
    binder = _binder(look, at)
    if expected != "a statement" or look.kind(at) != "," or binder is None:
        return None
    sign = look.before(at, "::")
    if sign is None or sign < binder or look.enclosing(at) != look.enclosing(binder):
        return None
    joined = "==>" if look.kind(binder) == "forall" else "&&"
    body = f"{look.between(sign + 1, at)} {joined} {look.formula(at + 1)}"
    told = _whole(look, binder, sign, body)
    return told and f"write `{joined}` after the range: `{told}`"


def _misspelt(look: Look, at: int, expected: str) -> str | None:
    """`all x: Int :: e`, `exist x: Int :: e` and `for all x: Int :: e`."""
    word = at - 2
    if expected != "a statement" or look.kind(at) != ":" or look.kind(at - 1) != NAME:
        return None
    own = _WORDS.get(look.text(word))
    sign = look.behind(at, "::")
    if own is None or sign is None or look.line(sign) != look.line(at):
        return None
    return f"write `{own} {look.formula(at - 1)}`"


_WORDS = {
    "all": "forall",
    "every": "forall",
    "any": "forall",
    "each": "forall",
    "forAll": "forall",
    "Forall": "forall",
    "exist": "exists",
    "some": "exists",
    "Exists": "exists",
    "ex": "exists",
}

RULES: tuple[Rule, ...] = (
    _trigger_in_front, _trigger_in_brackets, _trigger_behind_body, _range_for_type,
    _no_sign, _third_colon, _in_braces, _comma_in_body, _misspelt,
)  # fmt: skip
"""In the order in which they are asked."""
