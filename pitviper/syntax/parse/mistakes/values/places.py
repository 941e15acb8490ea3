"""Places and parts of sequences and maps, and their ranges, as other languages write them."""

from __future__ import annotations

from pitviper.syntax.parse.mistakes.look import Look, Rule
from pitviper.syntax.parse.mistakes.operands import operand_start
from pitviper.syntax.token import INT, NAME

_LONG = 60
"""Characters that are repeated."""


def _base(look: Look, opened: int) -> str:
    """What stands in front of a bracket that touches it."""
    touches = look.stuck(opened) and look.kind(opened - 1) in (NAME, ")", "]")
    return look.between(operand_start(look, opened), opened) if touches else ""


def _inside(look: Look, at: int) -> tuple[str, int, int] | None:
    """The collection, and the brackets behind it around a token, in one line."""
    opened = look.enclosing(at)
    if opened is None or look.kind(opened) != "[":
        return None
    base, closing = _base(look, opened), look.closing(opened)
    if not base or closing is None or look.line(opened) != look.line(closing):
        return None
    return base, opened, closing


def _index(look: Look, at: int, expected: str) -> str | None:
    """`s[1, 3]`, `s[0 = 3]`, `s[0 -> 3]` and `s[0 := 3, 1 := 4]`."""
    found = _inside(look, at)
    if found is None or expected not in ("`]`", "an expression"):
        return None
    base, opened, closing = found
    if expected == "an expression" and look.kind(at) == ">" and look.kind(at - 1) == "-":
        at -= 1  # the arrow reads as a subtraction
    elif expected == "an expression":
        return None
    if look.text(at) in ("=", "-") and (look.text(at) == "=" or look.kind(at + 1) == ">"):
        value = look.between(at + (1 if look.text(at) == "=" else 2), closing)
        return (
            f"an update is written with `:=`: `{base}[{look.between(opened + 1, at)} := {value}]`"
        )
    if look.kind(at) != ",":
        return None
    parts = look.between(opened + 1, at), look.between(at + 1, closing)
    if ":=" in parts[0] and ":=" in parts[1]:
        each = "][".join([part.strip() for part in look.between(opened + 1, closing).split(",")])
        return f"each update has its own brackets: `{base}[{each}]`"
    if ":=" in parts[0]:
        return None
    return (
        f"a part of a sequence is written `{base}[{parts[0]}..{parts[1]}]`, an element of an "
        f"element `{base}[{parts[0]}][{parts[1]}]`"
    )


def _half_open(look: Look, at: int, expected: str) -> str | None:
    """`s[1..3)`, and `[1..3]` as a sequence of numbers."""
    opened = look.before(at, "[")
    if opened is None or look.line(opened) != look.line(at):
        return None
    base, inner = _base(look, opened), look.between(opened + 1, at)
    if ".." not in inner or "[" in inner or len(inner) > _LONG:
        return None
    if base and expected == "`]`" and look.kind(at) == ")":
        return f"a part ends with a bracket: `{base}[{inner}]`, without the element at the end"
    if not base and expected == "`)`" and look.kind(at) == "]":
        low, _, high = inner.partition("..")
        high, is_number = high.strip(), high.strip().isdecimal()
        before, after = (
            (int(high) - 1, int(high) + 1) if is_number else (f"{high} - 1", f"{high} + 1")
        )
        return (
            f"the end of a range is not in it: write `[{low}..{high})` for {low} to {before}, or "
            f"`[{low}..{after})` if {high} belongs to it"
        )
    return None


def _dots(look: Look, at: int, expected: str) -> str | None:
    """`s[..]` and `s[1...3]`."""
    found = _inside(look, at)
    if expected != "an expression" or look.kind(at - 1) != "..":
        return None
    if found is not None and look.kind(at) == "]" and look.kind(at - 2) == "[":
        return f"all of a sequence is the sequence: write `{found[0]}`"
    if look.kind(at) == "." and look.stuck(at):
        opened = look.enclosing(at)
        closing = None if opened is None else look.closing(opened)
        if opened is None or closing is None:
            return None
        inner = f"{look.between(opened + 1, at - 1)}..{look.between(at + 1, closing)}"
        base = _base(look, opened)
        return f"write two dots: `{base}[{inner}{']' if base else ')'}`"
    return None


def _round(look: Look, at: int, expected: str) -> str | None:
    """`(1..3)`, and `(x, y)` as a pair."""
    opened = look.enclosing(at)
    closing = None if opened is None else look.closing(opened)
    if expected != "`)`" or opened is None or closing is None or look.kind(opened) != "(":
        return None
    inner = look.between(opened + 1, closing)
    if "\n" in inner or _base(look, opened) or len(inner) > _LONG:
        return None
    if look.kind(at) == "..":
        return f"numbers in between are written `[{inner})`, without the last one"
    if look.kind(at) != ",":
        return None
    if look.kind(closing + 1) == ":=":
        return (
            f"several targets stand without parentheses: `{inner} := {look.formula(closing + 2)}`"
        )
    key, _, value = [part.strip() for part in inner.partition(",")]
    if look.kind(closing + 1) == "in" and look.type_of(look.text(closing + 2), at) == "Map":
        whole = look.text(closing + 2)
        fact = f"{key} in {whole} && {whole}[{key}] == {value}"
        return f"a map has keys, and a value for each: write `{fact}`"
    if look.kind(opened - 1) == "(" and look.kind(opened - 2) == "Map":
        return f"an entry is written `{key} := {value}`"
    return None


def _entries(look: Look, at: int, expected: str) -> str | None:
    """`Map(1, 2)`."""
    opened = look.enclosing(at)
    if expected != "`:=`" or opened is None or look.kind(opened - 1) != "Map":
        return None
    closing = look.closing(opened)
    parts = "" if closing is None else look.between(opened + 1, closing)
    pair = [part.strip() for part in parts.split(",")]
    if len(pair) != 2 or ":=" in parts or look.kind(at) != ",":
        return None
    return f"an entry is written `key := value`: `Map({pair[0]} := {pair[1]})`"


def _number_behind_dot(look: Look, at: int, expected: str) -> str | None:
    """`s.0`."""
    name = look.text(at - 2)
    if expected != "a field name" or look.kind(at) != INT or look.kind(at - 2) != NAME:
        return None
    if look.type_of(name, at) not in ("Seq", "Map"):
        return None
    return f"an element stands in brackets: write `{name}[{look.text(at)}]`"


def _size(look: Look, at: int, expected: str) -> str | None:
    """`#s` and `||s||`."""
    if expected == "`(`" and look.kind(at - 2) == "#" and look.kind(at - 1) == NAME:
        return f"the size of a collection is written `|{look.text(at - 1)}|`"
    first = look.first_of_line(at)
    signs = [here for here in range(first, at) if look.kind(here) == "||"]
    if expected != "an expression" or look.kind(at - 1) != "||" or not signs:
        return None
    start = next((h for h in range(at - 2, first, -1) if look.kind(h) == "|"), None)
    inner = "" if start is None else look.between(start + 1, at - 1)
    return f"one bar on each side is enough: `|{inner}|`" if inner.isidentifier() else None


def _element(look: Look, at: int, expected: str) -> str | None:
    """`forall i: Int :: s[i) > 0`: a bracket that is closed by a parenthesis."""
    found = look.before(at, "[")
    if expected != "`]`" or look.kind(at) != ")" or found is None or not _base(look, found):
        return None
    inner = look.between(found + 1, at)
    return f"write `{_base(look, found)}[{inner}]`" if len(inner) <= _LONG else None


RULES: tuple[Rule, ...] = (
    _index, _half_open, _dots, _round, _entries, _number_behind_dot, _size, _element,
)  # fmt: skip
"""In the order in which they are asked."""
