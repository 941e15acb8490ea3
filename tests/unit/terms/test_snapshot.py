"""Snapshots: pairs and wrappers undo each other while building."""

from __future__ import annotations

from pitviper.terms import build as b
from pitviper.terms.snapshot import SNAP, UNIT, first, pair, second, unwrap, wrap, wrap_leaf
from pitviper.terms.sort import BOOL, INT

c = b.constant("c", BOOL)
s, t = b.constant("s", SNAP), b.constant("t", SNAP)
x, y = b.constant("x", INT), b.constant("y", INT)


def test_selectors_of_pairs() -> None:
    assert first(pair(s, t)) is s
    assert second(pair(s, t)) is t
    assert repr(first(s)) == "(Snap.first s)"
    assert repr(first(UNIT)) == "(Snap.first Snap.unit)"


def test_selectors_go_through_conditionals_with_known_arms() -> None:
    assert first(b.ite(c, pair(s, t), pair(t, s))) is b.ite(c, s, t)
    assert repr(first(b.ite(c, pair(s, t), s))) == "(Snap.first (ite ...))"


def test_wrappers() -> None:
    assert unwrap(wrap(x), INT) is x
    assert unwrap(b.ite(c, wrap(x), wrap(y)), INT) is b.ite(c, x, y)
    assert wrap(s) is s and unwrap(s, SNAP) is s
    assert wrap(x).sort is SNAP


def test_wrapping_what_was_unwrapped_needs_a_fact() -> None:
    leaf = unwrap(s, INT)
    assert wrap(leaf) is not s
    assert wrap_leaf(leaf) is s
    assert wrap_leaf(x) is wrap(x)


def test_wrappers_of_different_sorts_do_not_undo_each_other() -> None:
    assert unwrap(wrap(x), BOOL) is not x
