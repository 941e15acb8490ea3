"""Triggers chosen among terms, where the source has none that the solver could match.

The source may hide them: behind `let`, `unfolding` or a choice that turned out to be decided.
"""

from __future__ import annotations

from collections.abc import Sequence

from pitviper.encoding.triggers.patterns import Pattern, is_matchable
from pitviper.terms.substitute import subterms
from pitviper.terms.term import App, Quantified, Term, Var

MAX_PATTERNS = 6


def term_triggers(variables: Sequence[Var], terms: Sequence[Term]) -> tuple[Pattern, ...]:
    """Smallest terms inside the given ones that mention all variables; if there are none, as many
    terms together as it takes."""
    inner = {v for t in subterms(*terms) if isinstance(t, Quantified) for v in t.variables}
    candidates = [
        t for t in subterms(*terms) if _mentions(t, variables, inner) and is_matchable((t,))
    ]
    wanted = set(variables)
    single = [t for t in candidates if wanted <= set(t.free)]
    if single:
        return tuple([(t,) for t in _smallest(single)[:MAX_PATTERNS]])
    chosen: list[Term] = []
    covered: set[Var] = set()
    for term in reversed(candidates):
        if not wanted & set(term.free) <= covered:
            chosen.append(term)
            covered |= set(term.free)
    return (tuple(chosen),) if chosen and wanted <= covered else ()


def _mentions(term: Term, variables: Sequence[Var], inner: set[Var]) -> bool:
    return (
        isinstance(term, App)
        and any(v in term.free for v in variables)
        and inner.isdisjoint(term.free)
    )


def _smallest(terms: list[Term]) -> list[Term]:
    """Without those that have another one inside."""
    return [t for t in terms if not any(s is not t and s in set(subterms(t)) for s in terms)]
