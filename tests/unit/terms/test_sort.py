"""Sorts: identity, solver text."""

from __future__ import annotations

import copy
import pickle

import pytest

from pitviper.terms.sort import (
    BOOL,
    INT,
    REAL,
    Constructor,
    SolverTextError,
    SortKind,
    datatype,
    is_balanced,
    solver_sort,
    uninterpreted,
)


def test_equal_sorts_are_one_object() -> None:
    assert uninterpreted("Seq<Int>") is uninterpreted("Seq<Int>")
    assert uninterpreted("Seq<Int>") is not uninterpreted("Seq<Bool>")
    assert datatype("D", Constructor("c")) is datatype("D", Constructor("c"))
    assert datatype("D", Constructor("c")) is not datatype("D", Constructor("d"))
    assert uninterpreted("D") is not datatype("D")


def test_solver_text_is_normalised_and_known_sorts_are_ours() -> None:
    assert solver_sort(" (_  BitVec 32) ") is solver_sort("(_ BitVec 32)")
    assert solver_sort("(_ BitVec 32)").kind is SortKind.TEXT
    assert [solver_sort(text) for text in ("Int", "Bool", "Real")] == [INT, BOOL, REAL]


@pytest.mark.parametrize("text", ["", " ", ")", "(_ BitVec 32", "Int))(", "Int ; x", "|Int", '"'])
def test_text_that_could_reach_beyond_itself_is_refused(text: str) -> None:
    assert not is_balanced(text)
    with pytest.raises(SolverTextError):
        solver_sort(text)


def test_sorts_are_not_copied() -> None:
    with pytest.raises(TypeError):
        pickle.dumps(INT)
    with pytest.raises(TypeError):
        copy.deepcopy(INT)
