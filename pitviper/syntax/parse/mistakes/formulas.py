"""Formulas as other languages write them, where the types of their names tell what is meant."""

from __future__ import annotations

from pitviper.syntax.parse.mistakes.look import Look, Rule
from pitviper.syntax.parse.mistakes.operands import operand_end, operand_start
from pitviper.syntax.token import NAME


def _not_in(look: Look, at: int, _: str) -> str | None:
    """`x !in s` and `x not in s`, which goes wrong at the sign or behind it."""
    sign = at if look.kind(at + 1) == "in" else at - 1
    if look.kind(sign + 1) != "in" or look.text(sign) not in ("!", "not"):
        return None
    element = look.between(operand_start(look, sign), sign)
    whole = look.between(sign + 2, operand_end(look, sign + 2))
    return f"write `!({element} in {whole})`" if element and whole else None


def _assigned_in_condition(look: Look, at: int, expected: str) -> str | None:
    """`if (x := 0)` and `while (x = 0)`."""
    opened = look.before(at, "(")
    if expected not in ("`)`", "`,` or `)`") or look.text(at) not in (":=", "=") or opened is None:
        return None
    closing = look.closing(opened)
    if look.kind(opened - 1) not in ("if", "elseif", "while") or closing is None:
        return None
    left, right = look.between(opened + 1, at), look.between(at + 1, closing)
    if not left or not right or "\n" in left + right:
        return "a condition assigns nothing: write `==` to compare"
    return f"a condition assigns nothing: write `==` to compare, `{left} == {right}`"


def _let_in(look: Look, at: int, expected: str) -> str | None:
    """`let y := e in b`, `let y = e in b` and `let y == e in b`; in functions also without `in`."""
    let = look.before(at, "let")
    if expected not in ("`==`", "`(`", "`in`") or let is None or look.kind(let + 1) != NAME:
        return None
    sign = next((i for i in range(let + 2, let + 6) if look.text(i) in (":=", "=", "==")), None)
    if sign is None or look.line(sign) != look.line(let):
        return None
    name, rest = look.text(let + 1), look.rest_of_formula(sign + 1)
    value, found, body = f"{rest} ".partition(" in ")
    member = look.before(let, "method", "function", "predicate")
    if not found and (member is None or look.kind(member) == "method"):
        return None
    value = value.strip()
    value = value[1:-1] if _is_bracketed(look, sign + 1, value) else value
    body = body.strip() or "..."
    return f"`let` gives a name to a value: write `let {name} == ({value}) in {body}`"


def _is_bracketed(look: Look, start: int, text: str) -> bool:
    """Whether a text from a token on is one pair of parentheses with all that is in it."""
    closing = look.closing(start) if look.kind(start) == "(" else None
    return closing is not None and look.between(start, closing + 1) == text


def _trigger_behind(look: Look, at: int, _: str) -> str | None:
    """`forall x: Int :: f(x) { f(x) > 0 }`: the braces stand behind the term, around the body."""
    sign = look.before(at, "::")
    opened = look.before(at, "{")
    if sign is None or opened is None or opened < sign + 2:
        return None
    binder = look.before(sign, "forall", "exists")
    closing = look.closing(opened)
    if binder is None or closing is None or look.line(binder) != look.line(closing):
        return None
    term, body = look.between(sign + 1, opened), look.between(opened + 1, closing)
    if operand_end(look, sign + 1) != opened or not body or look.kind(sign + 1) != NAME:
        return None
    head = look.between(binder, sign + 1)
    return f"braces stand around triggers, before the body: `{head} {{ {term} }} {body}`"


_JOINED = {"Seq": "++", "Set": "union", "Multiset": "union"}
_SIGNS = {
    "Seq": ("+", "++"),
    "Set": ("+", "|", "union", "-", "*", "&", "intersection", "setminus"),
    "Multiset": ("+", "union", "-", "setminus"),
}


def _literal(look: Look, at: int, expected: str) -> str | None:
    """`xs + {3}` of a set and `xs + [3]` of a sequence: elements in brackets of their own."""
    opened = at if look.kind(at) == "{" else look.before(at, "[")
    if expected not in ("an expression", "`,` or `..`") or opened is None:
        return None
    closing = look.closing(opened)
    sign = opened - 1
    if closing is None or look.line(opened) != look.line(closing):
        return None
    left = look.between(operand_start(look, sign), sign)
    type_ = look.type_of(left, sign)
    elements = look.between(opened + 1, closing)
    if type_ not in _SIGNS or look.text(sign) not in _SIGNS[type_] or not elements:
        is_alone = look.kind(opened) == "[" and elements and not look.stuck(opened)
        return f"a sequence is written `Seq({elements})`" if is_alone else None
    joined = {"-": "setminus", "*": "intersection", "&": "intersection"}.get(look.text(sign))
    joined = joined or (look.text(sign) if look.text(sign).isalpha() else _JOINED[type_])
    return f"write `{left} {joined} {type_}({elements})`"


RULES: tuple[Rule, ...] = (_not_in, _assigned_in_condition, _let_in, _trigger_behind, _literal)
"""In the order in which they are asked."""
