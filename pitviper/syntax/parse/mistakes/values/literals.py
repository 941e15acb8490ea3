"""Collections as other languages write them, where a declared type tells what is meant."""

from __future__ import annotations

from pitviper.syntax.parse.complaints import TYPE_WORDS
from pitviper.syntax.parse.mistakes.look import Look, Rule
from pitviper.syntax.parse.mistakes.values.wanted import KINDS, collection, wanted_type
from pitviper.syntax.token import INT, NAME

_NAMES = {"Seq": "sequence", "Set": "set", "Multiset": "multiset", "Map": "map"}
_DEFAULTS = {kind: f"{kind}[Int]" for kind in KINDS} | {"Map": "Map[Int, Int]"}


def _empty(type_: str) -> str:
    return f"an empty {_NAMES[type_.partition('[')[0]]} of this type is `{type_}()`"


def _of_kind(look: Look, at: int, kind: str) -> str:
    """The type that is wanted at a token, where it is of a kind; else one of integers."""
    wanted = wanted_type(look, at)
    return wanted if wanted is not None and collection(wanted) == kind else _DEFAULTS[kind]


def _no_type(look: Look, at: int, expected: str) -> str | None:
    """`Seq[]()` and `Seq[1, 2]`."""
    kind = look.text(at - 2)
    if expected != "a type" or look.kind(at - 1) != "[" or kind not in KINDS:
        return None
    if look.kind(at) == "]":
        return _empty(_of_kind(look, at - 2, kind))
    closing = look.closing(at - 1)
    elements = "" if closing is None else look.between(at, closing)
    if not elements or look.kind(at) not in (INT, "-", "true", "false", "null", "("):
        return None
    return f"elements stand in parentheses: write `{kind}({elements})`"


def _names_in_brackets(look: Look, at: int, expected: str) -> str | None:
    """`Seq[x, y]`."""
    opened = look.enclosing(at)
    if expected not in ("`]`", "`,`") or opened is None or look.kind(opened) != "[":
        return None
    kind, closing = look.text(opened - 1), look.closing(opened)
    is_value = look.kind(opened - 2) in (":=", "==", "!=", "in", "(", ",", "union", "++")
    if kind not in KINDS or closing is None or not is_value or look.kind(at - 1) != NAME:
        return None
    return f"elements stand in parentheses: write `{kind}({look.between(opened + 1, closing)})`"


def _angles(look: Look, at: int, expected: str) -> str | None:
    """`Seq<Int>()` as a value."""
    kind, closing = look.text(at - 1), look.behind(at, ">")
    if expected != "`(`" or look.kind(at) != "<" or kind not in KINDS or closing is None:
        return None
    given = look.closing(closing + 1) if look.kind(closing + 1) == "(" else None
    elements = "" if given is None else look.between(closing + 2, given)
    if elements:
        return f"the type of the elements is left out: write `{kind}({elements})`"
    return f"types stand in brackets: write `{kind}[{look.between(at + 1, closing)}]()`"


def _bare(look: Look, at: int, expected: str) -> str | None:
    """`s := Seq`."""
    kind = look.text(at - 1)
    if expected != "`(`" or kind not in KINDS or look.kind(at) in ("(", "[", "{", "<"):
        return None
    return _empty(_of_kind(look, at - 1, kind))


def _new(look: Look, at: int, expected: str) -> str | None:
    """`new Seq[Int]()`, `new Set()` and `new Map<Int, Int>()`."""
    kind = look.text(at)
    if expected != "`(`" or look.kind(at - 1) != "new" or kind not in KINDS:
        return None
    opened = at + 1
    closing = look.closing(opened) if look.kind(opened) == "[" else None
    closing = look.behind(opened, ">") if look.kind(opened) == "<" else closing
    if look.kind(opened) == "(":
        ended = look.closing(opened)
        elements = "" if ended is None else look.between(opened + 1, ended)
        written = f"{kind}({elements})" if elements else f"{_of_kind(look, at - 1, kind)}()"
    elif closing is not None and look.kind(opened + 1) != INT:
        written = f"{kind}[{look.between(opened + 1, closing)}]()"
    else:
        return None
    return f"collections are values and no objects: leave `new` out, `{written}`"


def _go(look: Look, at: int, expected: str) -> str | None:
    """`[]Int` and `[]int{1, 2}`."""
    if expected != "an expression" or look.kind(at) != "]" or look.kind(at - 1) != "[":
        return None
    if look.kind(at + 1) not in TYPE_WORDS or not look.stuck(at + 1):
        return None
    return f"an empty sequence is written `Seq[{look.text(at + 1)}]()`"


def _braces(look: Look, at: int, expected: str) -> str | None:
    """`{1, 2}` and `{}`, where the type of the place is known."""
    wanted = wanted_type(look, at)
    kind, closing = collection(wanted), look.closing(at) if look.kind(at) == "{" else None
    if expected != "an expression" or wanted is None or kind is None or closing is None:
        return None
    elements = look.between(at + 1, closing)
    if not elements:
        return _empty(wanted)
    if kind == "Map" or "\n" in elements or len(elements) > _LONG:
        return None
    return f"a {_NAMES[kind]} is written `{kind}({elements})`"


_LONG = 60
"""Characters of elements that are repeated."""

RULES: tuple[Rule, ...] = (
    _no_type, _names_in_brackets, _angles, _bare, _new, _go, _braces,
)  # fmt: skip
"""In the order in which they are asked."""
