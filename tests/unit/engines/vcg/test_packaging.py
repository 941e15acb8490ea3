"""Outer terms and outer bounds of what a package needs."""

from __future__ import annotations

from pitviper.engines.vcg.state import Heap, State
from pitviper.engines.vcg.wands.packaging import Packaging
from pitviper.terms import build as tb
from pitviper.terms.sort import BOOL, PERM
from pitviper.terms.supply import Supply

supply = Supply()
c, p = supply.constant("c", BOOL), supply.constant("p", PERM)
PACKAGING = Packaging(State({}, Heap("heap@0")), supply.mark(), 0)
d, q = supply.constant("c", BOOL), supply.constant("p", PERM)
half, quarter = tb.rational(1, 2), tb.rational(1, 4)


def test_symbols_made_inside_are_not_outer() -> None:
    assert PACKAGING.is_outer(c, p, tb.plus(p, half))
    assert not PACKAGING.is_outer(d)
    assert not PACKAGING.is_outer(tb.plus(p, q))


def test_a_choice_of_the_left_hand_side_is_bounded_by_its_arms() -> None:
    choice = tb.ite(d, half, quarter)

    assert PACKAGING.upper(choice) is half
    assert PACKAGING.lower(choice) is quarter
    assert PACKAGING.upper(tb.minus(tb.WRITE, choice)) is tb.rational(3, 4)
    assert PACKAGING.lower(tb.minus(tb.WRITE, choice)) is half


def test_an_outer_choice_stays() -> None:
    choice = tb.ite(c, tb.ite(d, half, quarter), p)

    assert PACKAGING.upper(choice) is tb.ite(c, half, p)
    assert PACKAGING.upper(tb.ite(c, half, quarter)) is tb.ite(c, half, quarter)


def test_what_only_the_left_hand_side_knows_has_no_bound() -> None:
    assert PACKAGING.upper(q) is None
    assert PACKAGING.lower(tb.plus(q, half)) is None
    assert PACKAGING.upper(tb.ite(d, half, q)) is None


def test_conditions_count_as_far_as_they_are_outer() -> None:
    assert PACKAGING.outer_part((tb.conjoin(c, d), d)) is c
    assert PACKAGING.outer_part((d,)) is tb.TRUE
