"""Numbers with a symbolic half, comparison, and choice between two values."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from pitviper.engines.explore.runtime.ending import Status
from pitviper.engines.explore.runtime.equality import conjunction, disjunction, negation
from pitviper.engines.explore.runtime.run import Run
from pitviper.engines.explore.runtime.shape import shape
from pitviper.engines.explore.runtime.value import Scalar, Sym, Value, both, plain, term_of
from pitviper.engines.shared.values import Ref
from pitviper.terms import build
from pitviper.terms.sort import REAL
from pitviper.terms.term import Term

MOST_BITS = 50_000
"""Numbers that are squared again and again would take all time and memory."""

Count: TypeAlias = Callable[[Value], Value]

_less = lru_cache(maxsize=4096)(build.less)
_at_most = lru_cache(maxsize=4096)(build.at_most)
"""Comparisons of a program come again with every run."""


def add(run: Run, a: Value, b: Value) -> Value:
    if a.__class__ is not Sym and b.__class__ is not Sym:
        return plain(a) + plain(b)
    return both(plain(a) + plain(b), build.plus(*_alike(a, b)))


def sub(run: Run, a: Value, b: Value) -> Value:
    if a.__class__ is not Sym and b.__class__ is not Sym:
        return plain(a) - plain(b)
    return both(plain(a) - plain(b), build.minus(*_alike(a, b)))


def mul(run: Run, a: Value, b: Value) -> Value:
    if a.__class__ is Fraction and b.__class__ is Fraction and (a == 1 or b == 1):
        return b if a == 1 else a  # most amounts are whole
    x, y = plain(a), plain(b)
    if _bits(x) + _bits(y) > MOST_BITS:
        run.end(Status.SIZE, f"a number of more than {MOST_BITS} bits")
    if a.__class__ is not Sym and b.__class__ is not Sym:
        return x * y
    return both(x * y, build.times(*_alike(a, b)))


def neg(run: Run, a: Value) -> Value:
    if a.__class__ is not Sym:
        return -plain(a)
    return both(-plain(a), build.opposite(term_of(a)))


def div(run: Run, a: Value, b: Value) -> Value:
    """Euclidean; that the divisor is not 0 was checked before."""
    x, y = int(plain(a)), int(plain(b))
    quotient = (x - x % abs(y)) // y
    if a.__class__ is not Sym and b.__class__ is not Sym:
        return quotient
    return both(quotient, build.div(term_of(a), term_of(b)))


def mod(run: Run, a: Value, b: Value) -> Value:
    remainder = int(plain(a)) % abs(int(plain(b)))
    if a.__class__ is not Sym and b.__class__ is not Sym:
        return remainder
    return both(remainder, build.mod(term_of(a), term_of(b)))


def fraction(run: Run, a: Value, b: Value) -> Value:
    """The quotient of two numbers as a rational; that the divisor is not 0 was checked before."""
    if _bits(plain(a)) + _bits(plain(b)) > MOST_BITS:
        run.end(Status.SIZE, f"a number of more than {MOST_BITS} bits")
    quotient = Fraction(plain(a)) / Fraction(plain(b))
    if a.__class__ is not Sym and b.__class__ is not Sym:
        return quotient
    return both(quotient, build.divide(_real(term_of(a)), _real(term_of(b))))


def rational(run: Run, a: Value) -> Value:
    """A number as a rational."""
    if a.__class__ is not Sym:
        return Fraction(plain(a))
    return both(Fraction(plain(a)), _real(term_of(a)))


def less(run: Run, a: Value, b: Value) -> Value:
    if a.__class__ is Fraction and b.__class__ is Fraction:
        (n, d), (m, e) = a.as_integer_ratio(), b.as_integer_ratio()
        return n * e < m * d  # half the time of the standard way
    if a.__class__ is not Sym and b.__class__ is not Sym:
        return plain(a) < plain(b)
    return both(plain(a) < plain(b), _less(*_alike(a, b)))


def at_most(run: Run, a: Value, b: Value) -> Value:
    if a.__class__ is Fraction and b.__class__ is Fraction:
        (n, d), (m, e) = a.as_integer_ratio(), b.as_integer_ratio()
        return n * e <= m * d
    if a.__class__ is not Sym and b.__class__ is not Sym:
        return plain(a) <= plain(b)
    return both(plain(a) <= plain(b), _at_most(*_alike(a, b)))


def choice(run: Run, condition: Value, then: Value, otherwise: Value) -> Value:
    """One of two values. Of those with a shape, one is chosen now, as a branch of the path."""
    if condition.__class__ is bool:
        return then if condition else otherwise
    if then is otherwise:
        return then
    if is_scalar(then) and is_scalar(otherwise):
        value = plain(then) if plain(condition) else plain(otherwise)
        return both(value, build.ite(term_of(condition), *_alike(then, otherwise)))
    if run.path.bound:
        then, otherwise = shape(run, then), shape(run, otherwise)
        if isinstance(then, Sym | Ref) and isinstance(otherwise, Sym | Ref):
            return Sym(0, build.ite(term_of(condition), term_of(then), term_of(otherwise)))
    return then if run.branch(condition) else otherwise


def merge(run: Run, condition: Value, then: Value, before: Value | None) -> Value | None:
    """The new value of a variable if a condition holds; one that had none has the new one."""
    if condition.__class__ is bool:
        return then if condition else before
    return then if before is None else choice(run, condition, then, before)


def excluded(run: Run, condition: Value) -> bool:
    """Whether a condition is false whatever the inputs are."""
    return condition is False


def not_(run: Run, a: Value) -> Value:
    return negation(a)


def and_(run: Run, *args: Value) -> Value:
    return conjunction(args)


def or_(run: Run, *args: Value) -> Value:
    return disjunction(args)


def implies(run: Run, a: Value, b: Value) -> Value:
    return disjunction([negation(a), b])


def is_symbolic(run: Run, a: Value) -> Value:
    """Whether a value depends on the input."""
    return a.__class__ is Sym


def _bits(value: Scalar) -> int:
    if isinstance(value, Fraction):
        return value.numerator.bit_length() + value.denominator.bit_length()
    return value.bit_length()


def is_scalar(value: Value) -> bool:
    """Whether a value is a number or a truth value."""
    return isinstance(value, Sym | Fraction | int)


def _real(term: Term) -> Term:
    return term if term.sort is REAL else build.to_real(term)


def _alike(a: Value, b: Value) -> tuple[Term, Term]:
    """Two terms of one sort: an integer beside a rational becomes one."""
    x, y = term_of(a), term_of(b)
    if x.sort is y.sort:
        return x, y
    return _real(x), _real(y)
