"""Names that are nearly the same: what somebody meant who wrote one that is not there."""

from __future__ import annotations

from collections.abc import Iterable

ENOUGH = 0.7
"""How much of two names is the same, of one, where one stands for the other."""


def nearest(name: str, known: Iterable[str], enough: float = ENOUGH) -> str | None:
    """The known name that is most like a name; one with other capitals is the same."""
    from difflib import get_close_matches  # only where something is wrong

    names = list(known)
    alike = [each for each in names if each.casefold() == name.casefold()]
    close = alike or get_close_matches(name, names, n=1, cutoff=enough)
    return close[0] if close else None
