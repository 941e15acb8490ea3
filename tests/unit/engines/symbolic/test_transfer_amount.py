"""What is moved into a package is told in terms that existed before it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.state import State
from pitviper.engines.symbolic.wands.amount import (
    Supplier,
    amount_to_transfer,
    wildcard_to_transfer,
)
from pitviper.engines.symbolic.wands.hypothetical import Chosen, Packaging
from pitviper.solver.session import FactKind, Path
from pitviper.terms import build as tb
from pitviper.terms.sort import BOOL
from pitviper.terms.term import Term
from tests.unit.engines.symbolic.bench_of_rules import STORE, b, context

HALF, QUARTER = tb.rational(1, 2), tb.rational(1, 4)
P = tb.constant("p", tb.WRITE.sort)
INSIDE = tb.constant("hypothetical@0", BOOL)
START = State(STORE)
ALL = Supplier(0, tb.WRITE)


def packing(*proved: Term) -> Context:
    return replace(context(*proved), packages=(Packaging(Path(), {}, ()),))


@pytest.mark.smoke
def test_what_is_needed_if_it_was_known_before() -> None:
    need = tb.ite(b, HALF, QUARTER)
    assert amount_to_transfer(START, ALL, need, packing(tb.at_most(need, tb.WRITE))) is need


def test_a_bound_if_it_depends_on_the_left_hand_side() -> None:
    need = tb.ite(INSIDE, HALF, QUARTER)
    assert amount_to_transfer(START, ALL, need, packing(tb.at_most(need, HALF))) is HALF


def test_the_smallest_bound_that_is_proved() -> None:
    need = tb.ite(INSIDE, HALF, QUARTER)
    cx = packing(tb.at_most(need, QUARTER), tb.at_most(need, HALF))
    assert amount_to_transfer(START, ALL, need, cx) is QUARTER


def test_all_there_is_if_no_bound_is_known() -> None:
    unknown = tb.constant("hypothetical@1", tb.WRITE.sort)
    assert amount_to_transfer(START, ALL, unknown, packing()) is tb.WRITE


def test_not_more_than_there_is() -> None:
    supplier = Supplier(0, P)
    assert amount_to_transfer(START, supplier, HALF, packing()) is tb.minimum(P, HALF)
    assert amount_to_transfer(START, supplier, HALF, packing(tb.at_most(P, HALF))) is P


def test_a_wildcard_takes_a_part_that_means_something_outside() -> None:
    cx = packing()
    st, part = wildcard_to_transfer(START, ALL, tb.TRUE, cx)
    entry = st.path
    assert entry.kind is FactKind.GLOBAL and isinstance(entry.provenance, Chosen)
    assert cx.packages[0].on(st.path).resolved(part) is part


def test_nothing_is_moved_where_nothing_is_needed_or_there() -> None:
    cx = packing()
    assert ALL.gives_nothing(START, tb.NONE, cx)
    assert Supplier(0, tb.NONE).gives_nothing(START, HALF, cx)
    assert not ALL.gives_nothing(START, HALF, cx)
