"""Types that are not written as types are written here."""

from __future__ import annotations

from pitviper.syntax import foreign
from pitviper.syntax.parse.complaints import TYPE_WORDS
from pitviper.syntax.parse.mistakes.look import Look, Rule

_PLAIN = ("Int", "Bool", "Ref", "Perm")
_COLLECTIONS = ("Seq", "Set", "Multiset", "Map")


def argument_of_plain(look: Look, at: int) -> tuple[int, int, str, str] | None:
    """`Ref[Node]`, `Ref<Int>` and `Ref(Int)`: tokens, what is wrong with them, what to write."""
    around = look.enclosing(at)
    for opened in (at, around):
        if opened is None or look.kind(opened) not in ("[", "<", "("):
            continue
        type_, closing = look.text(opened - 1), look.closing(opened)
        if look.kind(opened) == "<":
            closing = look.behind(opened, ">")
        if type_ not in _PLAIN or look.kind(opened - 2) not in (":", "[") or closing is None:
            continue
        if look.line(closing) != look.line(opened) or closing == opened + 1:
            continue
        if look.kind(opened) == "(" and closing != opened + 2:
            continue
        inner = look.between(opened + 1, closing)
        written = look.between(opened - 1, closing + 1)
        return opened - 1, closing, f"there is no type `{written}`", _plain(type_, inner)
    return None


def _plain(type_: str, inner: str) -> str:
    own = foreign.own_type(inner)
    if type_ != "Ref":
        return f"`{type_}` stands alone: leave `[{inner}]` out"
    holds = f", `field val: {own}`" if own in _PLAIN else ""
    return f"all objects have the type `Ref`; what they hold is declared by fields{holds}"


def _no_elements(look: Look, at: int, expected: str) -> str | None:
    """`s: Seq`, `s: Seq(Int)`, `s: Seq Int` and `s: Seq of Int`."""
    kind = look.text(at - 1)
    if expected != "`[`" or kind not in _COLLECTIONS or (look.kind(at) == "{" and look.stuck(at)):
        return None
    if look.kind(at) == "<":
        return None
    closing = look.closing(at) if look.kind(at) == "(" else None
    here = at + 1 if look.text(at) == "of" else at
    if closing is not None and closing > at + 1:
        given = look.between(at + 1, closing)
    else:
        given = look.text(here) if foreign.own_type(look.text(here)) in TYPE_WORDS else ""
    elements = foreign.own_type(given) or ("Int, Int" if kind == "Map" else "Int")
    name = f"{look.text(at - 3)}: " if look.kind(at - 2) == ":" and look.is_word(at - 3) else ""
    what = "its keys and values" if kind == "Map" else "its elements"
    return f"say of what type {what} are: `{name}{kind}[{elements}]`"


def _in_brackets(look: Look, at: int, expected: str) -> str | None:
    """`s: [Int]`, `p: (Int, Int)` and `p: *Int`."""
    if expected != "a type" and not (expected in _LISTS and look.kind(at) == "*"):
        return None
    closing = look.closing(at) if look.kind(at) in ("[", "(") else None
    inner = "" if closing is None else look.between(at + 1, closing)
    if look.kind(at) == "[" and inner:
        return f"a sequence has the type `Seq[{foreign.own_type(inner)}]`"
    if look.kind(at) == "(" and "," in inner and ":" not in inner:
        parts = [foreign.own_type(part.strip()) for part in inner.split(",")]
        fields = ", ".join([f"part{number + 1}: {part}" for number, part in enumerate(parts)])
        return f"there are no tuples: declare an `adt`, `adt Pair {{ MakePair({fields}) }}`"
    if look.kind(at) == "(" and inner:
        return f"leave the parentheses out: `{inner}`"
    if look.text(at) in ("*", "&", "^"):
        return "there are no pointers: an object has the type `Ref`, and holds its values in fields"
    return None


_LISTS = ("`,` or `)`", "`,` or `]`")


def _arrow(look: Look, at: int, expected: str) -> str | None:
    """`Map[Int -> Int]` and `f: Int -> Int`."""
    if look.kind(at) != "-" or look.kind(at + 1) != ">" or expected not in _LISTS:
        return None
    left, right = foreign.own_type(look.text(at - 1)), foreign.own_type(look.text(at + 2))
    if left not in TYPE_WORDS or right not in TYPE_WORDS or look.kind(at - 2) not in ("[", ":"):
        return None
    if look.kind(at - 2) == "[" and look.text(at - 3) == "Map":
        return f"a map has the type `Map[{left}, {right}]`"
    return (
        f"functions are no values: take a `Map[{left}, {right}]`, or declare "
        f"`function f(x: {left}): {right}`"
    )


RULES: tuple[Rule, ...] = (_no_elements, _in_brackets, _arrow)
"""In the order in which they are asked."""
