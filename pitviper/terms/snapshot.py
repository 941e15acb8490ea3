"""Snapshots: the data type of heap values, with wrappers for the sorts at its leaves."""

from __future__ import annotations

from typing import Final

from pitviper.terms.normal import make
from pitviper.terms.sort import Constructor, Sort, datatype
from pitviper.terms.symbol import Function, FunctionKind, constructor, function, selector
from pitviper.terms.term import App, Term, application

SNAP: Final = datatype(
    "Snap",
    Constructor("Snap.unit"),
    Constructor("Snap.pair", (("Snap.first", None), ("Snap.second", None))),
)
PAIR: Final = constructor(SNAP, "Snap.pair")
FIRST: Final = selector(SNAP, "Snap.first")
SECOND: Final = selector(SNAP, "Snap.second")
UNIT: Final = application(constructor(SNAP, "Snap.unit"), ())

MAX_PATH: Final = 30
"""Selectors applied one after the other that still count as a path."""


def pair(a: Term, b: Term) -> Term:
    return make(PAIR, (a, b))


def first(snap: Term) -> Term:
    return make(FIRST, (snap,))


def second(snap: Term) -> Term:
    return make(SECOND, (snap,))


def wrapper(sort: Sort) -> Function:
    """in_S, from a leaf sort into snapshots."""
    return function(f"in<{sort}>", (sort,), SNAP)


def unwrapper(sort: Sort) -> Function:
    """out_S, with out_S(in_S(x)) = x."""
    return function(f"out<{sort}>", (SNAP,), sort, undoes=wrapper(sort))


def wrap(term: Term) -> Term:
    return term if term.sort is SNAP else make(wrapper(term.sort), (term,))


def unwrap(snap: Term, sort: Sort) -> Term:
    return snap if sort is SNAP else make(unwrapper(sort), (snap,))


def is_path(term: Term) -> bool:
    """Whether a term is a symbol or a literal, or is read from one by selectors alone."""
    for _ in range(MAX_PATH):
        if not term.args:
            return True
        if len(term.args) > 1 or not isinstance(term, App):
            return False
        symbol = term.symbol
        if not isinstance(symbol, Function) or (
            symbol.kind is not FunctionKind.SELECTOR and symbol.undoes is None
        ):
            return False
        term = term.args[0]
    return False


def wrap_leaf(term: Term) -> Term:
    """Like `wrap`, but in_S(out_S(s)) is s: only where that equation was assumed for s."""
    if isinstance(term, App) and term.symbol is unwrapper(term.sort):
        return term.args[0]
    return wrap(term)


def combined(snaps: tuple[Term, ...]) -> Term:
    """The snapshot of a sequence of conjuncts: pairs nested to the right."""
    if not snaps:
        return UNIT
    result = snaps[-1]
    for snap in snaps[-2::-1]:
        result = pair(snap, result)
    return result
