"""Which terms the solver can match as triggers."""

from __future__ import annotations

from collections.abc import Sequence

from pitviper.terms import operators as op
from pitviper.terms.substitute import subterms
from pitviper.terms.symbol import FunctionKind, Operator
from pitviper.terms.term import App, Quantified, Term, Var

Pattern = tuple[Term, ...]

_INNER = (op.PLUS, op.MINUS, op.TIMES, op.DIVIDE, op.DIV, op.MOD, op.TO_REAL, op.SELECT)
"""Operators that may stand inside a pattern, though not at its head."""


def is_matchable(pattern: Pattern) -> bool:
    """Whether all terms are applications of declared symbols, without logic anywhere inside."""
    return all(_is_head(term) and not obstacles(term) for term in pattern)


def obstacles(term: Term) -> tuple[Term, ...]:
    """The outermost parts of a term that no trigger may have: connectives, choices, comparisons."""
    found: dict[Term, None] = {}
    todo = [term]
    while todo:
        part = todo.pop()
        if _is_obstacle(part):
            found[part] = None
        else:
            todo.extend(part.args)
    return tuple(found)


def _is_obstacle(term: Term) -> bool:
    match term:
        case App(symbol=symbol):
            return isinstance(symbol, Operator) and symbol not in _INNER
        case Quantified():
            return True
        case _:
            return False


def _is_head(term: Term) -> bool:
    """What a match starts from: not an operation that the solver gives a meaning."""
    return (
        isinstance(term, App)
        and not isinstance(term.symbol, Operator)
        and term.symbol.kind is not FunctionKind.TEXT
    )


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
