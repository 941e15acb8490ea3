"""Smart constructors: sort checks, quantifiers, rebuilding."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pitviper.terms import build as b
from pitviper.terms import operators as op
from pitviper.terms.normal import is_unsimplified
from pitviper.terms.sort import BOOL, INT, REAL, SortError
from pitviper.terms.term import App, Quantified, Term, variable

x, y = variable("x", INT), variable("y", INT)
a, c = b.constant("a", INT), b.constant("c", INT)
p, q = b.constant("p", BOOL), b.constant("q", BOOL)
r = b.constant("r", REAL)


@pytest.mark.parametrize(
    "build",
    [
        lambda: b.plus(a, r),
        lambda: b.plus(p, q),
        lambda: b.equal(b.integer(1), b.rational(1)),
        lambda: b.iff(a, a),
        lambda: b.negate(a),
        lambda: b.conjoin(p, a),
        lambda: b.conjoin(b.FALSE, a),
        lambda: b.implies(b.TRUE, a),
        lambda: b.ite(p, a, r),
        lambda: b.ite(a, a, a),
        lambda: b.less(p, q),
        lambda: b.div(r, r),
        lambda: b.divide(a, a),
        lambda: b.to_real(r),
        lambda: b.distinct(a, p),
    ],
)
def test_wrong_sorts_are_refused_before_any_simplification(build: object) -> None:
    assert callable(build)
    with pytest.raises(SortError):
        build()


def test_amounts() -> None:
    assert b.NONE is b.rational(0)
    assert b.WRITE is b.rational(Fraction(3, 3))
    assert b.total([]) is b.NONE
    assert b.total([b.rational(1, 2), r, b.rational(1, 2)]) is b.plus(r, b.WRITE)
    assert b.minimum(b.rational(1, 2), b.WRITE) is b.rational(1, 2)
    assert b.minimum(r, r) is r
    assert b.truth(holds=True) is b.TRUE


def test_comparisons_have_two_forms_only() -> None:
    assert b.greater(a, c) is b.less(c, a)
    assert b.at_least(a, c) is b.at_most(c, a)
    assert b.opposite(b.integer(3)) is b.integer(-3)
    assert b.opposite(r) is b.minus(b.NONE, r)
    assert b.differ(a, c) is b.negate(b.equal(a, c))


def test_quantifiers_keep_only_variables_that_occur() -> None:
    assert b.forall([x], b.TRUE) is b.TRUE
    assert b.exists([x], b.FALSE) is b.FALSE
    assert b.forall([x], b.less(a, c)) is b.less(a, c)
    term = b.forall([x, y], b.less(y, a))
    assert isinstance(term, Quantified)
    assert term.variables == (y,)


def test_hints_stay() -> None:
    fact = b.mention(a)
    assert isinstance(fact, App)
    assert fact.symbol is op.EQUAL and fact.args == (a, a)
    assert b.mention(a) is fact
    assert b.equal(a, a) is b.TRUE
    assert b.hint(op.PLUS, a, b.integer(0)).args == (a, b.integer(0))


def test_a_hint_that_no_rule_touches_is_the_ordinary_term() -> None:
    assert b.hint(op.PLUS, a, c) is b.plus(a, c)
    assert b.conjoin(p, b.mention(a)) is b.conjoin(p, b.mention(a))


def test_rebuilding_simplifies_but_keeps_hints() -> None:
    rebuilt = b.rebuild(b.plus(a, c), (a, b.integer(0)))
    assert rebuilt is a
    kept = b.rebuild(b.mention(a), (c, c))
    assert kept is b.mention(c)
    assert isinstance(kept, App) and is_unsimplified(kept)


def test_rebuilding_a_quantifier_keeps_name_weight_and_triggers() -> None:
    f = b.function("f", (INT,), INT)
    term = b.forall([x], b.less(b.apply(f, x), a), ((b.apply(f, x),),), "q", 5)
    assert isinstance(term, Quantified)
    args: tuple[Term, ...] = (b.less(b.apply(f, x), c), b.apply(f, x))
    new = b.rebuild(term, args)
    assert isinstance(new, Quantified)
    assert (new.name, new.weight, new.triggers) == ("q", 5, ((b.apply(f, x),),))
    assert new.body is args[0]


def test_distinct() -> None:
    assert b.distinct() is b.TRUE
    assert b.distinct(a) is b.TRUE
    assert b.distinct(a, c) is b.differ(a, c)
    assert b.distinct(a, c, a) is b.FALSE
    d = b.constant("d", INT)
    assert repr(b.distinct(a, c, d)) == "(distinct a c d)"
