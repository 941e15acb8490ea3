"""Blanks between tokens: one or none, by what the tokens are used for."""

from __future__ import annotations

from pitviper.syntax.token import INT, NAME

_LITERALS = "true false null result none write wildcard epsilon".split()
_TYPES = "Int Perm Bool Ref Rational Seq Set Multiset Map".split()
_ENDS_OPERAND = frozenset([NAME, INT, ")", "]", *_LITERALS])
_CALLED = frozenset("Seq Set Multiset Map domain range acc perm old new".split())
_GLUED_TO_NEXT = frozenset("( [ . .. #".split())
_GLUED_TO_LAST = frozenset(") ] . .. , ;".split())
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_BINDERS = frozenset({"forall", "exists", "forperm"})


def find_choices(kinds: list[str]) -> set[int]:
    """The tokens `?` and `:` of conditional expressions; other colons stand before types."""
    if "?" not in kinds:
        return set()
    found: set[int] = set()
    choices, binders = [0], [0]  # for each open bracket: how many await their `:` or `::`
    for at, kind in enumerate(kinds):
        if kind in _OPENING:
            choices.append(0)
            binders.append(0)
        elif kind in _CLOSING and len(choices) > 1:
            choices.pop()
            binders.pop()
        elif kind in _BINDERS:
            binders[-1] += 1
        elif kind == "::":
            binders[-1] -= 1
        elif kind == "?":
            choices[-1] += 1
            found.add(at)
        elif kind == ":" and choices[-1] and binders[-1] <= 0:
            choices[-1] -= 1
            found.add(at)
    return found
