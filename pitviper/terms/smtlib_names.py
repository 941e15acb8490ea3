"""Names in SMT-LIB text: quoted where needed, different for different things."""

from __future__ import annotations

import re
from fractions import Fraction

from pitviper.terms.term import Literal

_SIMPLE = re.compile(r"[A-Za-z~!@$%^&*_+=<>.?/-][A-Za-z0-9~!@$%^&*_+=<>.?/-]*\Z")
_MARKED = re.compile(r"[A-Za-z_].*[@?$%#'<>~ ]")


def quote(name: str) -> str:
    """The symbol with this name; the two characters a quoted symbol cannot have are replaced."""
    if _SIMPLE.match(name):
        return name
    return f"|{name.translate(_UNQUOTABLE)}|"


_UNQUOTABLE = str.maketrans({"|": "!", "\\": "/"})


class Names:
    """Gives each object one text. Objects with the same name get different texts, in order.

    A name that a solver could know already, such as `abs` or `set.card`, is marked with a dollar:
    no list of reserved words is complete for two solvers and their next releases. Exclamation marks
    belong to the script itself (`def!1`).
    """

    def __init__(self) -> None:
        self._texts: dict[object, str] = {}
        self._taken: set[str] = set()

    def known(self, thing: object) -> str | None:
        return self._texts.get(thing)

    def give(self, thing: object, name: str) -> str:
        """The text for something new."""
        base = name.replace("!", "~") if _MARKED.match(name) else f"${name}"
        text, number = quote(base), 0
        while text in self._taken:
            number += 1
            text = quote(f"{base}!{number}")
        self._taken.add(text)
        self._texts[thing] = text
        return text


def literal_text(term: Literal) -> str:
    """A literal; SMT-LIB has neither negative numbers nor fractions."""
    value = term.value
    if isinstance(value, bool):
        return "true" if value else "false"
    if value < 0:
        return f"(- {_magnitude(-value)})"
    return _magnitude(value)


def _magnitude(value: int | Fraction) -> str:
    if isinstance(value, int):
        return str(value)
    if value.denominator == 1:
        return f"{value.numerator}.0"
    return f"(/ {value.numerator}.0 {value.denominator}.0)"
