"""Which terms may stand in triggers."""

from __future__ import annotations

import pytest

from pitviper.encoding.triggers.sums import is_matchable, obstacles
from pitviper.terms import build as tb
from pitviper.terms.sort import BOOL, INT
from pitviper.terms.symbol import solver_function

X = tb.variable("i", INT)
B, N = tb.constant("b", BOOL), tb.constant("n", INT)
F = tb.function("f", (INT, INT), INT)
CHOICE = tb.ite(B, N, tb.integer(0))


@pytest.mark.smoke
def test_applications_of_declared_symbols_can_be_matched() -> None:
    assert is_matchable((tb.apply(F, X, tb.plus(X, N)),))


def test_logic_anywhere_inside_is_an_obstacle() -> None:
    term = tb.apply(F, X, tb.apply(F, CHOICE, X))

    assert not is_matchable((term,))
    assert obstacles(term) == (CHOICE,)


def test_only_the_outermost_obstacle_counts() -> None:
    inner = tb.ite(tb.equal(X, N), X, N)
    outer = tb.ite(B, inner, X)

    assert obstacles(tb.apply(F, outer, N)) == (outer,)


def test_operators_and_functions_of_the_solver_are_no_heads() -> None:
    assert not is_matchable((tb.plus(X, N),))
    assert not is_matchable((tb.apply(solver_function("abs", (INT,), INT), X),))
    assert not is_matchable((X,))
