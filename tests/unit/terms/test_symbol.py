"""Function symbols: identity, sorts, members of data types."""

from __future__ import annotations

import gc

import pytest

from pitviper.terms import symbol
from pitviper.terms.build import apply, constant, integer
from pitviper.terms.snapshot import FIRST, PAIR, SNAP
from pitviper.terms.sort import BOOL, INT, SolverTextError, SortError, TermError
from pitviper.terms.symbol import constructor, function, selector, solver_function


def test_equal_symbols_are_one_object() -> None:
    f = function("f", (INT,), BOOL)
    assert function("f", (INT,), BOOL) is f
    assert function("f", (INT,), INT) is not f
    assert function("f", (BOOL,), BOOL) is not f
    assert solver_function("f", (INT,), BOOL) is not f


def test_applications_are_checked() -> None:
    f = function("f", (INT, BOOL), INT)
    with pytest.raises(SortError, match="takes 2 arguments"):
        apply(f, integer(1))
    with pytest.raises(SortError, match="Int, Int"):
        apply(f, integer(1), integer(2))


def test_members_of_data_types() -> None:
    assert constructor(SNAP, "Snap.pair") is PAIR
    assert PAIR.domain == (SNAP, SNAP)
    assert selector(SNAP, "Snap.first") is FIRST
    with pytest.raises(TermError):
        constructor(SNAP, "nothing")
    with pytest.raises(TermError):
        selector(SNAP, "nothing")
    with pytest.raises(TermError):
        selector(INT, "Snap.first")


def test_solver_text_must_be_complete() -> None:
    with pytest.raises(SolverTextError):
        solver_function("(_ int2bv 32", (INT,), INT)


def test_symbols_that_nobody_uses_are_forgotten() -> None:
    gc.collect()  # what other tests have left
    before = len(symbol._interned)
    term = constant("a name of this test only", INT)
    assert len(symbol._interned) == before + 1
    del term
    gc.collect()
    assert len(symbol._interned) == before
