"""Which axioms may make new terms for ever, so that nobody knows when all of them were used.

A quantifier is used for terms that match a trigger, and its body brings new terms, which may match
again. `P(i) ==> P(i + 1)` never ends: that a solver has found no contradiction says little about
`P(50)` then. `first(loc(a, i)) == a` ends after one step.
"""

from __future__ import annotations

from collections.abc import Iterable

from pitviper.terms.substitute import subterms
from pitviper.terms.symbol import Function
from pitviper.terms.term import App, Quantified, Term

Steps = dict[str, dict[str, None]]
"""From the symbol of a term to those of the terms that it makes appear."""


def endless_symbols(axioms: Iterable[Term]) -> frozenset[str]:
    """Functions whose values may depend on a chain of axioms that has no end."""
    steps: Steps = {}
    for axiom in axioms:
        for term in subterms(axiom):
            if isinstance(term, Quantified):
                _add(term, steps)
    reached = {name: _reached(name, steps) for name in steps}
    cyclic = {name for name, behind in reached.items() if name in behind}
    return frozenset([n for n, behind in reached.items() if n in cyclic or cyclic & behind])


def _add(quantifier: Quantified, steps: Steps) -> None:
    """Where no trigger is written, each application may be the one that the solver takes."""
    bodies = [t for t in subterms(quantifier.body) if _is_open(t, quantifier)]
    for group in quantifier.triggers or tuple([(one,) for one in bodies]):
        matched = [t for t in subterms(*group) if _is_open(t, quantifier)]
        made = [_name(t) for t in bodies if t not in matched]
        for term in group:
            if _is_open(term, quantifier):
                steps.setdefault(_name(term), {}).update(dict.fromkeys(made))


def _is_open(term: Term, quantifier: Quantified) -> bool:
    """Whether a term is an application of a function to something with a bound variable."""
    if not isinstance(term, App) or not isinstance(term.symbol, Function):
        return False
    is_own = not term.symbol.name.startswith("%")
    return is_own and any(v in quantifier.variables for v in term.free)


def _name(term: Term) -> str:
    assert isinstance(term, App)
    return term.symbol.name


def _reached(start: str, steps: Steps) -> set[str]:
    found: set[str] = set()
    todo = list(steps.get(start, ()))
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += steps.get(name, ())
    return found
