"""Applications in triggers: the form in which they occur most often."""

from __future__ import annotations

from pitviper.encoding.symbols import Symbols
from pitviper.program import expr as pe
from pitviper.program.node import Node
from pitviper.program.walk import descendants
from pitviper.terms.substitute import with_symbols
from pitviper.terms.term import Term


def in_limited_form(term: Term, written: Node, symbols: Symbols) -> Term:
    """The term of a trigger with all functions in their limited form, at any depth.

    A definition applies functions in that form, and where a function stands in its full form the
    limited one is equal to it: so `k in keys(x)` matches what the definition of `keys` says of `k`.
    """
    names = {n.function: None for n in descendants(written) if isinstance(n, pe.FunctionApp)}
    known = [symbols.function(name) for name in names]
    return with_symbols(term, {each.full: each.limited for each in known}) if known else term
