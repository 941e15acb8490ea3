"""Smart constructors: the way everybody outside this package builds terms.

They check sorts at once, so that an error points at the rule that made it, then simplify.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final

from pitviper.terms import operators as op
from pitviper.terms.normal import is_unsimplified, make, unsimplified
from pitviper.terms.simplify import table as table  # installs the rules
from pitviper.terms.sort import BOOL, INT, REAL, Sort, SortError
from pitviper.terms.symbol import Function, Symbol, function
from pitviper.terms.term import (
    FALSE,
    TRUE,
    App,
    Binder,
    Literal,
    Quantified,
    Term,
    Triggers,
    Var,
    application,
    literal,
    quantifier,
    variable,
)

NONE: Final = literal(Fraction(0), REAL)
WRITE: Final = literal(Fraction(1), REAL)


def integer(value: int) -> Literal:
    return literal(value, INT)


def rational(value: Fraction | int, denominator: int = 1) -> Literal:
    return literal(Fraction(value, denominator), REAL)


def truth(*, holds: bool) -> Literal:
    return TRUE if holds else FALSE


def constant(name: str, sort: Sort) -> App:
    return application(function(name, (), sort), ())


def apply(symbol: Symbol, *args: Term) -> Term:
    return make(symbol, args)


def hint(symbol: Symbol, *args: Term) -> App:
    """An application that stays as it is, however trivial: see `normal.unsimplified`."""
    return unsimplified(symbol, args)


def mention(term: Term) -> Term:
    """The fact `term == term`, which is true, but makes the term known to the solver."""
    return unsimplified(op.EQUAL, (term, term))


def negate(a: Term) -> Term:
    return make(op.NOT, (a,))


def conjoin(*args: Term) -> Term:
    return make(op.AND, args)


def disjoin(*args: Term) -> Term:
    return make(op.OR, args)


def implies(a: Term, b: Term) -> Term:
    return make(op.IMPLIES, (a, b))


def iff(a: Term, b: Term) -> Term:
    if a.sort is not BOOL:
        raise SortError(f"equivalence of terms of sort {a.sort}")
    return make(op.EQUAL, (a, b))


def equal(a: Term, b: Term) -> Term:
    return make(op.EQUAL, (a, b))


def differ(a: Term, b: Term) -> Term:
    return make(op.NOT, (make(op.EQUAL, (a, b)),))


def distinct(*args: Term) -> Term:
    return make(op.DISTINCT, args) if args else TRUE


def ite(condition: Term, then: Term, other: Term) -> Term:
    return make(op.ITE, (condition, then, other))


def plus(a: Term, b: Term) -> Term:
    return make(op.PLUS, (a, b))


def total(amounts: Iterable[Term]) -> Term:
    """The sum of permission amounts; none is NONE."""
    result: Term = NONE
    for amount in amounts:
        result = make(op.PLUS, (result, amount))
    return result


def minus(a: Term, b: Term) -> Term:
    return make(op.MINUS, (a, b))


def opposite(a: Term) -> Term:
    """Zero minus a number."""
    return make(op.MINUS, (literal(0, INT) if a.sort is INT else NONE, a))


def times(a: Term, b: Term) -> Term:
    return make(op.TIMES, (a, b))


def divide(a: Term, b: Term) -> Term:
    """Division of rational numbers; by zero, any value."""
    return make(op.DIVIDE, (a, b))


def div(a: Term, b: Term) -> Term:
    """Euclidean division of integers; by zero, any value."""
    return make(op.DIV, (a, b))


def mod(a: Term, b: Term) -> Term:
    """Remainder of the Euclidean division; by zero, any value."""
    return make(op.MOD, (a, b))


def less(a: Term, b: Term) -> Term:
    return make(op.LESS, (a, b))


def at_most(a: Term, b: Term) -> Term:
    return make(op.AT_MOST, (a, b))


def greater(a: Term, b: Term) -> Term:
    return make(op.LESS, (b, a))


def at_least(a: Term, b: Term) -> Term:
    return make(op.AT_MOST, (b, a))


def minimum(a: Term, b: Term) -> Term:
    return make(op.ITE, (make(op.AT_MOST, (a, b)), a, b))


def to_real(a: Term) -> Term:
    return make(op.TO_REAL, (a,))


def select(array: Term, *index: Term) -> Term:
    """What a map has at an index."""
    return make(op.SELECT, (array, *index))


def store(array: Term, *rest: Term) -> Term:
    """The map with another value at an index: the indices, then the value."""
    return make(op.STORE, (array, *rest))


def forall(
    variables: Sequence[Var],
    body: Term,
    triggers: Triggers = (),
    name: str = "",
    weight: int | None = None,
) -> Term:
    """For all values of the variables; without triggers the solver guesses its own."""
    return _quantify((Binder.FORALL, tuple(variables), body, triggers, name, weight))


def exists(
    variables: Sequence[Var],
    body: Term,
    triggers: Triggers = (),
    name: str = "",
    weight: int | None = None,
) -> Term:
    return _quantify((Binder.EXISTS, tuple(variables), body, triggers, name, weight))


def _quantify(key: tuple[Binder, tuple[Var, ...], Term, Triggers, str, int | None]) -> Term:
    """Every sort has a value, so a variable that does not occur needs no quantifier."""
    binder, variables, body, triggers, name, weight = key
    if isinstance(body, Literal):
        return body
    used = {v for term in (body, *(t for group in triggers for t in group)) for v in term.free}
    bound = tuple(v for v in variables if v in used)
    return quantifier((binder, bound, body, triggers, name, weight)) if bound else body


def rebuild(term: Term, args: tuple[Term, ...]) -> Term:
    """The same term around other arguments (`term.args` replaced), simplified again."""
    match term:
        case App() if is_unsimplified(term):
            return unsimplified(term.symbol, args)
        case App():
            return make(term.symbol, args)
        case Quantified():
            return requantify(term, term.variables, args)
        case _:
            return term


def requantify(term: Quantified, variables: tuple[Var, ...], args: tuple[Term, ...]) -> Term:
    """The same quantifier around another body with its triggers, given like `term.args`."""
    triggers: list[tuple[Term, ...]] = []
    position = 1
    for group in term.triggers:
        triggers.append(args[position : position + len(group)])
        position += len(group)
    return _quantify((term.binder, variables, args[0], tuple(triggers), term.name, term.weight))


__all__ = [
    "FALSE", "NONE", "TRUE", "WRITE", "Function", "apply", "at_least", "at_most", "conjoin",
    "constant", "differ", "disjoin", "distinct", "div", "divide", "equal", "exists", "forall",
    "function", "greater", "hint", "iff", "implies", "integer", "ite", "less", "mention",
    "minimum", "minus", "mod", "negate", "opposite", "plus", "rational", "rebuild", "requantify",
    "select", "store", "times", "to_real", "total", "truth", "variable",
]  # fmt: skip
