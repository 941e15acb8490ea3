"""What stands between the parentheses of `acc`, and is no field or predicate."""

from __future__ import annotations

from pitviper.syntax.parse.mistakes.look import Look, Rule
from pitviper.syntax.parse.mistakes.operands import operand_end
from pitviper.syntax.token import INT, NAME

A_LOCATION = "a field access or a predicate instance"
"""What is expected in an `acc`."""

_COMPARING = ("==", "!=", "<", "<=", ">", ">=", "in", "=", ":=")
_LONG = 60
"""Characters that are repeated."""


def _in_acc(look: Look, at: int, expected: str) -> str | None:
    """About all that stands between the parentheses."""
    opened = look.enclosing(at)
    if expected not in (A_LOCATION, "`)`", "an expression") or opened is None:
        return None
    closing = look.closing(opened)
    if look.kind(opened) != "(" or look.kind(opened - 1) != "acc" or closing is None:
        return None
    inside = range(opened + 1, closing)
    commas = [here for here in inside if look.kind(here) == "," and look.enclosing(here) == opened]
    end = commas[0] if commas else closing
    text = look.between(opened - 1, closing + 1)
    if "\n" in text or len(text) > _LONG or end == opened + 1:
        return None
    amount = f", {look.between(commas[0] + 1, closing)}" if commas else ""
    if commas and at > commas[0]:
        return _about_amount(look, look.between(opened + 1, end), commas[0] + 1, closing)
    if expected == "an expression":
        return None
    return _wrapped(look, opened + 1, end, amount) or _said(look, opened + 1, end, amount)


def _about_amount(look: Look, place: str, start: int, closing: int) -> str | None:
    """`acc(x.f, *)`, `acc(x.f, ?)` and `acc(x.f, > 0)`."""
    written = look.between(start, closing)
    if written in ("*", "?", "...", "..", "+", ">0", "> 0", "> none", ">none"):
        return f"some permission is called `wildcard`: write `acc({place}, wildcard)`"
    if written.startswith('"'):
        if "write" in written or "full" in written:
            return f"write `acc({place})` for all of it"
        return f"write `acc({place}, wildcard)` for permission to read"
    return None


def _wrapped(look: Look, first: int, end: int, amount: str) -> str | None:
    """`acc(old(x.f))`, `acc(acc(x.f))` and `acc((x.f))`: a location with something around it."""
    kind = look.kind(first)
    if kind == "forall":
        return _quantified(look, first, end, amount)
    if kind not in ("old", "acc", "perm") or look.kind(first + 1) != "(":
        return None
    inner = look.between(first + 2, end - 1)
    if look.closing(first + 1) != end - 1 or not _is_location(look, first + 2, end - 1):
        return None
    if kind != "old":
        return f"write `acc` once: `acc({inner}{amount})`"
    return (
        f"permissions are always those of now, `old` is about values: write `acc({inner}{amount})`"
    )


def _quantified(look: Look, first: int, end: int, amount: str) -> str | None:
    """`acc(forall x: Ref :: x in s ==> x.f)`."""
    body = [at for at in range(first, end) if look.kind(at) in ("::", "==>")]
    if not body:
        return None
    start = body[-1] + 1
    head, place = look.between(first, start), look.between(start, end)
    if look.kind(start) == "acc" and look.closing(start + 1) == end - 1:
        return f"each object has its own `acc`: write `{head} {place}`"
    if not _is_location(look, start, end):
        return None
    return f"`acc` stands inside of `forall`: write `{head} acc({place}{amount})`"


def _said(look: Look, first: int, end: int, amount: str) -> str | None:
    """`acc(x.f == 3)`, `acc(x.f + 1)`, `acc(!x.f)` and `acc(x.f 1/2)`."""
    if look.kind(first) == "!" and _is_location(look, first + 1, end):
        place = look.between(first + 1, end)
        return _beside(f"acc({place}{amount})", f"!{place}")
    where = operand_end(look, first)
    if where >= end:
        return _part(look, first, end, amount)
    place, rest = look.between(first, where), look.between(where + 1, end)
    sign = look.text(where)
    if not _is_location(look, first, where):
        return None
    if sign in _COMPARING:
        own = "==" if sign in ("=", ":=") else sign
        return _beside(f"acc({place}{amount})", f"{place} {own} {rest}")
    if sign == "&&" and not _is_location(look, where + 1, end):
        return _beside(f"acc({place}{amount})", rest)
    if sign == "||" and _is_location(look, where + 1, end):
        return f"no permission is held by choice: ask for both, `acc({place}) && acc({rest})`"
    if sign in ("*", ";", ":") and not amount and rest:
        return f"the amount stands after a comma: write `acc({place}, {rest})`"
    if look.kind(where) in (INT, "write", "wildcard", "none") and not amount:
        return f"the amount stands after a comma: write `acc({place}, {look.between(where, end)})`"
    if sign in ("+", "-", "/", "%", "\\", "++"):
        return f"permission is to a place and not to a value: write `acc({place}{amount})`"
    return None


def _beside(permission: str, fact: str) -> str:
    return (
        f"`acc` asks for permission, what is known of the value stands beside it: write "
        f"`{permission} && {fact}`"
    )


def _part(look: Look, first: int, end: int, amount: str) -> str | None:
    """`acc(s[0])` and `acc(x[f])`."""
    opened = look.opening(end - 1) if look.kind(end - 1) == "]" else None
    if opened is None or opened <= first:
        return None
    base, index = look.between(first, opened), look.between(opened + 1, end - 1)
    if look.is_field(index):
        return f"a field stands after a dot: write `acc({base}.{index}{amount})`"
    fields = [look.text(at + 1) for at, kind in enumerate(look.tokens.kinds) if kind == "field"]
    field = fields[0] if fields else "f"
    whole = f"acc({base}[{index}].{field}{amount})"
    declared = "" if fields else f", with `field {field}: Int`"
    return f"permission is to a field of an object: write `{whole}`{declared}"


def _is_location(look: Look, first: int, end: int) -> bool:
    """Whether `x.f` or `P(x)` stands from one token to another, and nothing else."""
    if operand_end(look, first) != end or first >= end:
        return False
    if look.kind(end - 1) == NAME:
        return look.kind(end - 2) == "."
    opened = look.opening(end - 1) if look.kind(end - 1) == ")" else None
    return opened is not None and look.kind(opened - 1) == NAME


def _name_of_predicate(look: Look, at: int, expected: str) -> str | None:
    """`acc(p)` without the arguments of the predicate."""
    name = look.text(at - 1)
    if expected != A_LOCATION or look.kind(at - 1) != NAME or look.kind(at - 2) != "(":
        return None
    for here, kind in enumerate(look.tokens.kinds):
        if kind != "predicate" or look.text(here + 1) != name:
            continue
        closing = look.closing(here + 2)
        inside = range(here, here if closing is None else closing)
        names = ", ".join([look.text(i - 1) for i in inside if look.kind(i) == ":"])
        return f"a predicate is about something, as it is declared: write `acc({name}({names}))`"
    return None


def _brackets(look: Look, at: int, expected: str) -> str | None:
    """`acc[x.f]`."""
    closing = look.closing(at) if look.kind(at) == "[" else None
    if expected != "`(`" or look.kind(at - 1) != "acc" or closing is None:
        return None
    return f"write `acc({look.between(at + 1, closing)})`, with parentheses"


def _amount_behind(look: Look, at: int, expected: str) -> str | None:
    """`acc(x.f) 1/2` and `acc(x.f) = 1/2`."""
    opened = look.opening(at - 1) if look.kind(at - 1) == ")" else None
    if opened is None or look.kind(opened - 1) != "acc" or expected not in _CLAUSES:
        return None
    start = at + 1 if look.text(at) in ("=", ":", ",") else at
    if look.kind(start) not in (INT, "write", "wildcard", "none"):
        return None
    end = start + 3 if look.kind(start + 1) == "/" else start + 1
    place, amount = look.between(opened + 1, at - 1), look.between(start, end)
    return f"the amount stands inside: write `acc({place}, {amount})`"


_CLAUSES = ("a declaration", "a statement", "`{`", "`}`")

RULES: tuple[Rule, ...] = (_in_acc, _name_of_predicate, _brackets, _amount_behind)
"""In the order in which they are asked."""
