"""Packaging, without Z3: what is taken, what remains, what is said."""

from __future__ import annotations

import pytest

from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.chunk import Kind, field_resource
from pitviper.engines.symbolic.state import State
from pitviper.engines.symbolic.wands.package import exec_package
from pitviper.program.assertion import Assertion, Star, Wand
from pitviper.program.expr import BoolLit, Equal, IntLit
from pitviper.program.stmt import Block, Package
from pitviper.terms import build as tb
from tests.unit.engines.symbolic.bench_of_rules import (
    ACC_X_F,
    X_F,
    codes,
    context,
    facts,
    field_chunk,
    holding,
)

F = field_resource("f")
TRUE, FALSE = BoolLit(value=True), BoolLit(value=False)
X_F_IS_ONE = Equal(X_F, IntLit(1))


def packaged(st: State, left: Assertion, right: Assertion, cx: Context) -> State:
    return exec_package(st, Package(Wand(left, right), Block(())), cx)


def wands(st: State) -> int:
    return len([chunk for chunk in st.heap if chunk.resource.kind is Kind.WAND])


@pytest.mark.smoke
def test_what_is_missing_is_taken_and_the_wand_is_there() -> None:
    cx = context()
    st = packaged(holding(field_chunk()), TRUE, ACC_X_F, cx)
    assert (codes(cx), st.heap.of(F), wands(st)) == ([], (), 1)


def test_what_the_left_hand_side_has_is_not_taken() -> None:
    cx = context()
    st = packaged(holding(field_chunk()), ACC_X_F, ACC_X_F, cx)
    assert codes(cx) == []
    assert [chunk.amount for chunk in st.heap.of(F)] == [tb.WRITE]


def test_what_is_not_there_is_reported() -> None:
    cx = context()
    packaged(State({**holding().store}), TRUE, ACC_X_F, cx)
    assert codes(cx) == ["assert.failed:insufficient.permission"]


def test_only_definitions_remain() -> None:
    cx = context()
    before = holding(field_chunk())
    st = packaged(before, Star((ACC_X_F, FALSE)), ACC_X_F, cx)
    assert tb.FALSE not in facts(st)
    assert st.heap.of(F) == before.heap.of(F)


def test_a_left_hand_side_that_nothing_satisfies() -> None:
    cx = context()
    st = packaged(holding(field_chunk()), FALSE, ACC_X_F, cx)
    assert codes(cx) == [] and len(st.heap.of(F)) == 1
    assert ["left-hand side" in text for _, text in cx.services.log.warnings] == [True]


def test_sides_without_a_meaning_of_their_own() -> None:
    cx = context()
    packaged(holding(field_chunk()), TRUE, Star((TRUE, X_F_IS_ONE)), cx)
    assert codes(cx) == ["wand.not.wellformed:insufficient.permission"]
