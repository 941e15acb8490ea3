"""The footprint is the most that any path moved, under conditions that were there before."""

from __future__ import annotations

import pytest

from pitviper.engines.symbolic.wands.footprint import footprint_of
from pitviper.engines.symbolic.wands.hypothetical import Packaging, Place, Transferred
from pitviper.solver.session import Path
from pitviper.terms import build as tb
from pitviper.terms.sort import BOOL
from pitviper.terms.term import Term
from tests.unit.engines.symbolic.bench_of_rules import b, context, field_chunk, holding

HALF, QUARTER = tb.rational(1, 2), tb.rational(1, 4)
CHUNK = field_chunk()
PLACE = Place(0, CHUNK.resource, 0)
P = tb.constant("p", tb.WRITE.sort)


def taken(*paths: Path, proved: tuple[Term, ...] = ()) -> Term | None:
    """What is taken of the only chunk outside; `hypothetical@0` is new, all else is old."""
    cx = context(*proved)
    packages = (Packaging(Path(), {}, ()),)
    return footprint_of(holding(CHUNK), paths, packages, cx).parts.get(PLACE)


def moved(amount: Term) -> Transferred:
    return Transferred(PLACE, amount)


@pytest.mark.smoke
def test_the_most_of_all_paths() -> None:
    one, other = Path().noting(moved(QUARTER)), Path().noting(moved(HALF))
    assert taken(one, other) is HALF
    assert taken(Path()) is None


def test_the_moves_of_one_path_are_added() -> None:
    assert taken(Path().noting(moved(QUARTER)).noting(moved(HALF))) is tb.rational(3, 4)


def test_conditions_of_the_outside_remain() -> None:
    path = Path().branch(b).noting(moved(HALF))
    assert taken(path) is tb.ite(b, HALF, tb.NONE)


def test_conditions_on_the_left_hand_side_do_not() -> None:
    inside = tb.constant("hypothetical@0", BOOL)
    assert taken(Path().branch(inside).noting(moved(HALF))) is HALF


def test_conditions_after_the_move_do_not() -> None:
    assert taken(Path().noting(moved(HALF)).branch(b)) is HALF


def test_not_more_than_there_is_and_not_less_than_nothing() -> None:
    path = Path().noting(moved(P))
    most = tb.minimum(P, tb.WRITE)
    assert taken(path) is tb.ite(tb.at_least(most, tb.NONE), most, tb.NONE)
    known = (tb.at_most(P, tb.WRITE), tb.at_least(P, tb.NONE))
    assert taken(path, proved=known) is P
    assert taken(path, proved=(tb.at_least(P, tb.WRITE),)) is tb.WRITE
