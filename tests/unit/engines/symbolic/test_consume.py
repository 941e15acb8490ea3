"""Figure 7, rule by rule, without Z3."""

import pytest

from pitviper.engines.symbolic.heap.chunk import field_resource
from pitviper.engines.symbolic.rules.consume import consume_all
from pitviper.engines.symbolic.state import State
from pitviper.program import expr as pe
from pitviper.program.assertion import (
    Access,
    FieldLocation,
    Guarded,
    InhaleExhale,
    PredicateLocation,
    Star,
)
from pitviper.terms import build as tb
from pitviper.terms.snapshot import SNAP, UNIT, pair, wrap
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
    v,
)

F = field_resource("f")
HALF = pe.PermArith(pe.PermOp.FRACTION, pe.IntLit(1), pe.IntLit(2))


def start(st: State) -> State:
    return st.leaving(st.heap)


@pytest.mark.smoke
def test_a_pure_fact_must_follow_from_the_path() -> None:
    cx = context()
    ((st, snap),) = consume_all(start(State(STORE).assume(b)), (B,), cx)
    assert snap is UNIT and codes(cx) == []
    ((st, _),) = consume_all(start(State(STORE)), (B,), cx)
    assert codes(cx) == ["assert.failed:assertion.false"]
    assert b in facts(st), "goes on as if it had held"


def test_each_conjunct_fails_on_its_own() -> None:
    cx = context()
    list(consume_all(start(State(STORE).assume(b)), (pe.And((B, pe.Not(B))),), cx))
    (finding,) = cx.services.log.findings.values()
    assert "!b" in finding.message


def test_an_access_takes_the_chunk_and_gives_its_value() -> None:
    cx = context()
    ((st, snap),) = consume_all(start(holding(field_chunk())), (ACC_X_F,), cx)
    assert st.held.of(F) == () and snap is wrap(v) and codes(cx) == []


def test_a_part_leaves_the_rest() -> None:
    ((st, _),) = consume_all(
        start(holding(field_chunk())), (Access(FieldLocation(X, "f"), HALF),), context()
    )
    (chunk,) = st.held.of(F)
    assert chunk.amount is tb.rational(1, 2) and chunk.value is v


def test_a_missing_chunk_is_reported_and_ends_the_path() -> None:
    cx = context()
    ((st, _),) = consume_all(start(State(STORE)), (ACC_X_F,), cx)
    assert codes(cx) == ["assert.failed:insufficient.permission"]
    assert st.is_over


def test_expressions_are_evaluated_in_the_heap_before() -> None:
    cx = context(tb.equal(v, tb.integer(0)))
    fact = pe.Equal(X_F, pe.IntLit(0))
    list(consume_all(start(holding(field_chunk())), (Star((ACC_X_F, fact)),), cx))
    assert codes(cx) == []


def test_perm_looks_at_what_is_left() -> None:
    cx = context()
    gone = pe.Equal(pe.CurrentPerm(FieldLocation(X, "f")), pe.PermLit(pe.PermConstant.NONE))
    list(consume_all(start(holding(field_chunk())), (Star((ACC_X_F, gone)),), cx))
    assert codes(cx) == []


def test_snapshots_of_conjuncts_are_paired() -> None:
    snap = tb.constant("s", SNAP)
    st = holding(field_chunk(), cell_chunk(snap))
    ((_, taken),) = consume_all(start(st), (Star((ACC_X_F, ACC_CELL)),), context())
    assert taken is pair(wrap(v), snap)


def test_conditions_split_the_path() -> None:
    outcomes = list(consume_all(start(holding(field_chunk())), (Guarded(B, ACC_X_F),), context()))
    assert [len(st.held.of(F)) for st, _ in outcomes] == [0, 1]


def test_a_wildcard_leaves_something() -> None:
    wildcard = pe.PermLit(pe.PermConstant.WILDCARD)
    cx = context()
    ((st, _),) = consume_all(
        start(holding(field_chunk())), (Access(FieldLocation(X, "f"), wildcard),), cx
    )
    (chunk,) = st.held.of(F)
    assert codes(cx) == [] and chunk.value is v and chunk.amount is not tb.WRITE


def test_no_permission_is_always_there() -> None:
    none = pe.PermLit(pe.PermConstant.NONE)
    cx = context()
    list(consume_all(start(State(STORE)), (Access(FieldLocation(X, "f"), none),), cx))
    assert codes(cx) == []


def test_the_exhaled_side_of_a_pair_counts() -> None:
    cx = context()
    both = InhaleExhale(Access(PredicateLocation("cell", (X,)), HALF), ACC_X_F)
    ((st, _),) = consume_all(start(holding(field_chunk())), (both,), cx)
    assert codes(cx) == [] and st.held.of(F) == ()
