"""Interned terms: identity, sorts, free variables, lifetime."""

from __future__ import annotations

import gc
import pickle
from fractions import Fraction

import pytest

from pitviper.terms import operators as op
from pitviper.terms.build import apply, constant, exists, forall, function, less, plus
from pitviper.terms.sort import BOOL, INT, REAL, SortError, TermError
from pitviper.terms.term import (
    TRUE,
    Binder,
    Quantified,
    application,
    literal,
    quantifier,
    variable,
)

x, y, z = (variable(name, INT) for name in "xyz")
f = function("f", (INT, INT), INT)


@pytest.mark.smoke
def test_equal_terms_are_one_object() -> None:
    a, b = constant("a", INT), constant("b", INT)
    assert constant("a", INT) is a
    assert application(f, (a, b)) is application(f, (a, b))
    assert application(f, (a, b)) is not application(f, (b, a))
    assert literal(3, INT) is literal(3, INT)
    assert literal(Fraction(2, 4), REAL) is literal(Fraction(1, 2), REAL)
    assert variable("x", INT) is x
    assert variable("x", BOOL) is not x
    assert forall([x], less(x, a)) is forall([x], less(x, a))
    assert forall([x], less(x, a)) is not exists([x], less(x, a))
    assert forall([x], less(x, a), name="p") is not forall([x], less(x, a), name="q")


def test_literals_of_different_sorts_differ_although_python_says_they_are_equal() -> None:
    one, write = literal(1, INT), literal(Fraction(1), REAL)
    assert one is not write
    assert one.sort is INT and type(one.value) is int
    assert TRUE.value is True


@pytest.mark.parametrize(("value", "sort"), [(7, BOOL), (True, INT), (7, REAL), (Fraction(7), INT)])
def test_literals_fit_their_sorts(value: int | Fraction, sort: object) -> None:
    with pytest.raises(SortError):
        literal(value, sort)  # type: ignore[arg-type]


def test_free_variables_in_order_of_occurrence() -> None:
    inner = apply(f, y, x)
    assert inner.free == (y, x)
    assert plus(z, inner).free == (z, y, x)
    assert plus(inner, apply(f, x, y)).free is inner.free
    assert constant("a", INT).free == ()
    assert forall([x], less(x, inner)).free == (y,)
    assert forall([x, y], less(x, inner)).free == ()


def test_triggers_mention_every_variable() -> None:
    body, trigger = less(x, y), apply(f, x, x)
    with pytest.raises(TermError, match="does not mention"):
        forall([x, y], body, ((trigger,),))
    term = forall([x, y], body, ((trigger, apply(f, y, y)),))
    assert isinstance(term, Quantified)
    assert term.args == (body, trigger, apply(f, y, y))


def test_bodies_are_formulas() -> None:
    with pytest.raises(SortError):
        quantifier((Binder.FORALL, (x,), plus(x, y), (), "", None))


def test_unused_terms_are_forgotten() -> None:
    a = constant("a", INT)
    before = len(op.PLUS.terms)
    terms = [plus(a, constant(f"unused{i}", INT)) for i in range(100)]
    assert len(op.PLUS.terms) == before + 100
    del terms
    gc.collect()
    assert len(op.PLUS.terms) == before


def test_terms_are_not_copied() -> None:
    with pytest.raises(TypeError, match="stay in their process"):
        pickle.dumps(constant("a", INT))


def test_repr_is_short_for_deep_terms() -> None:
    term = constant("a", INT)
    for _ in range(10_000):
        term = application(f, (term, term))
    assert repr(term) == "(f (f ...) (f ...))"
    assert repr(forall([x], less(x, y))) == "(forall (x) (< ?x ?y))"
