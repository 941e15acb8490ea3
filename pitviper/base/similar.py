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


MOST = 10
"""Names that are listed where none is alike."""


def there_are(known: Iterable[str]) -> str:
    """What to say behind a message that there is no such name; nothing if there is none at all."""
    names = list(known)
    more = f" and {len(names) - MOST} more" if len(names) > MOST else ""
    is_one = "is" if len(names) == 1 else "are"
    return f": there {is_one} {', '.join(names[:MOST])}{more}" if names else ""
