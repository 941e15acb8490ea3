"""Names as they are written: a number that only keeps equal names apart is left out.

Macros bring along variables of their own, and blocks beside each other may declare one name twice:
the typed program has `n`, `n$0` and `n$1` there. Where nothing else of that name is around, the
number says nothing to a reader. Where something is, it stays: two variables never look like one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_NAME = re.compile(r"(?<![\w$'.@#])[A-Za-z_$][\w$']*")
_NUMBERED = re.compile(r"(.+)\$[0-9]+")
_BOUND = re.compile(r"(?<![\w$'.@#])([A-Za-z_$][\w$']*)(?=: )|(?<=\blet )([A-Za-z_$][\w$']*)")
"""A name that a quantifier or `let` of the text declares; `c ? a : b` has a blank before `:`."""


def as_written(text: str, source: str) -> str:
    """Returns a text of its own; `source` is where names that somebody wrote so stand.

    >>> as_written("forall n$3: Ref :: (n$3 in nodes) ==> n$3 != null", "...")
    'forall n: Ref :: (n in nodes) ==> n != null'
    >>> as_written("k$1 == k + 1", "...")
    'k$1 == k + 1'
    """
    return text if "$" not in text else Written([text], source).text(text)


def bound_as_written(text: str, source: str) -> str:
    """Returns a text in which only variables of quantifiers have lost a number: it means the same.

    >>> bound_as_written("(forall n$3: Ref :: (n$3 in nodes@0) ==> n$3 != k$1@2)", "...")
    '(forall n: Ref :: (n in nodes@0) ==> n != k$1@2)'
    """
    return text if "$" not in text else Written([], source).text(text)


class Written:
    """The names of texts that are read together."""

    def __init__(self, texts: Iterable[str], source: str) -> None:
        self._source = source
        free: dict[str, set[str]] = {}
        mixed: set[str] = set()
        for text in texts:
            names, bound = _names(text), _bound(text)
            for name in names - bound:
                free.setdefault(without_number(name), set()).add(name)
                if _others(name, names):
                    mixed.add(name)
        alone = [name for names in free.values() if len(names) == 1 for name in names]
        self._free = {
            n: without_number(n) for n in alone if n not in mixed and not self._is_written(n)
        }

    def _is_written(self, name: str) -> bool:
        """Whether a name has no number of ours."""
        whole = rf"(?<![\w$']){re.escape(name)}(?![\w$'])"
        return without_number(name) == name or re.search(whole, self._source) is not None

    def text(self, text: str, around: str | None = None) -> str:
        """Returns a text; `around` is the whole that it is a part of."""
        if "$" not in text:
            return text
        shorter = self._shorter(text if around is None else around)
        return _NAME.sub(lambda name: shorter.get(name[0], name[0]), text)

    def _shorter(self, text: str) -> dict[str, str]:
        names, bound = _names(text), _bound(text)
        found = {name: self._free[name] for name in names - bound if name in self._free}
        for name in bound:
            if not _others(name, names) and not self._is_written(name):
                found[name] = without_number(name)
        return found


def without_number(name: str) -> str:
    """Returns `n` for `n$3`."""
    found = _NUMBERED.fullmatch(name)
    return name if found is None else found[1]


def _names(text: str) -> set[str]:
    return set(_NAME.findall(text))


def _bound(text: str) -> set[str]:
    return {first or second for first, second in _BOUND.findall(text)}


def _others(name: str, names: set[str]) -> bool:
    """Whether another one of the names differs from this one in its number only."""
    return any(other != name and without_number(other) == without_number(name) for other in names)
