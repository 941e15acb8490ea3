"""Simplification of connectives, equality, conditionals, one line per rule."""

from __future__ import annotations

import pytest

from pitviper.terms import build as b
from pitviper.terms.snapshot import UNIT, pair
from pitviper.terms.sort import BOOL, INT
from pitviper.terms.term import App, Term

p, q, s = (b.constant(name, BOOL) for name in "pqs")
x, y = b.constant("x", INT), b.constant("y", INT)
T, F = b.TRUE, b.FALSE
n0, n1 = b.integer(0), b.integer(1)


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (b.negate(T), F),
        (b.negate(b.negate(p)), p),
        (b.negate(b.less(x, y)), b.at_most(y, x)),
        (b.negate(b.at_most(x, y)), b.less(y, x)),
        (b.conjoin(), T),
        (b.conjoin(p), p),
        (b.conjoin(p, T, p), p),
        (b.conjoin(p, q, F), F),
        (b.conjoin(p, q, b.negate(p)), F),
        (b.conjoin(b.less(x, y), p, b.at_most(y, x)), F),
        (b.conjoin(b.at_most(y, x), p, b.less(x, y)), F),
        (b.disjoin(), F),
        (b.disjoin(p, F), p),
        (b.disjoin(p, T), T),
        (b.disjoin(p, q, b.negate(p)), T),
        (b.implies(T, p), p),
        (b.implies(F, p), T),
        (b.implies(p, T), T),
        (b.implies(p, F), b.negate(p)),
        (b.implies(p, p), T),
        (b.equal(x, x), T),
        (b.equal(n0, n1), F),
        (b.equal(n0, x), b.equal(x, n0)),
        (b.iff(p, T), p),
        (b.iff(F, p), b.negate(p)),
        (b.iff(p, b.negate(p)), F),
        (b.equal(UNIT, pair(UNIT, UNIT)), F),
        (b.equal(b.ite(p, n1, n0), n0), b.negate(p)),
        (b.equal(n1, b.ite(p, n1, n0)), p),
        (b.ite(T, x, y), x),
        (b.ite(F, x, y), y),
        (b.ite(p, x, x), x),
        (b.ite(b.negate(p), x, y), b.ite(p, y, x)),
        (b.ite(p, T, F), p),
        (b.ite(p, F, T), b.negate(p)),
        (b.ite(p, T, q), b.disjoin(p, q)),
        (b.ite(p, q, F), b.conjoin(p, q)),
        (b.ite(p, q, T), b.implies(p, q)),
        (b.ite(p, F, q), b.conjoin(b.negate(p), q)),
        (b.ite(p, b.ite(p, x, n0), y), b.ite(p, x, y)),
        (b.ite(p, x, b.ite(p, n0, y)), b.ite(p, x, y)),
    ],
)
def test_rule(made: Term, expected: Term) -> None:
    assert made is expected


def test_nested_conjunctions_are_flat_in_order() -> None:
    term = b.conjoin(b.conjoin(p, q), b.conjoin(q, s))
    assert isinstance(term, App)
    assert term.args == (p, q, s)
    assert b.conjoin(b.conjoin(p, q), s) is term


def test_equal_pairs_are_not_taken_apart() -> None:
    left, right = b.constant("l", UNIT.sort), b.constant("r", UNIT.sort)
    assert isinstance(b.equal(pair(left, UNIT), pair(right, UNIT)), App)
