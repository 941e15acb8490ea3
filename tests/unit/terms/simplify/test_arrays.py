"""Simplification of arrays: what a read sees of the writes before it."""

from __future__ import annotations

import pytest

from pitviper.terms import build as b
from pitviper.terms.smtlib import text
from pitviper.terms.sort import BOOL, INT, REF, SortError, array
from pitviper.terms.term import Term

MAP = array((REF,), INT)
GRID = array((INT, INT), BOOL)
m, g = b.constant("m", MAP), b.constant("g", GRID)
x, y = b.constant("x", REF), b.constant("y", REF)
n1, n2, n3 = b.integer(1), b.integer(2), b.integer(3)


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (b.select(b.store(m, x, n1), x), n1),
        (b.select(b.store(g, n1, n2, b.TRUE), n1, n3), b.select(g, n1, n3)),
        (b.select(b.store(b.store(g, n1, n2, b.TRUE), n2, n2, b.FALSE), n1, n2), b.TRUE),
        (b.store(b.store(m, x, n1), x, n2), b.store(m, x, n2)),
        (b.store(m, x, b.select(m, x)), m),
    ],
)
def test_known_indices_are_decided(made: Term, expected: Term) -> None:
    assert made is expected


def test_indices_that_may_be_equal_are_left_to_the_solver() -> None:
    read = b.select(b.store(m, x, n1), y)

    assert read.args[1] is y
    assert b.store(b.store(m, x, n1), y, n2).args[0] is b.store(m, x, n1)


def test_a_write_behind_an_unknown_one_is_not_passed_by() -> None:
    unknown = b.constant("i", INT)
    written = b.store(b.store(g, n1, n1, b.TRUE), unknown, n1, b.FALSE)

    assert b.select(written, n1, n1) not in (b.TRUE, b.FALSE)


def test_sorts_of_arrays_are_checked() -> None:
    assert array((REF,), INT) is MAP
    with pytest.raises(SortError):
        b.select(m, n1)
    with pytest.raises(SortError):
        b.store(m, x, y)
    with pytest.raises(SortError):
        b.select(x, y)
    with pytest.raises(SortError):
        array((), INT)


def test_arrays_are_written_as_smtlib() -> None:
    written = text(b.equal(b.select(b.store(m, x, n1), y), n2))

    assert "(declare-fun $m () (Array $Ref Int))" in written
    assert "(select (store $m $x 1) $y)" in written
