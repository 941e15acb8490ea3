"""Values of which an `exists` may be true, where no trigger lets the solver find one.

NOTE(named). `exists x :: x == y + 1 && x > y` has nothing to match, since it applies no function:
the solver would have to guess. So a few instances of the body stand beside the quantifier, for
values at the borders that the body itself sets: `B(y + 1) || exists x :: B(x)`. Each instance
implies the quantifier, so both formulas say the same, whatever values are chosen and wherever the
formula stands. A body that speaks of nothing but its variables is computed for small numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product

from pitviper.terms import build as tb
from pitviper.terms import operators as op
from pitviper.terms.sort import BOOL, INT, REAL
from pitviper.terms.substitute import substitute, subterms
from pitviper.terms.symbol import Operator
from pitviper.terms.term import App, Literal, Term, Var

MOST = 6
"""Instances beside a quantifier."""

MOST_COMPUTED = 201
"""Instances of a closed body that are computed."""


def instances(variables: Sequence[Var], body: Term) -> tuple[Term, ...]:
    """Instances of the body, or the true one alone."""
    if _is_closed(variables, body) and all(v.sort is INT for v in variables):
        return _computed(variables, body)
    found = list(islice(_solved(tuple(variables), body), MOST))
    return tuple(dict.fromkeys([term for term in found if term is not tb.FALSE]))


def _is_closed(variables: Sequence[Var], body: Term) -> bool:
    """Whether a body speaks of nothing but its variables and numbers."""
    known = {*variables}
    return all(
        isinstance(term.symbol, Operator) if isinstance(term, App) else term in known
        for term in subterms(body)
        if not isinstance(term, Literal)
    )


def _computed(variables: Sequence[Var], body: Term) -> tuple[Term, ...]:
    """True where small numbers make it so; the body has no other unknowns."""
    most = int(MOST_COMPUTED ** (1 / len(variables))) // 2
    near = [tb.integer(n) for n in sorted(range(-most, most + 1), key=abs)]
    for values in product(near, repeat=len(variables)):
        if substitute(body, dict(zip(variables, values, strict=True))) is tb.TRUE:
            return (tb.TRUE,)
    return ()


def _solved(variables: tuple[Var, ...], body: Term) -> Iterator[Term]:
    """The body for values of all variables, one variable after the other."""
    if not variables:
        yield body
        return
    variable, rest = variables[0], variables[1:]
    for value in dict.fromkeys(_values(variable, rest, body)):
        yield from _solved(rest, substitute(body, {variable: value}))


def _values(variable: Var, others: tuple[Var, ...], body: Term) -> Iterator[Term]:
    """Where comparisons of a body put a variable, as far as the others have no say in it."""
    if variable.sort is BOOL:
        yield from (tb.TRUE, tb.FALSE)
        return
    below, above = list[Term](), list[Term]()
    for part in _parts(body):
        if set(part.free) & set(others):
            continue
        if part.symbol is op.EQUAL:
            yield from _at(variable, part, 0)
        elif part.symbol in (op.LESS, op.AT_MOST) and part.args[0].sort is variable.sort:
            strict = part.symbol is op.LESS and variable.sort is INT
            border = list(_at(variable, part, -1 if strict else 0))
            (above if _times(_difference(part), variable) < 0 else below).extend(border)
    if variable.sort is REAL:
        for low, high in product(above, below):
            yield tb.divide(tb.plus(low, high), tb.rational(2))
    yield from (*above, *below)
    if others and variable.sort is INT:
        yield tb.integer(0)


def _parts(body: Term) -> Iterator[App]:
    """What a body joins by `and` and `or`."""
    if isinstance(body, App) and body.symbol in (op.AND, op.OR):
        for part in body.args:
            yield from _parts(part)
    elif isinstance(body, App):
        yield body


def _difference(part: App) -> Term:
    return tb.minus(part.args[0], part.args[1])


def _at(variable: Var, part: App, distance: int) -> Iterator[Term]:
    """The value of the variable for which the left side is the right one and a distance."""
    left, right = part.args
    if left.sort not in (INT, REAL):
        if variable in part.args:
            other = right if left is variable else left
            if variable not in other.free:
                yield other
        return
    if left.sort is not variable.sort:
        return
    total = _difference(part)
    times = _times(total, variable)
    if times == 0:
        return
    zero = tb.integer(0) if variable.sort is INT else tb.NONE
    rest = substitute(total, {variable: zero})
    aim = tb.integer(distance) if variable.sort is INT else tb.rational(distance)
    value = tb.minus(aim, rest) if times > 0 else tb.minus(rest, aim)
    if abs(times) == 1:
        yield value
    elif variable.sort is INT:
        yield tb.div(value, tb.integer(abs(times)))


def _times(term: Term, variable: Var) -> int:
    """How often a sum has a variable; 0 as well where the sum is not linear in it."""
    found = _linear(term, variable)
    return 0 if found is None else found


def _linear(term: Term, variable: Var) -> int | None:
    if term is variable:
        return 1
    if variable not in term.free:
        return 0
    if not isinstance(term, App) or len(term.args) != 2:
        return None
    left, right = term.args
    if term.symbol is op.TIMES:
        number, factor = (left, right) if isinstance(left, Literal) else (right, left)
        if not isinstance(number, Literal) or not isinstance(number.value, int):
            return None
        inner = _linear(factor, variable)
        return None if inner is None else number.value * inner
    first, second = _linear(left, variable), _linear(right, variable)
    if first is None or second is None or term.symbol not in (op.PLUS, op.MINUS):
        return None
    return first + second if term.symbol is op.PLUS else first - second
