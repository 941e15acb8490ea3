"""Sums in triggers: solved for the variables, or kept as premises."""

from __future__ import annotations

import pytest

from pitviper.encoding.triggers.sums import exists_matching, for_all_matching, without_sums
from pitviper.terms import build as tb
from pitviper.terms.sort import INT
from pitviper.terms.term import Term

X, Y = tb.variable("i", INT), tb.variable("j", INT)
N = tb.constant("n", INT)
AT = tb.function("at", (INT,), INT)
G = tb.function("g", (INT, INT), INT)
U = tb.variable("sum@0", INT)
W = tb.variable("sum@1", INT)


def at(index: Term) -> Term:
    return tb.apply(AT, index)


def positive(term: Term) -> Term:
    return tb.greater(term, tb.integer(0))


@pytest.mark.smoke
def test_a_sum_is_solved_for_its_variable() -> None:
    body = tb.implies(tb.less(X, N), positive(at(tb.plus(X, tb.integer(1)))))

    result = for_all_matching((X,), body, ((at(tb.plus(X, tb.integer(1))),),), "q")

    expected = tb.implies(tb.less(tb.minus(U, tb.integer(1)), N), positive(at(U)))
    assert result is tb.forall((U,), expected, ((at(U),),), "q")


def test_a_difference_is_solved_for_what_is_subtracted() -> None:
    solved = without_sums((X,), (at(tb.minus(N, X)),))

    assert solved is not None
    assert solved.variables == (U,)
    assert solved.values == {X: tb.minus(N, U)}


def test_a_variable_that_stands_alone_elsewhere_stays() -> None:
    pattern = (at(X), at(tb.plus(X, N)))

    result = for_all_matching((X,), positive(at(tb.plus(X, N))), (pattern,))

    premise = tb.equal(U, tb.plus(X, N))
    assert result is tb.forall((X, U), tb.implies(premise, positive(at(U))), ((at(X), at(U)),))


def test_two_sums_of_one_variable_share_it() -> None:
    up, down = tb.plus(X, tb.integer(1)), tb.minus(X, tb.integer(1))

    solved = without_sums((X,), (at(up), at(down)))

    assert solved is not None
    assert solved.variables == (U, W)
    assert solved.premise is tb.equal(W, tb.minus(U, tb.integer(2)))


def test_a_sum_of_two_variables_is_solved_once_one_of_them_is_known() -> None:
    solved = without_sums((X, Y), (at(tb.plus(X, Y)), at(X)))

    assert solved is not None
    assert solved.variables == (X, U)
    assert solved.values == {Y: tb.minus(U, X)}


def test_sums_that_determine_nothing_are_left_alone() -> None:
    doubled = at(tb.plus(X, X))
    both = at(tb.plus(X, Y))
    inside = at(tb.plus(at(X), tb.integer(1)))

    assert without_sums((X,), (doubled,)) is None
    assert without_sums((X, Y), (both,)) is None
    assert without_sums((X,), (inside,)) is None
    assert without_sums((X,), (tb.apply(G, X, tb.plus(N, tb.integer(1))),)) is None


def test_plain_patterns_keep_one_quantifier() -> None:
    shifted = at(tb.plus(X, tb.integer(1)))

    result = for_all_matching((X,), positive(at(X)), ((at(X),), (shifted,)), "q")

    plain = tb.forall((X,), positive(at(X)), ((at(X),),), "q")
    other = tb.forall((U,), positive(at(tb.minus(U, tb.integer(1)))), ((at(U),),), "q")
    assert result is tb.conjoin(plain, other)


def test_existential_quantifiers_conjoin_the_premise() -> None:
    pattern = (at(X), at(tb.plus(X, N)))

    result = exists_matching((X,), positive(at(X)), (pattern,))

    premise = tb.equal(U, tb.plus(X, N))
    assert result is tb.exists((X, U), tb.conjoin(premise, positive(at(X))), ((at(X), at(U)),))
