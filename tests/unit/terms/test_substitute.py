"""Substitution: capture, shadowing, depth, sharing."""

from __future__ import annotations

import pytest

from pitviper.terms import build as b
from pitviper.terms.snapshot import SNAP, first, pair
from pitviper.terms.sort import BOOL, INT, SortError, TermError
from pitviper.terms.substitute import instantiate, substitute, subterms
from pitviper.terms.term import Quantified, Term, variable

x, y, z = (variable(name, INT) for name in "xyz")
a, c = b.constant("a", INT), b.constant("c", INT)
f = b.function("f", (INT,), INT)
g = b.function("g", (INT, INT), INT)


def test_variables_constants_and_larger_terms() -> None:
    term = b.apply(g, b.apply(f, x), a)
    assert substitute(term, {x: c}) is b.apply(g, b.apply(f, c), a)
    assert substitute(term, {a: c}) is b.apply(g, b.apply(f, x), c)
    assert substitute(term, {b.apply(f, x): c}) is b.apply(g, c, a)
    assert substitute(term, {z: c}) is term
    assert substitute(term, {}) is term


def test_all_at_once() -> None:
    assert substitute(b.apply(g, x, y), {x: y, y: x}) is b.apply(g, y, x)


def test_results_are_simplified() -> None:
    s, t = variable("s", SNAP), b.constant("t", SNAP)
    assert substitute(first(s), {s: pair(t, t)}) is t
    assert substitute(b.less(x, a), {x: a}) is b.FALSE


def test_hints_survive() -> None:
    assert substitute(b.mention(x), {x: a}) is b.mention(a)


def test_bound_occurrences_are_left_alone() -> None:
    term = b.forall([x], b.less(b.apply(f, x), y), ((b.apply(f, x),),))
    assert substitute(term, {x: a}) is term
    assert substitute(term, {b.apply(f, x): a}) is term
    both = b.conjoin(b.less(x, a), term)
    assert substitute(both, {x: c}) is b.conjoin(b.less(c, a), term)


def test_no_capture() -> None:
    term = b.forall([x], b.less(x, y), ())
    renamed = substitute(term, {y: x})
    assert isinstance(renamed, Quantified)
    (bound,) = renamed.variables
    assert bound is not x
    assert renamed.body is b.less(bound, x)
    assert renamed.free == (x,)


def test_no_capture_by_a_name_already_in_use() -> None:
    x1 = variable("x'", INT)
    term = b.forall([x], b.conjoin(b.less(x, y), b.less(x, x1)))
    renamed = substitute(term, {y: x})
    assert isinstance(renamed, Quantified)
    assert [v.name for v in renamed.variables] == ["x''"]


def test_triggers_follow() -> None:
    term = b.forall([x], b.less(b.apply(g, x, y), a), ((b.apply(g, x, y),),), "q", 2)
    new = substitute(term, {y: c})
    assert isinstance(new, Quantified)
    assert new.triggers == ((b.apply(g, x, c),),)
    assert (new.name, new.weight) == ("q", 2)


def test_nested_quantifiers() -> None:
    inner = b.exists([y], b.less(b.apply(g, x, y), z))
    outer = b.forall([x], b.less(x, a) if inner is b.TRUE else inner)
    new = substitute(outer, {z: b.apply(f, y)})
    assert isinstance(new, Quantified)
    assert new.free == (y,)
    assert isinstance(new.body, Quantified)
    assert new.body.variables[0].name == "y'"


def test_instantiation() -> None:
    term = b.forall([x, y], b.less(b.apply(g, x, y), a))
    assert isinstance(term, Quantified)
    assert instantiate(term, [c, a]) is b.less(b.apply(g, c, a), a)
    with pytest.raises(TermError):
        instantiate(term, [c])


def test_sorts_must_agree() -> None:
    with pytest.raises(SortError):
        substitute(b.less(x, a), {x: b.constant("p", BOOL)})


def test_deep_shared_terms_take_linear_time() -> None:
    term: Term = x
    for _ in range(50_000):
        term = b.apply(g, term, term)
    new = substitute(term, {x: a})
    assert new.free == ()
    assert sum(1 for _ in subterms(new)) == 50_001


def test_subterms_come_after_their_arguments() -> None:
    term = b.apply(g, b.apply(f, a), b.apply(f, a))
    assert list(subterms(term)) == [a, b.apply(f, a), term]
    assert list(subterms(a, c, a)) == [a, c]
