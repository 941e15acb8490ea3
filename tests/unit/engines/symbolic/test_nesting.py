"""Predicate instances inside others."""

from __future__ import annotations

from pitviper.engines.symbolic.heap import nesting
from pitviper.engines.symbolic.heap.chunk import Chunk, Instance, predicate_resource
from pitviper.engines.symbolic.state import State
from pitviper.terms import build as tb
from pitviper.terms.snapshot import UNIT
from tests.unit.engines.symbolic.bench_of_rules import (
    cell_chunk,
    context,
    facts,
    field_chunk,
    holding,
    x,
    y,
)

CELL = predicate_resource("cell")


def test_the_parts_of_an_instance_are_in_it_and_in_all_around_it() -> None:
    outer = Instance(CELL, (y,), tb.TRUE)
    st = holding(Chunk(CELL, (x,), UNIT, tb.WRITE, around=(outer,)))

    assert nesting.around(st, CELL, (x,), context()) == (Instance(CELL, (x,), tb.TRUE), outer)
    assert nesting.around(st, CELL, (y,), context()) == (Instance(CELL, (y,), tb.TRUE),)


def test_an_instance_of_which_nothing_is_held_was_in_nothing() -> None:
    some = tb.constant("some", tb.WRITE.sort)
    outer = Instance(CELL, (y,), tb.TRUE)
    st = holding(Chunk(CELL, (x,), UNIT, some, around=(outer,)))

    _, found = nesting.around(st, CELL, (x,), context())

    assert found.condition is tb.greater(some, tb.NONE)


def test_what_a_fold_gave_away_is_inside_with_what_was_in_it() -> None:
    deeper = Instance(CELL, (y,), tb.TRUE)
    before = holding(Chunk(CELL, (x,), UNIT, tb.WRITE, inside=(deeper,)), field_chunk())
    after = nesting.given(before, CELL, (x,), tb.WRITE)

    inside = nesting.inside(before, after.path, context())

    assert inside == (Instance(CELL, (x,), tb.TRUE), deeper)
    assert nesting.inside(before, before.path, context()) == ()


def test_an_amount_that_may_be_none_is_inside_under_that_condition() -> None:
    some = tb.constant("some", tb.WRITE.sort)
    before = holding(cell_chunk(UNIT))
    after = nesting.given(before, CELL, (x,), some)

    (found,) = nesting.inside(before, after.path, context())

    assert found.condition is tb.greater(some, tb.NONE)


def test_an_instance_is_not_inside_itself() -> None:
    st = nesting.apart(State({}), Instance(CELL, (x,), tb.TRUE), (Instance(CELL, (y,), tb.TRUE),))

    assert facts(st) == [tb.differ(x, y)]
    itself = Instance(CELL, (x,), tb.TRUE)
    assert nesting.apart(State({}), itself, (itself,)).is_over


def test_instances_of_different_predicates_may_have_the_same_arguments() -> None:
    other = Instance(predicate_resource("box"), (x,), tb.TRUE)

    assert facts(nesting.apart(State({}), Instance(CELL, (x,), tb.TRUE), (other,))) == []
