"""Values that a folded instance may hide."""

from __future__ import annotations

from pitviper.engines.symbolic.rules.clauses import may_be_hidden
from pitviper.engines.symbolic.state import PRE_STATE, State
from pitviper.program.expr import Compare, CompareOp, FunctionApp, IntLit
from pitviper.program.types import INT
from pitviper.terms.snapshot import UNIT
from tests.unit.engines.symbolic.bench_of_rules import (
    X_F,
    X,
    cell_chunk,
    context,
    field_chunk,
    holding,
)

CLAIM = Compare(CompareOp.GT, X_F, IntLit(0))


def test_a_location_that_no_instance_can_hold_is_not_hidden() -> None:
    assert not may_be_hidden(State({}), CLAIM, context())
    assert not may_be_hidden(holding(field_chunk()), CLAIM, context())


def test_an_instance_with_the_field_in_its_body_may_hide_it() -> None:
    held = holding(cell_chunk(UNIT))

    assert may_be_hidden(held, CLAIM, context())
    assert may_be_hidden(State({}).labelled(PRE_STATE, held.heap), CLAIM, context())


def test_the_value_of_a_function_is_always_taken_for_hidden() -> None:
    claim = Compare(CompareOp.GT, FunctionApp("g", (X,), INT), IntLit(0))

    assert may_be_hidden(State({}), claim, context())
