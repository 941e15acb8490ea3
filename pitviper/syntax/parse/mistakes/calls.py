"""Calls with their arguments and targets, and the operators `old` and `perm`."""

from __future__ import annotations

import re

from pitviper.syntax.parse.mistakes.look import Look, Rule
from pitviper.syntax.parse.mistakes.operands import operand_end, operand_start
from pitviper.syntax.token import INT, NAME

_LONG = 60
"""Characters that are repeated."""


def _named_arguments(look: Look, at: int, expected: str) -> str | None:
    """`f(x: 3)` and `f(x := 3)`."""
    opened = look.enclosing(at)
    closing = None if opened is None else look.closing(opened)
    if expected != "`,` or `)`" or look.text(at) not in (":", ":=", "="):
        return None
    if opened is None or closing is None or look.kind(opened - 1) != NAME:
        return None
    if look.kind(at - 1) != NAME or not look.is_declared(look.text(opened - 1)):
        return None
    if look.kind(opened - 2) in ("method", "function", "predicate", "define"):
        return None
    inner = look.between(opened + 1, closing)
    plain = re.sub(r"\b\w+\s*(:=|:|=)\s*", "", inner)
    return f"arguments stand in order, without names: `{look.text(opened - 1)}({plain})`"


def _no_parentheses(look: Look, at: int, expected: str) -> str | None:
    """`x := f 3`."""
    if expected not in ("something that is done", "a statement") or look.kind(at - 1) != INT:
        return None
    name = look.text(at - 2)
    if look.kind(at - 2) != NAME or not look.is_declared(name) or look.begins_line(at - 1):
        return None
    return f"arguments stand in parentheses: `{name}({look.text(at - 1)})`"


def _declared_targets(look: Look, at: int, expected: str) -> str | None:
    """`var (x, y) := two()`."""
    closing = look.closing(at) if look.kind(at) == "(" else None
    if expected != "a name" or look.kind(at - 1) != "var" or closing is None:
        return None
    names = [name.strip() for name in look.between(at + 1, closing).split(",")]
    if not all(name.isidentifier() for name in names) or look.kind(closing + 1) != ":=":
        return None
    declared = ", ".join([f"{name}: Int" for name in names])
    return f"each has a type, without parentheses: `var {declared} := {look.formula(closing + 2)}`"


def _old(look: Look, at: int, expected: str) -> str | None:
    """`old x.f`, `old[x.f]`, `x.old(f)`, `x.f.old` and `x.f@old`."""
    if expected == "`(`" and look.kind(at - 1) == "old" and look.kind(at) == NAME:
        return f"write `old({look.between(at, operand_end(look, at))})`, with the parentheses"
    opened = look.enclosing(at)
    if expected == "`]`" and opened is not None and look.kind(opened - 1) == "old":
        closing = look.closing(opened)
        if closing is not None and look.kind(at) == ".":
            return f"write `old({look.between(opened + 1, closing)})`, with parentheses"
    if expected == "a field name" and look.kind(at) == "old":
        place = look.between(operand_start(look, at - 1), at - 1)
        closing = look.closing(at + 1) if look.kind(at + 1) == "(" else None
        field = "" if closing is None else f".{look.between(at + 2, closing)}"
        return f"write `old({place}{field})`"
    return None


def _old_as_annotation(look: Look, at: int, _: str) -> str | None:
    sign = next((here for here in (at, at - 1) if look.text(here) == "@old"), None)
    if sign is None or not look.stuck(sign):
        return None
    return f"write `old({look.between(operand_start(look, sign), sign)})`"


def _perm(look: Look, at: int, expected: str) -> str | None:
    """`perm x.f`, `perm(acc(x.f))` and `perm(x, f)`."""
    if expected == "`(`" and look.kind(at - 1) == "perm" and look.kind(at) == NAME:
        return f"write `perm({look.between(at, operand_end(look, at))})`, with the parentheses"
    if expected != "a resource":
        return None
    opened = look.enclosing(at)
    closing = None if opened is None else look.closing(opened)
    if opened is None or closing is None or look.kind(opened - 1) != "perm":
        return None
    inner = look.between(opened + 1, closing)
    if "\n" in inner or len(inner) > _LONG:
        return None
    wrapped = re.fullmatch(r"(?:acc|old|perm)\(([\w$.]+(?:\([^()]*\))?)\)", inner)
    apart = re.fullmatch(r"([\w$.]+) *, *([\w$]+)", inner)
    fact = re.fullmatch(r"([\w$]+(?:\.[\w$]+)+) *(==|!=|<=?|>=?) *([^,]+)", inner)
    if wrapped is not None:
        return f"write `perm({wrapped[1]})`"
    if apart is not None:
        return f"write `perm({apart[1]}.{apart[2]})`"
    if fact is not None:
        return f"it is the amount for a place: write `perm({fact[1]})`"
    fields = [look.text(i + 1) for i, kind in enumerate(look.tokens.kinds) if kind == "field"]
    if inner in fields:
        return f"say whose field it is: `perm(x.{inner})`"
    return f"permission is to a field: write `perm({inner}.{fields[0]})`" if fields else None


RULES: tuple[Rule, ...] = (
    _named_arguments, _no_parentheses, _declared_targets, _old_as_annotation, _old, _perm,
)  # fmt: skip
"""In the order in which they are asked."""
