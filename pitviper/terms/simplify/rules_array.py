"""Simplification rules of arrays: reads see through writes whose indices are known."""

from __future__ import annotations

from typing import Final

from pitviper.terms.normal import Rule, make
from pitviper.terms.operators import EQUAL, SELECT, STORE
from pitviper.terms.symbol import Args, Operator
from pitviper.terms.term import FALSE, App, Term, application


def select_stored(array: Term, *index: Term) -> Term | None:
    """The value written at this index last; writes at other indices are passed by."""
    start = array
    while isinstance(array, App) and array.symbol is STORE:
        written = array.args[1:-1]
        if written == index:
            return array.args[-1]
        if not _differ(written, index):
            break
        array = array.args[0]
    if array is start:
        return None
    return application(SELECT, (array, *index))


def store_again(array: Term, *rest: Term) -> Term | None:
    """Of two writes in a row at one index only the second counts."""
    if isinstance(array, App) and array.symbol is STORE and array.args[1:-1] == rest[:-1]:
        return make(STORE, (array.args[0], *rest))
    return None


def store_same(array: Term, *rest: Term) -> Term | None:
    """A write of what is there already."""
    value = rest[-1]
    if isinstance(value, App) and value.symbol is SELECT and value.args == (array, *rest[:-1]):
        return array
    return None


def _differ(first: Args, second: Args) -> bool:
    """Whether some component differs for syntactic reasons: literals, constructors."""
    return any(make(EQUAL, pair) is FALSE for pair in zip(first, second, strict=True))


ARRAY_RULES: Final[dict[Operator, tuple[Rule, ...]]] = {
    SELECT: (select_stored,),
    STORE: (store_again, store_same),
}
