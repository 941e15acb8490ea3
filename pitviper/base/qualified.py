"""Qualified names, `Cell.x`: members of classes in the typed program of an object language.

No program of Viper can have a name with a dot. People read such a member as the object languages
write it, behind its receiver: `c.x`, `c.get(1)`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

ARRAY_LENGTH = "[].length"
"""The length of an array; no class of a program is called `[]`."""

_PROPERTIES = frozenset([ARRAY_LENGTH, "object.class"])
"""Functions of object languages that are written without parentheses."""


def is_qualified(name: str) -> bool:
    """Whether a name is that of a member of a class."""
    return "." in name


def function_word(name: str) -> str:
    """What a function of this name is called in its language."""
    return "pure method" if is_qualified(name) else "function"


def short_name(name: str) -> str:
    """The name of a member without its class; other names as they are."""
    return name.rpartition(".")[2]


def call_words(name: str, args: Sequence[str]) -> str:
    """`f(a, b)`, or `a.f(b)` for a member of a class, or `new C(b)` for a constructor."""
    if not is_qualified(name) or not args:
        return f"{name}({', '.join(args)})"
    if name.partition(".")[0] == short_name(name):
        return f"new {short_name(name)}({', '.join(args[1:])})"
    if name in _PROPERTIES:
        return f"{args[0]}.{short_name(name)}"
    return f"{args[0]}.{short_name(name)}({', '.join(args[1:])})"


_HOLE = re.compile(r"\bhole([0-9]+)\b")
_BOUND = re.compile(r"\bbound[0-9]+\b")
_WORD = re.compile(r"[\w$]+")
_LETTERS = "xyzijkuvwrs"
_AMOUNT = re.compile(r"\bacc\(([^()]*(?:\([^()]*\)[^()]*)?), hole([0-9]+)\)")


def wand_words(shape: str, args: Sequence[str]) -> str:
    """A wand by the name of its shape, `acc(hole1.f, hole2) --* ... [types]`, with its values.

    As in programs, an amount is written where it is not the whole. Variables that the wand binds
    have no names in its shape; they get letters that are not used in it.
    """
    text = _AMOUNT.sub(
        lambda found: f"acc({found[1]})" if args[int(found[2]) - 1] == "write" else found[0],
        shape.rpartition(" [")[0],
    )
    return _HOLE.sub(lambda hole: args[int(hole[1]) - 1], _with_letters(text, args))


def _with_letters(shape: str, args: Sequence[str]) -> str:
    used = set(_WORD.findall(" ".join([shape, *args])))
    free = [letter for letter in _LETTERS if letter not in used]
    bound = dict.fromkeys(_BOUND.findall(shape))
    letters = dict(zip(bound, free, strict=False))
    return _BOUND.sub(lambda name: letters.get(name[0], name[0]), shape)
