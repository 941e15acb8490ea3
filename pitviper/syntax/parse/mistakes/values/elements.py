"""Collections, their elements and entries, as other languages write them."""

from __future__ import annotations

import re

from pitviper.syntax.parse.mistakes.look import Culprit, CulpritRule, Look
from pitviper.syntax.parse.mistakes.operands import operand_start
from pitviper.syntax.token import NAME

_KINDS = ("Seq", "Set", "Multiset", "Map")
_OWNERS = (NAME, "]", ")", "result")
"""What stands in front of the bracket of an index."""

_FAR = 60
"""Characters of a text that is repeated in advice."""

_SIGN = re.compile(r"\s*(?:\|?->|\|?=>|(?<!:):(?![:=])|(?<![=<>!:])=(?![=>]))\s*")
"""What other languages write between a key and its value."""


def _arrow(look: Look, at: int) -> tuple[int, int] | None:
    """The first and the last token of `->`, `|->`, `=>` and their like at a place."""
    if look.text(at) in ("=", ":", ","):
        return (at, at + 1) if look.kind(at + 1) == ">" and look.stuck(at + 1) else (at, at)
    if look.kind(at) == ">" and look.kind(at - 1) == "-":
        at -= 1
    if look.kind(at) == "|" and look.kind(at + 1) == "-":
        return (at, at + 2) if look.kind(at + 2) == ">" else None
    if look.kind(at) != "-" or look.kind(at + 1) != ">" or not look.stuck(at + 1):
        return None
    return (at - 1, at + 1) if look.kind(at - 1) == "|" else (at, at + 1)


def _entry(look: Look, at: int, _: str) -> Culprit | None:
    """`d[1 -> 2]` and `Map(1 -> 2)`."""
    sign, opened = _arrow(look, at), look.enclosing(at)
    closing = None if opened is None else look.closing(opened)
    if sign is None or opened is None or closing is None:
        return None
    inside = look.between(opened + 1, closing)
    if not inside or "\n" in inside or len(inside) > _FAR:
        return None
    if look.kind(opened) == "[":
        written = _updated(look, sign, opened, closing)
    else:
        written = _entries(look, sign, opened, closing)
    if written is None:
        return None
    text = look.between(sign[0], sign[1] + 1)
    message = f"there is no `{text}`" if len(text) > 1 else f"expected `:=`, found `{text}`"
    return Culprit(sign[0], sign[1], message, written)


def _updated(look: Look, sign: tuple[int, int], opened: int, closing: int) -> str | None:
    """`d[1 := 2]`; a colon and a comma between indices of a sequence mean something else."""
    if look.kind(opened - 1) not in _OWNERS or not look.stuck(opened):
        return None
    base = look.between(operand_start(look, opened), opened)
    if look.text(sign[0]) in (":", ",") and look.type_of(base, opened) != "Map":
        return None
    key, rest = look.between(opened + 1, sign[0]), look.between(sign[1] + 1, closing)
    if not key or not rest:
        return None
    changed = f"{base}[{key} := {_SIGN.sub(' := ', rest)}]"
    kind = _NAMES.get(look.type_of(base, opened) or "", "collection")
    return f"a {kind} with another value there is `{changed}`"


def _entries(look: Look, sign: tuple[int, int], opened: int, closing: int) -> str | None:
    """`Map(1 := 2)`; elements of `{1 -> 2}` are entries as well."""
    of_map = look.text(opened - 1) == "Map"
    in_braces = look.kind(opened) == "{" and look.kind(opened - 1) in (":=", "==", "!=", "(", ",")
    inside = look.between(opened + 1, closing)
    if not of_map and not (in_braces and look.text(sign[0]) != ","):
        return None
    parts = [part.strip() for part in inside.split(",")]
    if look.text(sign[0]) == ",":
        inside = f"{parts[0]} := {parts[1]}" if len(parts) == 2 else ""
    return f"write `Map({_SIGN.sub(' := ', inside)})`" if inside else None


def _wanted(look: Look, first: int, last: int) -> str | None:
    """The type of the collection that the tokens stand for, where a name beside them tells it."""
    sign, other = look.kind(first - 1), first - 2
    if sign == ":=" and look.kind(other) != NAME:
        opened = look.opening(other) if look.kind(other) == "]" else None
        start = None if opened is None else opened - 1
        return None if start is None else look.between(start, other + 1)
    if sign in _BETWEEN and look.kind(other - 1) != ".":
        return look.written_type(look.text(other), first)
    if look.kind(last + 1) in _BETWEEN and look.kind(last + 3) != ".":
        return look.written_type(look.text(last + 2), first)
    return None


_BETWEEN = (":=", "==", "!=", "++", "union", "intersection", "setminus", "subset")


def _collection(look: Look, first: int, last: int, *kinds: str) -> str:
    """The wanted type with its elements, else the first of these kinds of integers."""
    wanted = _wanted(look, first, last)
    known = wanted is not None and wanted.partition("[")[0] in _KINDS and "[" in wanted
    return wanted if known and wanted is not None else f"{kinds[0]}[Int]"


_NAMES = {"Seq": "sequence", "Set": "set", "Multiset": "multiset", "Map": "map"}


_CLAUSES = ("requires", "ensures", "invariant")


def _empty(look: Look, at: int, expected: str) -> Culprit | None:
    """`[]` and `{}` as values."""
    first = at - 1 if look.kind(at) == "]" else at
    pair = look.kind(first) + look.kind(first + 1)
    if expected != "an expression" or pair not in ("[]", "{}"):
        return None
    if pair == "[]" and look.stuck(first) and look.kind(first - 1) in _OWNERS:
        base = look.text(first - 1)
        return Culprit(
            first, first + 1, "there is no index between the brackets", f"write `{base}[0]`"
        )
    if pair == "{}" and look.kind(first - 1) in (")", NAME, "]", *_CLAUSES):
        return None
    type_ = _collection(look, first, first + 1, "Seq" if pair == "[]" else "Set")
    kind = _NAMES[type_.partition("[")[0]]
    told = f"an empty {kind} is written `{type_}()`"
    if _wanted(look, first, first + 1) is None:
        told = f"an empty {kind} is `{type_}()`, with the type of its elements"
    return Culprit(first, first + 1, f"there is no `{pair}`", told)


def _listed(look: Look, at: int, expected: str) -> Culprit | None:
    """`[1, 2, 3]`, `[1]` and `{1, 2}` as values."""
    opened = at if look.kind(at) == "{" else look.enclosing(at)
    of_brackets = expected in ("`]`", "`,` or `..`") and opened is not None
    if opened is None or not (of_brackets or expected == "an expression"):
        return None
    if look.kind(opened) != ("[" if of_brackets else "{"):
        return None
    if of_brackets and look.stuck(opened) and look.kind(opened - 1) in _OWNERS:
        return None
    closing = look.closing(opened)
    written = "" if closing is None else look.between(opened, closing + 1)
    if closing is None or "\n" in written or len(written) > _FAR or closing == opened + 1:
        return None
    if look.kind(opened - 1) not in (
        *_BETWEEN,
        "in",
        "(",
        ",",
        "|",
        "?",
        ":",
        "requires",
        "ensures",
    ):
        return None
    help_, wanted = None, _wanted(look, opened, closing)
    if wanted is not None and wanted.partition("[")[0] in _NAMES:
        kind = wanted.partition("[")[0]
        elements = look.between(opened + 1, closing)
        help_ = f"a {_NAMES[kind]} is written `{kind}({_SIGN.sub(' := ', elements)})`"
    return Culprit(opened, closing, f"there is no `{written}`", help_)


def _type_as_value(look: Look, at: int, expected: str) -> Culprit | None:
    """`Seq[Int]` as a value, without its parentheses."""
    if expected != "`(`" or (look.kind(at) == "{" and not _is_body(look, at)):
        return None
    opened = look.opening(at - 1) if look.kind(at - 1) == "]" else at
    first = None if opened is None else opened - 1
    if first is None or look.kind(first) not in _KINDS:
        return None
    kind, written = look.kind(first), look.between(first, at)
    type_ = written if opened != at else _collection(look, first, first, kind)
    message = f"`{written}` is a type, and no value"
    return Culprit(first, at - 1, message, f"the empty {_NAMES[kind]} is written `{type_}()`")


def _is_body(look: Look, at: int) -> bool:
    """Whether a brace behind a blank begins a body, since a clause stands in front of it."""
    before = look.before(at, "requires", "ensures", "invariant", "{", "}")
    return not look.stuck(at) and before is not None and look.kind(before) not in ("{", "}")


def _elements_for_type(look: Look, at: int, expected: str) -> Culprit | None:
    """`Seq[]` and `Seq[1, 2]`, where a value stands."""
    opened = look.enclosing(at)
    kind = "" if opened is None else look.kind(opened - 1)
    if expected not in ("a type", "`,`") or opened is None or kind not in _KINDS:
        return None
    closing = look.closing(opened)
    if closing is None or look.kind(opened - 2) == ":":
        return None
    elements = look.between(opened + 1, closing)
    written = look.between(opened - 1, closing + 1)
    told = f"the elements stand in parentheses: write `{kind}({_SIGN.sub(' := ', elements)})`"
    if not elements:
        type_ = _collection(look, opened - 1, closing, kind)
        told = f"the empty {_NAMES[kind]} is written `{type_}()`"
    return Culprit(opened - 1, closing, f"there is no `{written}`", told)


RULES: tuple[CulpritRule, ...] = (
    _entry, _empty, _listed, _type_as_value, _elements_for_type,
)  # fmt: skip
"""In the order in which they are asked."""
