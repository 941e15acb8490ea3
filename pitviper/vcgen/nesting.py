"""Instances of predicates inside each other."""

from __future__ import annotations

from pitviper.encoding.symbols import Symbols
from pitviper.terms.term import Term


def nesting_axioms(symbols: Symbols) -> tuple[Term, ...]:
    return ()
