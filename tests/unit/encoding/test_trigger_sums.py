"""Sums in triggers: solved for the variables, or kept as premises."""

from __future__ import annotations

import pytest

from pitviper.encoding.trigger_sums import exists_matching, for_all_matching, without_sums
from pitviper.terms import build as tb
from pitviper.terms.sort import INT
from pitviper.terms.term import Term

I, J = tb.variable("i", INT), tb.variable("j", INT)
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
    body = tb.implies(tb.less(I, N), positive(at(tb.plus(I, tb.integer(1)))))

    result = for_all_matching((I,), body, ((at(tb.plus(I, tb.integer(1))),),), "q")

    expected = tb.implies(tb.less(tb.minus(U, tb.integer(1)), N), positive(at(U)))
    assert result is tb.forall((U,), expected, ((at(U),),), "q")


def test_a_difference_is_solved_for_what_is_subtracted() -> None:
    solved = without_sums((I,), (at(tb.minus(N, I)),))

    assert solved is not None
    assert solved.variables == (U,)
    assert solved.values == {I: tb.minus(N, U)}


def test_a_variable_that_stands_alone_elsewhere_stays() -> None:
    pattern = (at(I), at(tb.plus(I, N)))

    result = for_all_matching((I,), positive(at(tb.plus(I, N))), (pattern,))

    premise = tb.equal(U, tb.plus(I, N))
    assert result is tb.forall((I, U), tb.implies(premise, positive(at(U))), ((at(I), at(U)),))


def test_two_sums_of_one_variable_share_it() -> None:
    up, down = tb.plus(I, tb.integer(1)), tb.minus(I, tb.integer(1))

    solved = without_sums((I,), (at(up), at(down)))

    assert solved is not None
    assert solved.variables == (U, W)
    assert solved.premise is tb.equal(W, tb.minus(U, tb.integer(2)))


def test_a_sum_of_two_variables_is_solved_once_one_of_them_is_known() -> None:
    solved = without_sums((I, J), (at(tb.plus(I, J)), at(I)))

    assert solved is not None
    assert solved.variables == (I, U)
    assert solved.values == {J: tb.minus(U, I)}


def test_sums_that_determine_nothing_are_left_alone() -> None:
    doubled = at(tb.plus(I, I))
    both = at(tb.plus(I, J))
    inside = at(tb.plus(at(I), tb.integer(1)))

    assert without_sums((I,), (doubled,)) is None
    assert without_sums((I, J), (both,)) is None
    assert without_sums((I,), (inside,)) is None
    assert without_sums((I,), (tb.apply(G, I, tb.plus(N, tb.integer(1))),)) is None


def test_plain_patterns_keep_one_quantifier() -> None:
    shifted = at(tb.plus(I, tb.integer(1)))

    result = for_all_matching((I,), positive(at(I)), ((at(I),), (shifted,)), "q")

    plain = tb.forall((I,), positive(at(I)), ((at(I),),), "q")
    other = tb.forall((U,), positive(at(tb.minus(U, tb.integer(1)))), ((at(U),),), "q")
    assert result is tb.conjoin(plain, other)


def test_existential_quantifiers_conjoin_the_premise() -> None:
    pattern = (at(I), at(tb.plus(I, N)))

    result = exists_matching((I,), positive(at(I)), (pattern,))

    premise = tb.equal(U, tb.plus(I, N))
    assert result is tb.exists((I, U), tb.conjoin(premise, positive(at(I))), ((at(I), at(U)),))
