"""What is said of something else where an amount of permission has to stand."""

from __future__ import annotations

import re

from pitviper.checking.types import ASSERTION_TYPES
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program.node import Node
from pitviper.program.types import BOOL, INT, REF, Type
from pitviper.source.span import Span

_STANDS = "after the comma stands an amount"


def about_amount(e: Node, found: Type, text: str) -> str | None:
    """About the second place of an `acc`, in the words of the program."""
    place = _place_before(e.span)
    if isinstance(e, x.FieldRead) and text != place:
        return f"{_STANDS}: for both fields, write `acc({place}) && acc({text})`"
    if found in ASSERTION_TYPES and isinstance(e, a.Access):
        return f"{_STANDS}: for both, write `acc({place}) && {text}`"
    if found is BOOL and text not in ("true", "false"):
        condition = text if re.fullmatch(r"[\w.]+", text) else f"({text})"
        return f"{_STANDS}: for a condition, write `{condition} ==> acc({place})`"
    if found is REF and text != "null" and "." in place:
        other = f"{text}.{place.rpartition('.')[2]}"
        return f"{_STANDS}: for both objects, write `acc({place}) && acc({other})`"
    if found is INT and text != place:
        return _about_number(e, text, place)
    return f"{_STANDS}: all of it is `acc({place})`, a half `acc({place}, 1/2)`"


def _about_number(e: Node, text: str, place: str) -> str:
    """About an Int where an amount of permission has to stand."""
    if text == "0":
        return "an Int is no amount: no permission is `none`, or leave the `acc` out"
    if text == "1":
        return f"an Int is no amount: all of it is `acc({place})`, or `acc({place}, write)`"
    if text.isdigit():
        half = f"a half `acc({place}, 1/2)`"
        return f"an Int is no amount: all of it is `acc({place})`, and no more; {half}"
    if isinstance(e, x.Var):
        both = f"{text} > none && acc({place}, {text})"
        return f"an Int is no amount: declare `{text}: Perm`, and write `{both}`; all of it is " + (
            f"`acc({place})`"
        )
    amount = f"{text}/1" if text.isalnum() else f"({text})/1"
    return f"an Int is no amount: write `{amount}`, with `{text} > 0` first"


def _place_before(span: Span) -> str:
    """The first place of the `acc` whose second one stands at a span."""
    before = span.file.text[: span.start].rstrip()
    depth = 0
    for at in range(len(before) - 2, max(len(before) - _FAR, -1), -1):
        depth += (before[at] in ")]") - (before[at] in "([")
        if depth < 0:
            found = " ".join(before[at + 1 : -1].split())
            return found if before[:at].rstrip().endswith("acc") else "x.f"
    return "x.f"


_FAR = 80
"""Characters in front of an amount in which its location has to stand."""
