"""Which terms the solver can match as triggers."""

from __future__ import annotations

from pitviper.terms import operators as op
from pitviper.terms.symbol import FunctionKind, Operator
from pitviper.terms.term import App, Quantified, Term

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
