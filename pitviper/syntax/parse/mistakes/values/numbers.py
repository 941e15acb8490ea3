"""Numbers with a point, texts and names of files, as other languages write them."""

from __future__ import annotations

from fractions import Fraction

from pitviper.syntax.parse.mistakes.look import Culprit, CulpritRule, Look
from pitviper.syntax.token import INT, NAME, STRING


def _decimal(look: Look, at: int, expected: str) -> Culprit | None:
    """`0.5`, which goes wrong behind the point, and `.5`, which goes wrong at it."""
    first = last = at
    if expected == "a field name" and look.kind(at - 1) == "." and look.kind(at - 2) == INT:
        first = at - 2
    elif look.kind(at) == "." and expected == "an expression":
        last = at + 1
    if first == last or look.kind(last) != INT or not look.stuck(last):
        return None
    if last - first == 2 and not look.stuck(at - 1):
        return None
    value = Fraction("".join([look.text(i) for i in range(first, last + 1)]))
    help_ = _written(look, first, last, value)
    return Culprit(first, last, "there are no decimal numbers", help_)


def _written(look: Look, first: int, last: int, value: Fraction) -> str:
    """What to write for a decimal number: a fraction, a number or a whole permission."""
    fraction = f"{value.numerator}/{value.denominator}"
    whole = value.denominator == 1
    declared = look.kind(first - 1) == ":=" and look.kind(first - 3) == ":"
    type_ = look.text(first - 2) if declared else None
    if look.kind(first - 1) == ":=" and not declared:
        type_ = look.type_of(look.text(first - 2), first)
    if whole and type_ == "Int":
        return f"write `{value}`"
    if declared and look.kind(first - 5) == "var" and look.ends_declaration(last):
        return (
            f"fractions are of type `Perm`: write `var {look.text(first - 4)}: Perm := {fraction}`"
        )
    if value == 1 and look.kind(first - 1) == ",":
        return "write `write` for all of it"
    if whole and type_ is None:
        return f"write `{value}`, or `{fraction}` for a fraction"
    return f"write a fraction: `{fraction}`"


def _text(look: Look, at: int, expected: str) -> Culprit | None:
    """`"abc"` as a value."""
    if expected != "an expression" or look.kind(at) != STRING:
        return None
    help_ = None
    alone = look.kind(at + 1) not in ("==", "!=", "++", "in", "+")
    if alone and look.kind(at - 1) in ("requires", "ensures", "invariant", "assert", "assume"):
        help_ = f"leave it out; a remark is a comment, `// {look.text(at)[1:-1]}`"
    return Culprit(at, at, "there are no strings", help_)


def _file(look: Look, at: int, expected: str) -> Culprit | None:
    """`import lib`."""
    if look.text(at)[:1] == '"':
        return None
    if (
        expected != "a string"
        or look.kind(at - 1) != "import"
        or look.line(at) != look.line(at - 1)
    ):
        return None
    last = at
    while look.stuck(last + 1) and look.kind(last + 1) in (".", NAME, "'"):
        last += 1
    return Culprit(at, last, "`import` is followed by the name of a file in quotes")


RULES: tuple[CulpritRule, ...] = (_decimal, _text, _file)
"""In the order in which they are asked."""
