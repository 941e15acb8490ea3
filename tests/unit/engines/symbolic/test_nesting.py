"""Predicate instances inside others."""

from __future__ import annotations

from pitviper.engines.symbolic.heap import nesting
from pitviper.engines.symbolic.heap.chunk import Chunk, Instance, predicate_resource
from pitviper.engines.symbolic.state import State
from pitviper.terms import build as tb
from pitviper.terms.snapshot import UNIT
from tests.unit.engines.symbolic.bench_of_rules import cell_chunk, facts, field_chunk, holding, x, y

CELL = predicate_resource("cell")


def test_the_parts_of_an_instance_are_in_it_and_in_all_around_it() -> None:
    outer = Instance(CELL, (y,), tb.TRUE)
    heap = holding(Chunk(CELL, (x,), UNIT, tb.WRITE, around=(outer,))).heap

    assert nesting.around(heap, CELL, (x,)) == (Instance(CELL, (x,), tb.TRUE), outer)
    assert nesting.around(heap, CELL, (y,)) == (Instance(CELL, (y,), tb.TRUE),)


def test_what_was_taken_for_a_fold_is_inside() -> None:
    deeper = Instance(CELL, (y,), tb.TRUE)
    before = holding(Chunk(CELL, (x,), UNIT, tb.WRITE, inside=(deeper,)), field_chunk()).heap
    after = holding(field_chunk()).heap

    assert nesting.inside(before, after) == (Instance(CELL, (x,), tb.TRUE), deeper)
    assert nesting.inside(before, before) == ()


def test_what_may_have_been_taken_is_inside_under_that_condition() -> None:
    left = tb.constant("left", tb.WRITE.sort)
    before = holding(cell_chunk(UNIT)).heap
    after = holding(Chunk(CELL, (x,), UNIT, left)).heap

    (found,) = nesting.inside(before, after)

    assert found.condition is tb.greater(tb.minus(tb.WRITE, left), tb.NONE)


def test_an_instance_is_not_inside_itself() -> None:
    st = nesting.apart(State({}), Instance(CELL, (x,), tb.TRUE), (Instance(CELL, (y,), tb.TRUE),))

    assert facts(st) == [tb.differ(x, y)]
    itself = Instance(CELL, (x,), tb.TRUE)
    assert nesting.apart(State({}), itself, (itself,)).is_over


def test_instances_of_different_predicates_may_have_the_same_arguments() -> None:
    other = Instance(predicate_resource("box"), (x,), tb.TRUE)

    assert facts(nesting.apart(State({}), Instance(CELL, (x,), tb.TRUE), (other,))) == []
