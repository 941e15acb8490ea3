"""Chunks of one field that may or may not be of one object."""

from __future__ import annotations

from pitviper.engines.symbolic.heap.chunk import Chunk, field_resource
from pitviper.engines.symbolic.heap.consolidate import consolidated, same_args
from pitviper.terms import build as tb
from tests.unit.engines.symbolic.bench_of_rules import context, facts, holding, v, x, y

F = field_resource("f")
HALF = tb.rational(1, 2)


def test_wholes_are_of_different_objects_without_a_question() -> None:
    st = holding(Chunk(F, (x,), v, tb.WRITE), Chunk(F, (y,), v, tb.WRITE))
    same = same_args((x,), (y,))

    after = consolidated(st, F, context(same))  # it would be proved

    assert len(after.heap.of(F)) == 2
    assert tb.negate(same) in facts(after)


def test_halves_of_one_object_are_merged() -> None:
    st = holding(Chunk(F, (x,), v, HALF), Chunk(F, (y,), v, HALF))

    (chunk,) = consolidated(st, F, context(same_args((x,), (y,)))).heap.of(F)

    assert chunk.amount is tb.WRITE
