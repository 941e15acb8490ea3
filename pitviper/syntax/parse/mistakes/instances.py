"""Permissions and instances of predicates without the parentheses that belong to them."""

from __future__ import annotations

from pitviper.syntax.parse.complaints import MEMBER_WORDS
from pitviper.syntax.parse.mistakes.look import Look, Rule
from pitviper.syntax.parse.mistakes.operands import operand_end
from pitviper.syntax.token import INT, NAME

_AMOUNTS = (INT, "write", "wildcard", "none")
"""What an amount begins with, and no other condition does."""


def _without_parentheses(look: Look, at: int, expected: str) -> str | None:
    """`acc x.f`, `acc[x.f]`, `acc x` and `acc { }`."""
    if expected != "`(`" or look.kind(at - 1) != "acc":
        return None
    field = next((name for name in look.declared("field")), "f")
    closing = look.closing(at) if look.kind(at) == "[" else None
    if closing is not None:
        return f"write `acc({look.between(at + 1, closing)})`, with round parentheses"
    if look.kind(at) != NAME:
        return f"say to what: write `acc({_owner(look, at)}.{field})`"
    end = operand_end(look, at)
    place = look.between(at, end)
    if "." not in place and "(" not in place:
        return f"permission is to a field of it: write `acc({place}.{field})`"
    if look.kind(end) == "," and look.kind(end + 1) in _AMOUNTS:
        last = end + 4 if look.kind(end + 2) == "/" else end + 2
        place = look.between(at, last)
    return f"its place stands in parentheses: write `acc({place})`"


def _of_nothing(look: Look, at: int, expected: str) -> str | None:
    """`acc()`."""
    if expected != "an expression" or look.kind(at) != ")" or look.kind(at - 2) != "acc":
        return None
    field = next((name for name in look.declared("field")), "f")
    return f"say to what: write `acc({_owner(look, at)}.{field})`"


def _owner(look: Look, at: int) -> str:
    """The first object that the member around a token declares."""
    objects = [name for name, type_ in look.variables(at) if type_ == "Ref"]
    return objects[0] if objects else "x"


def _of_all(look: Look, at: int, expected: str) -> str | None:
    """`acc(x.f && y.f)`."""
    opened = look.before(at, "(")
    if expected != "`)`" or look.kind(at) not in ("&&", ",") or opened is None:
        return None
    if look.kind(opened - 1) != "acc":
        return None
    closing = look.closing(opened)
    inside = "" if closing is None else look.between(opened + 1, closing)
    if not inside or "\n" in inside:
        return None
    parts = [part.strip() for part in inside.replace("&&", ",").split(",")]
    if any(part.count("(") != part.count(")") or not part for part in parts):
        return None
    return f"each has its own `acc`: write `{' && '.join(_each(parts))}`"


def _each(parts: list[str]) -> list[str]:
    """`acc(x.f, 1/2)` and `acc(y.f)` for `x.f`, `1/2` and `y.f`."""
    found = list[str]()
    for part in parts:
        if found and "." not in part and "(" not in part:
            found[-1] = f"{found[-1][:-1]}, {part})"
        else:
            found.append(f"acc({part})")
    return found


def _without_arguments(look: Look, at: int, expected: str) -> str | None:
    """`unfold P`, `fold x.P` and `unfold x`, where the name is in front of the token."""
    if not expected.startswith("a predicate instance"):
        return None
    word = look.before(at, "unfold", "fold", "unfolding")
    if word is None:
        return None
    name = look.text(word + 1) if word + 1 < at else ""
    predicates = look.declared("predicate")
    if look.kind(at) == "." and look.text(at + 1) in predicates and look.kind(at + 2) != "(":
        return f"the object is its argument: write `{look.text(word)} {look.text(at + 1)}({name})`"
    if name in predicates:
        args = ", ".join(_arguments(look, name, at))
        return f"write its arguments in parentheses after it: `{look.text(word)} {name}({args})`"
    if not predicates:
        return None
    args = name if look.type_of(name, at) else ", ".join(_arguments(look, predicates[0], at))
    return f"name the predicate: write `{look.text(word)} {predicates[0]}({args})`"


def _arguments(look: Look, predicate: str, at: int) -> list[str]:
    """Variables of the member around a token with the types of the parameters."""
    places = range(1, at)
    header = next((i for i in places if look.text(i) == predicate), at)
    given = [(n, t) for n, t in look.variables(look.behind(header, *MEMBER_WORDS, "{") or header)]
    variables = look.variables(at)
    return [next((n for n, t in variables if t == type_), name) for name, type_ in given]


RULES: tuple[Rule, ...] = (_without_parentheses, _of_nothing, _of_all, _without_arguments)
"""In the order in which they are asked."""
