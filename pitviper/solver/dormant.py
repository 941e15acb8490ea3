"""Axioms that sleep until the symbols of one of their triggers are in use.

NOTE(dormant). Quantifiers are instantiated by triggers only. As long as no term was asserted that
has all symbols of a trigger, the quantifier cannot do anything but cost time: most members of a
program need few of its axioms. Symbols that the solver may bring in by itself (operators, parts of
data types, its own functions) count as in use from the start, so an axiom wakes at the latest when
it could fire. Its own symbols are in use from then on, and may wake others.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias
from weakref import WeakKeyDictionary

from pitviper.terms.symbol import Function, FunctionKind
from pitviper.terms.term import App, Binder, Quantified, Term

Symbols: TypeAlias = tuple[Function, ...]

_of_triggers: WeakKeyDictionary[Quantified, tuple[Symbols, ...]] = WeakKeyDictionary()
"""Members of one program declare the same axioms: their triggers are searched once."""


class Dormant:
    """The axioms that sleep; each waits for one symbol of every trigger that it has."""

    def __init__(self) -> None:
        self._used: set[Function] = set()
        self._waiting: dict[Function, list[tuple[Quantified, Symbols]]] = {}
        self._awake: set[Quantified] = set()

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def puts_to_sleep(self, axiom: Term) -> bool:
        """Whether the axiom cannot fire yet; it then comes out of `wake` when it can."""
        if not isinstance(axiom, Quantified) or axiom.binder is not Binder.FORALL:
            return False
        triggers = _needed(axiom)
        missing = [self._missing(symbols) for symbols in triggers]
        if None in missing or not triggers:
            return False
        for symbols, symbol in zip(triggers, missing, strict=True):
            if symbol is not None:
                self._waiting.setdefault(symbol, []).append((axiom, symbols))
        return True

    def wake(self, symbols: Iterable[Function]) -> list[Term]:
        """The axioms that can fire now that these symbols are in use, each once."""
        woken: list[Term] = []
        for symbol in symbols:
            self._used.add(symbol)
            for axiom, needed in self._waiting.pop(symbol, ()):
                if axiom in self._awake:
                    continue
                other = self._missing(needed)
                if other is None:
                    self._awake.add(axiom)
                    woken.append(axiom)
                else:
                    self._waiting.setdefault(other, []).append((axiom, needed))
        return woken

    def _missing(self, symbols: Symbols) -> Function | None:
        for symbol in symbols:
            if symbol not in self._used:
                return symbol
        return None


def _needed(axiom: Quantified) -> tuple[Symbols, ...]:
    """For each trigger the symbols without which it matches nothing."""
    found = _of_triggers.get(axiom)
    if found is None:
        found = _of_triggers[axiom] = tuple([_uninterpreted(group) for group in axiom.triggers])
    return found


def _uninterpreted(terms: tuple[Term, ...]) -> Symbols:
    found: dict[Function, None] = {}
    stack = list(terms)
    while stack:
        term = stack.pop()
        stack += term.args
        symbol = term.symbol if isinstance(term, App) else None
        if isinstance(symbol, Function) and symbol.kind is FunctionKind.DECLARED:
            found[symbol] = None
    return tuple(found)
