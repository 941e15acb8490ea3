"""Locations that were looked at: what triggers such as `x.f` and `P(x)` match.

NOTE(touch). `location_trigger(index)` is true for every index; what matters is that the term
occurs. It is assumed wherever the program reads, takes, adds or asks for a location of a kind that
occurs in a trigger of the member. It does not mention a heap: a quantifier about one heap also
fires for locations that were looked at in another one, which is harmless, and survives every
update.
"""

from __future__ import annotations

from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.heap.entry import Index, Kind
from pitviper.engines.vcg.ivl.language import Assume
from pitviper.terms import build as tb
from pitviper.terms.sort import BOOL
from pitviper.terms.symbol import Function, function
from pitviper.terms.term import App, Term

_LOCATION = "touched "
_VALUE = "mentioned "


def location_trigger(kind: Kind, index: Index) -> Term:
    return tb.apply(function(f"{_LOCATION}{kind.what.value} {kind.name}", kind.index, BOOL), *index)


def note_location(kind: Kind, index: Index, cx: Context) -> None:
    """Looking at a location; said without any guard, as it is true anyway."""
    if index and kind in cx.services.triggered:
        cx.services.emitter.emit(Assume(location_trigger(kind, index), origin="touch"))


def mention(term: Term, cx: Context) -> None:
    """Make a value known to the solver, where triggers find it."""
    if term.args:
        cx.services.emitter.emit(Assume(mentioned(term), origin="mention"))


def mentioned(term: Term) -> Term:
    """Says nothing about a value but that it occurs."""
    return tb.apply(function(f"{_VALUE}{term.sort}", (term.sort,), BOOL), term)


def is_location_trigger(fact: Term) -> bool:
    return _has_prefix(fact, (_LOCATION,))


def is_hint(fact: Term) -> bool:
    """Whether a fact is there only to be mentioned."""
    return _has_prefix(fact, (_LOCATION, _VALUE))


def _has_prefix(fact: Term, prefixes: tuple[str, ...]) -> bool:
    return (
        isinstance(fact, App)
        and isinstance(fact.symbol, Function)
        and fact.symbol.name.startswith(prefixes)
    )
