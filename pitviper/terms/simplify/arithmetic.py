"""Simplification rules of numbers: integers, permission amounts, comparisons.

Every rule looks at its arguments and at most one level below them, so building a term takes the
same time however deep it is.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from pitviper.terms import operators as op
from pitviper.terms.normal import Rule, make
from pitviper.terms.simplify.logic import decide_per_arm
from pitviper.terms.sort import INT, REAL, Sort
from pitviper.terms.symbol import Operator
from pitviper.terms.term import FALSE, TRUE, App, Literal, Term, Value, literal


def number(value: Value, sort: Sort) -> Literal:
    """The literal of a numeric sort for a value computed from other literals."""
    return literal(int(value) if sort is INT else Fraction(value), sort)


def _is_zero(term: Term) -> bool:
    return isinstance(term, Literal) and term.value == 0


def _is_one(term: Term) -> bool:
    return isinstance(term, Literal) and term.value == 1


def _offset(term: Term) -> tuple[Term | None, Value]:
    """A term as base plus literal; the base of a literal is None."""
    if isinstance(term, Literal):
        return None, term.value
    if isinstance(term, App) and (term.symbol is op.PLUS or term.symbol is op.MINUS):
        base, shift = term.args
        if isinstance(shift, Literal):
            return base, shift.value if term.symbol is op.PLUS else -shift.value
    return term, 0


def _shifted(base: Term, shift: Value) -> Term:
    if shift == 0:
        return base
    operator, amount = (op.PLUS, shift) if shift > 0 else (op.MINUS, -shift)
    return make(operator, (base, number(amount, base.sort)))


def plus_literals(a: Term, b: Term) -> Term | None:
    """Two literals; a + 0; a literal stands on the right, once: (a + 1) + 2 is a + 3."""
    if isinstance(a, Literal):
        if isinstance(b, Literal):
            return number(a.value + b.value, a.sort)
        return b if a.value == 0 else make(op.PLUS, (b, a))
    if isinstance(b, Literal):
        base, shift = _offset(a)
        if base is not None and (base is not a or b.value <= 0):
            return _shifted(base, shift + b.value)
    return None


def plus_cancel(a: Term, b: Term) -> Term | None:
    """(a - b) + b and b + (a - b) are a."""
    if isinstance(a, App) and a.symbol is op.MINUS and a.args[1] is b:
        return a.args[0]
    if isinstance(b, App) and b.symbol is op.MINUS and b.args[1] is a:
        return b.args[0]
    return None


def minus_literals(a: Term, b: Term) -> Term | None:
    """Two literals; a - 0; (a + 3) - 2 is a + 1."""
    if isinstance(b, Literal):
        base, shift = _offset(a)
        if base is None:
            return number(shift - b.value, a.sort)
        if base is not a or b.value <= 0:
            return _shifted(base, shift - b.value)
    return None


def minus_cancel(a: Term, b: Term) -> Term | None:
    """a - a; (a + b) - b; (a + b) - a; a - (a - b); (a - b) - a stays."""
    if a is b:
        return number(0, a.sort)
    if isinstance(a, App) and a.symbol is op.PLUS:
        if a.args[1] is b:
            return a.args[0]
        if a.args[0] is b:
            return a.args[1]
    if isinstance(b, App) and b.symbol is op.MINUS and b.args[0] is a:
        return b.args[1]
    return None


def minus_choice(a: Term, b: Term) -> Term | None:
    """a - (c ? a : 0) is c ? 0 : a, the amount left when all or nothing is taken."""
    if isinstance(b, App) and b.symbol is op.ITE:
        condition, then, other = b.args
        if then is a and _is_zero(other):
            return make(op.ITE, (condition, other, a))
        if other is a and _is_zero(then):
            return make(op.ITE, (condition, a, then))
    return None


def plus_parallel(a: Term, b: Term) -> Term | None:
    """(c ? a : b) + (c ? x : y) is c ? a + x : b + y."""
    return _parallel(op.PLUS, a, b)


def minus_parallel(a: Term, b: Term) -> Term | None:
    """(c ? a : b) - (c ? x : y) is c ? a - x : b - y."""
    return _parallel(op.MINUS, a, b)


def _parallel(operator: Operator, a: Term, b: Term) -> Term | None:
    if isinstance(a, App) and isinstance(b, App) and a.symbol is b.symbol is op.ITE:
        condition, then, other = a.args
        if b.args[0] is condition:
            arms = make(operator, (then, b.args[1])), make(operator, (other, b.args[2]))
            return make(op.ITE, (condition, *arms))
    return None


def choice_shifted(condition: Term, then: Term, other: Term) -> Term | None:
    """c ? x + 1 : x + 2 is x + (c ? 1 : 2), so that a sum over many branches stays a sum."""
    if then.sort is not INT or (isinstance(then, Literal) and isinstance(other, Literal)):
        return None
    for base, shift in _addends(then):
        for base_b, shift_b in _addends(other):
            if base is base_b and not isinstance(base, Literal):
                return make(op.PLUS, (base, make(op.ITE, (condition, shift, shift_b))))
    return None


def _addends(term: Term) -> list[tuple[Term, Term]]:
    """The ways in which a term is one thing and something added to it."""
    found: list[tuple[Term, Term]] = [(term, number(0, term.sort))]
    if isinstance(term, App) and term.symbol is op.PLUS:
        a, b = term.args
        found += [(a, b), (b, a)]
    elif isinstance(term, App) and term.symbol is op.MINUS:
        a, b = term.args
        found.append((a, make(op.MINUS, (number(0, INT), b))))
    return found


def times_literals(a: Term, b: Term) -> Term | None:
    """Two literals; a * 0; a * 1; a literal stands on the left, once: 2 * (3 * a) is 6 * a."""
    if isinstance(a, Literal) and isinstance(b, Literal):
        return _product(a, b)
    if isinstance(b, Literal):
        return make(op.TIMES, (b, a))
    if isinstance(a, Literal):
        if a.value == 0:
            return a
        if a.value == 1:
            return b
        if isinstance(b, App) and b.symbol is op.TIMES and isinstance(b.args[0], Literal):
            factor = _product(a, b.args[0])
            return None if factor is None else make(op.TIMES, (factor, b.args[1]))
    return None


def _product(a: Literal, b: Literal) -> Literal | None:
    """Squaring again and again doubles the number of digits each time: not beyond a limit."""
    value = a.value * b.value
    small = abs(value.numerator) < _HUGE and value.denominator < _HUGE
    return number(value, a.sort) if small else None


_HUGE: Final = 1 << 4096


def times_distribute(a: Term, b: Term) -> Term | None:
    """Amounts a * (b + c) and a * (c ? b : d) are multiplied out, if b, c, d are no such terms.

    They become sums of products that cancel; the restriction keeps terms from exploding.
    """
    if a.sort is not REAL:
        return None
    if _is_spread(b):
        return _distribute(a, b)
    if _is_spread(a):
        return _distribute(b, a)
    return None


def _is_spread(term: Term) -> bool:
    if not isinstance(term, App) or term.symbol not in _SPREAD:
        return False
    arms = term.args[-2:]
    return not any(isinstance(arm, App) and arm.symbol in _SPREAD for arm in arms)


_SPREAD: Final = frozenset({op.PLUS, op.MINUS, op.ITE})


def _distribute(factor: Term, spread: Term) -> Term:
    *condition, first, second = spread.args
    products = make(op.TIMES, (factor, first)), make(op.TIMES, (factor, second))
    assert isinstance(spread, App)
    return make(spread.symbol, (*condition, *products))


def divide_literal(a: Term, b: Term) -> Term | None:
    """A division by a literal is a product; a division by zero stays, its value is open."""
    if isinstance(b, Literal) and b.value != 0:
        return make(op.TIMES, (literal(1 / Fraction(b.value), REAL), a))
    return None


def div_literal(a: Term, b: Term) -> Term | None:
    """Euclidean division of literals; a div 1."""
    if _is_one(b):
        return a
    if isinstance(a, Literal) and isinstance(b, Literal) and b.value != 0:
        quotient = int(a.value) // abs(int(b.value))
        return literal(quotient if b.value > 0 else -quotient, INT)
    return None


def mod_literal(a: Term, b: Term) -> Term | None:
    """Euclidean remainder of literals; a mod 1."""
    if _is_one(b):
        return literal(0, INT)
    if isinstance(a, Literal) and isinstance(b, Literal) and b.value != 0:
        return literal(int(a.value) % abs(int(b.value)), INT)
    return None


def less_decided(a: Term, b: Term) -> Term | None:
    """Literals, or one base with two offsets."""
    (base, shift), (base_b, shift_b) = _offset(a), _offset(b)
    if base is not base_b:
        return None
    return TRUE if shift < shift_b else FALSE


def at_most_decided(a: Term, b: Term) -> Term | None:
    """Literals, or one base with two offsets."""
    (base, shift), (base_b, shift_b) = _offset(a), _offset(b)
    if base is not base_b:
        return None
    return TRUE if shift <= shift_b else FALSE


def less_choice(a: Term, b: Term) -> Term | None:
    """0 < (c ? 1/2 : 0) is c: decided per arm."""
    return decide_per_arm(op.LESS, a, b)


def at_most_choice(a: Term, b: Term) -> Term | None:
    """0 <= (c ? 1/2 : 0) is true: decided per arm."""
    return decide_per_arm(op.AT_MOST, a, b)


def to_real_literal(a: Term) -> Term | None:
    """The conversion of a literal is a literal."""
    return literal(Fraction(a.value), REAL) if isinstance(a, Literal) else None


ARITHMETIC_RULES: Final[dict[Operator, tuple[Rule, ...]]] = {
    op.PLUS: (plus_literals, plus_cancel, plus_parallel),
    op.MINUS: (minus_literals, minus_cancel, minus_choice, minus_parallel),
    op.TIMES: (times_literals, times_distribute),
    op.DIVIDE: (divide_literal,),
    op.DIV: (div_literal,),
    op.MOD: (mod_literal,),
    op.LESS: (less_decided, less_choice),
    op.AT_MOST: (at_most_decided, at_most_choice),
    op.TO_REAL: (to_real_literal,),
    op.ITE: (choice_shifted,),
}
