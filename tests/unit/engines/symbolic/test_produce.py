"""Figure 6, rule by rule, without Z3."""

import pytest

from pitviper.engines.symbolic.heap.chunk import field_resource, predicate_resource
from pitviper.engines.symbolic.rules.produce import produce_all
from pitviper.engines.symbolic.state import State
from pitviper.program import expr as pe
from pitviper.program.assertion import Access, Choice, FieldLocation, Guarded, InhaleExhale, Star
from pitviper.terms import build as tb
from pitviper.terms.snapshot import SNAP, first, second, unwrap
from tests.unit.engines.symbolic.bench_of_rules import (
    ACC_CELL,
    ACC_X_F,
    STORE,
    X_F,
    B,
    X,
    b,
    cell_chunk,
    codes,
    context,
    facts,
    field_chunk,
    holding,
    n,
    v,
    x,
)

F, CELL = field_resource("f"), predicate_resource("cell")


@pytest.mark.smoke
def test_a_pure_fact_is_assumed() -> None:
    (st,) = produce_all(State(STORE), (B,), None, context())
    assert facts(st) == [b]


def test_false_ends_the_path() -> None:
    assert list(produce_all(State(STORE), (pe.BoolLit(False),), None, context())) == []


def test_an_access_adds_a_chunk_of_an_object_that_exists() -> None:
    (st,) = produce_all(State(STORE), (ACC_X_F,), None, context())
    (chunk,) = st.heap.of(F)
    assert chunk.args == (x,) and chunk.amount is tb.WRITE
    assert tb.differ(x, tb.constant("null", x.sort)) in facts(st)


def test_more_of_a_held_location_keeps_its_value() -> None:
    half = tb.rational(1, 2)
    st = holding(field_chunk(amount=half))
    amount = pe.PermArith(pe.PermOp.FRACTION, pe.IntLit(1), pe.IntLit(2))
    (st,) = produce_all(st, (Access(FieldLocation(X, "f"), amount),), None, context())
    (chunk,) = st.heap.of(F)
    assert chunk.value is v and chunk.amount is tb.WRITE


def test_an_amount_must_not_be_negative() -> None:
    cx = context()
    amount = pe.PermArith(pe.PermOp.FRACTION, pe.Var("n", pe.IntLit(0).type), pe.IntLit(2))
    list(produce_all(State(STORE), (Access(FieldLocation(X, "f"), amount),), None, cx))
    assert codes(cx) == ["assert.failed:negative.permission"]


def test_conjuncts_see_what_earlier_ones_brought() -> None:
    cx = context()
    fact = pe.Equal(X_F, pe.IntLit(0))
    (st,) = produce_all(State(STORE), (Star((ACC_X_F, fact)),), None, cx)
    (chunk,) = st.heap.of(F)
    assert codes(cx) == []
    assert tb.equal(chunk.value, tb.integer(0)) in facts(st)


def test_an_assertion_must_frame_itself() -> None:
    cx = context()
    fact = pe.Equal(X_F, pe.IntLit(0))
    list(produce_all(State(STORE), (Star((fact, ACC_X_F)),), None, cx))
    assert codes(cx) == ["assert.failed:insufficient.permission"]


def test_conditions_split_the_path() -> None:
    then, other = produce_all(State(STORE), (Guarded(B, ACC_X_F),), None, context())
    assert len(then.heap.of(F)) == 1 and b in facts(then)
    assert len(other.heap.of(F)) == 0 and tb.negate(b) in facts(other)


def test_a_side_that_the_path_refutes_is_not_taken() -> None:
    st = State(STORE).assume(b)
    (only,) = produce_all(st, (Choice(B, ACC_X_F, ACC_CELL),), None, context())
    assert len(only.heap.of(F)) == 1 and len(only.heap.of(CELL)) == 0


def test_values_come_from_the_snapshot() -> None:
    snap = tb.constant("s", SNAP)
    (st,) = produce_all(State(STORE), (Star((ACC_X_F, ACC_CELL)),), snap, context())
    assert st.heap.of(F)[0].value is unwrap(first(snap), n.sort)
    assert st.heap.of(CELL)[0].value is second(snap)


def test_the_inhaled_side_of_a_pair_counts() -> None:
    pair = InhaleExhale(ACC_X_F, ACC_CELL)
    (st,) = produce_all(State(STORE), (pair,), None, context())
    assert len(st.heap.of(F)) == 1 and cell_chunk(tb.constant("s", SNAP)) not in list(st.heap)
