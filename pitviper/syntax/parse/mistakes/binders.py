"""Variables of formulas, and names without the colon of their type."""

from __future__ import annotations

from pitviper.syntax import foreign
from pitviper.syntax.parse.complaints import MEMBER_WORDS, TYPE_WORDS
from pitviper.syntax.parse.mistakes.look import Look, Rule
from pitviper.syntax.token import NAME


def _no_colon(look: Look, at: int, expected: str) -> str | None:
    """`x Ref` and `f Int`."""
    of_domain = expected == "`,` or `)`" and look.kind(at - 2) in ("(", ",")
    if (
        not (expected == "`:`" or of_domain)
        or look.kind(at - 1) != NAME
        or look.line(at) != look.line(at - 1)
    ):
        return None
    name, type_ = look.text(at - 1), look.text(at)
    known = look.kind(at) in TYPE_WORDS or type_ in foreign.TYPES or look.is_type(type_)
    if not known or look.text(at - 2) in foreign.TYPES:
        return None
    closing = look.closing(at + 1) if look.kind(at + 1) == "[" else None
    written = type_ if closing is None else look.between(at, closing + 1)
    return (
        f"a colon stands between a name and its type: write `{name}: {foreign.own_type(written)}`"
    )


def _bound_without_type(look: Look, at: int, expected: str) -> str | None:
    """`forall i : i > 0`, where the body was taken for the type."""
    binder = at - 4
    if expected != "`::`" or look.kind(binder) not in ("forall", "exists"):
        return None
    if look.kind(at - 2) != ":" or look.kind(at - 1) != NAME or look.is_type(look.text(at - 1)):
        return None
    body = look.rest_of_formula(at - 1)
    return f"say its type as well: `{look.kind(binder)} {look.text(at - 3)}: Int :: {body}`"


def _bound_in_parentheses(look: Look, at: int, expected: str) -> str | None:
    """`forall (i: Int) i > 0`."""
    binder, closing = at - 1, look.closing(at) if look.kind(at) == "(" else None
    if expected != "a name" or look.kind(binder) not in ("forall", "exists") or closing is None:
        return None
    start = closing + 1
    while look.text(start) in ("::", ":", ".", ",", "|"):
        start += 1
    bound, body = look.between(at + 1, closing), look.rest_of_formula(start)
    return f"no parentheses: write `{look.kind(binder)} {bound} :: {body}`" if body else None


def _range_behind_comma(look: Look, at: int, expected: str) -> str | None:
    """`forall i: Int, 0 <= i && i < n :: e`."""
    binder = look.before(at, "forall", "exists")
    sign = look.behind(at, "::", "{", "}")
    if expected not in ("a name", "`:`") or binder is None or look.kind(sign or at) != "::":
        return None
    comma = look.before(at + 1, ",")
    if comma is None or comma < binder or sign is None or look.line(sign) != look.line(binder):
        return None
    joined = "==>" if look.kind(binder) == "forall" else "&&"
    whole = f"{look.between(binder, comma)} :: {look.between(comma + 1, sign)} {joined} "
    return f"the range stands in the body: `{whole}{look.rest_of_formula(sign + 1)}`"


def _reserved(look: Look, at: int, expected: str) -> str | None:
    """`range == 10`, where a variable was declared as `range`."""
    word = look.kind(at - 1)
    if expected not in ("`(`", "`[`", "an expression") or not word[:1].isalpha() or word == NAME:
        return None
    for here in range(at - 2, 1, -1):
        if look.kind(here) == word and look.kind(here + 1) == ":":
            is_variable = look.kind(here - 1) in ("var", "(", ",")
            told = f"`{word}` is reserved: write the other name for it here as well, such as"
            return f"{told} `{word}2`" if is_variable else None
        if look.kind(here) in MEMBER_WORDS[:3]:
            return None
    return None


RULES: tuple[Rule, ...] = (
    _reserved,
    _no_colon, _bound_without_type, _bound_in_parentheses, _range_behind_comma,
)  # fmt: skip
"""In the order in which they are asked."""
