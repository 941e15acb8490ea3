"""Inhale-exhale pairs: sides and snapshots."""

from __future__ import annotations

from pitviper.encoding.inhale_exhale import exhaled_side, flattened, inhaled_snapshot
from pitviper.program.assertion import InhaleExhale, Star
from pitviper.program.expr import BoolLit, Compare, CompareOp, InhaleExhaleExpr, IntLit
from pitviper.terms import build as tb
from pitviper.terms.snapshot import SNAP
from tests.unit.engines.symbolic.bench_of_rules import ACC_CELL, ACC_X_F, X_F

TRUE = BoolLit(value=True)
POSITIVE = Compare(CompareOp.GT, X_F, IntLit(0))
s = tb.constant("s", SNAP)


def test_the_exhaled_side_has_no_pairs() -> None:
    whole = Star((InhaleExhale(TRUE, ACC_X_F), InhaleExhaleExpr(TRUE, POSITIVE)))

    assert exhaled_side(whole) == Star((ACC_X_F, POSITIVE))
    assert exhaled_side(ACC_X_F) is ACC_X_F


def test_a_side_that_is_a_conjunction_becomes_part_of_the_one_around_it() -> None:
    whole = Star((POSITIVE, InhaleExhale(TRUE, Star((ACC_X_F, POSITIVE)))))

    assert exhaled_side(whole) == Star((POSITIVE, ACC_X_F, POSITIVE))
    assert flattened((Star((ACC_X_F, Star((ACC_CELL, TRUE)))), TRUE)) == (
        ACC_X_F, ACC_CELL, TRUE, TRUE,
    )  # fmt: skip


def test_sides_that_hold_the_same_share_their_snapshot() -> None:
    pair = InhaleExhale(Star((ACC_X_F, POSITIVE)), Star((ACC_X_F, TRUE)))

    assert inhaled_snapshot(s, pair) is s


def test_values_are_not_exchanged_between_different_locations() -> None:
    pair = InhaleExhale(Star((ACC_X_F, ACC_CELL)), Star((ACC_CELL, ACC_X_F)))

    assert inhaled_snapshot(s, pair) is not s
    assert inhaled_snapshot(s, pair) is inhaled_snapshot(s, pair)
