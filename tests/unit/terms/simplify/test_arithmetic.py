"""Simplification of numbers, one line per rule."""

from __future__ import annotations

import pytest

from pitviper.terms import build as b
from pitviper.terms.sort import BOOL, INT, REAL
from pitviper.terms.term import App, Term

c = b.constant("c", BOOL)
x, y = b.constant("x", INT), b.constant("y", INT)
k, m, n = (b.constant(name, REAL) for name in "kmn")
half = b.rational(1, 2)


def i(value: int) -> Term:
    return b.integer(value)


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (b.plus(i(2), i(3)), i(5)),
        (b.plus(half, half), b.WRITE),
        (b.plus(x, i(0)), x),
        (b.plus(i(0), x), x),
        (b.plus(i(2), x), b.plus(x, i(2))),
        (b.plus(b.plus(x, i(2)), i(3)), b.plus(x, i(5))),
        (b.plus(b.minus(x, i(2)), i(3)), b.plus(x, i(1))),
        (b.plus(x, i(-2)), b.minus(x, i(2))),
        (b.plus(b.minus(x, y), y), x),
        (b.plus(y, b.minus(x, y)), x),
        (b.minus(i(2), i(3)), i(-1)),
        (b.minus(x, i(0)), x),
        (b.minus(x, x), i(0)),
        (b.minus(k, k), b.NONE),
        (b.minus(b.plus(x, y), y), x),
        (b.minus(b.plus(x, y), x), y),
        (b.minus(x, b.minus(x, y)), y),
        (b.minus(b.plus(x, i(3)), i(2)), b.plus(x, i(1))),
        (b.minus(b.minus(x, i(3)), i(2)), b.minus(x, i(5))),
        (b.minus(k, b.ite(c, k, b.NONE)), b.ite(c, b.NONE, k)),
        (b.minus(k, b.ite(c, b.NONE, k)), b.ite(c, k, b.NONE)),
        (b.minus(b.ite(c, k, m), b.ite(c, n, m)), b.ite(c, b.minus(k, n), b.NONE)),
        (b.plus(b.ite(c, k, m), b.ite(c, n, m)), b.ite(c, b.plus(k, n), b.plus(m, m))),
        (b.times(i(2), i(3)), i(6)),
        (b.times(x, i(0)), i(0)),
        (b.times(i(1), x), x),
        (b.times(x, i(3)), b.times(i(3), x)),
        (b.times(i(2), b.times(i(3), x)), b.times(i(6), x)),
        (b.times(k, b.plus(m, n)), b.plus(b.times(k, m), b.times(k, n))),
        (b.times(b.minus(m, n), k), b.minus(b.times(k, m), b.times(k, n))),
        (b.times(k, b.ite(c, half, b.NONE)), b.ite(c, b.times(half, k), b.NONE)),
        (b.divide(k, b.rational(2)), b.times(half, k)),
        (b.divide(b.WRITE, b.rational(2)), half),
        (b.div(i(7), i(2)), i(3)),
        (b.div(i(-7), i(2)), i(-4)),
        (b.div(i(7), i(-2)), i(-3)),
        (b.div(i(-7), i(-2)), i(4)),
        (b.div(x, i(1)), x),
        (b.mod(i(-7), i(2)), i(1)),
        (b.mod(i(7), i(-2)), i(1)),
        (b.mod(x, i(1)), i(0)),
        (b.less(i(1), i(2)), b.TRUE),
        (b.less(x, x), b.FALSE),
        (b.less(x, b.plus(x, i(1))), b.TRUE),
        (b.at_most(b.plus(x, i(1)), x), b.FALSE),
        (b.at_most(x, x), b.TRUE),
        (b.less(b.NONE, b.ite(c, half, b.NONE)), c),
        (b.at_most(b.NONE, b.ite(c, half, b.NONE)), b.TRUE),
        (b.at_most(b.ite(c, b.WRITE, half), half), b.negate(c)),
        (b.to_real(i(3)), b.rational(3)),
    ],
)
def test_rule(made: Term, expected: Term) -> None:
    assert made is expected


@pytest.mark.parametrize(
    "made",
    [
        b.div(i(7), i(0)),
        b.mod(x, i(0)),
        b.divide(k, b.NONE),
        b.minus(b.minus(x, y), x),
        b.times(x, b.plus(y, i(1))),
        b.less(x, y),
    ],
)
def test_left_alone(made: Term) -> None:
    assert isinstance(made, App)
    assert len(made.args) == 2


def test_products_are_not_multiplied_out_below_the_first_level() -> None:
    deep = b.plus(k, b.plus(m, n))
    product = b.times(k, deep)
    assert isinstance(product, App)
    assert product.args == (k, deep)


def test_numbers_do_not_grow_without_end() -> None:
    number: Term = i(10)
    for _ in range(40):
        number = b.times(number, number)
    assert isinstance(number, App)
