"""Figure 8, rule by rule, without Z3."""

import pytest

from pitviper.engines.symbolic.heap.chunk import field_resource, predicate_resource
from pitviper.engines.symbolic.rules.execute import execute
from pitviper.engines.symbolic.rules.flow import execute_body
from pitviper.engines.symbolic.state import State
from pitviper.program import expr as pe
from pitviper.program import stmt as ps
from pitviper.program.assertion import Guarded, PredicateLocation
from pitviper.program.member import Method
from pitviper.terms import build as tb
from pitviper.terms.snapshot import SNAP, wrap
from tests.unit.engines.symbolic.bench_of_rules import (
    ACC_X_F,
    STORE,
    WRITE,
    X_F,
    B,
    N,
    X,
    Y,
    b,
    cell_chunk,
    codes,
    context,
    facts,
    field_chunk,
    holding,
    n,
    program,
    v,
    x,
    y,
)

F, CELL = field_resource("f"), predicate_resource("cell")
CELL_OF_X = PredicateLocation("cell", (X,))


@pytest.mark.smoke
def test_an_assignment_changes_the_store() -> None:
    (st,) = execute(State(STORE), ps.LocalAssign(X, Y), context())
    assert st.store["x"] is y and st.store["n"] is n


def test_a_long_value_gets_a_name() -> None:
    value = pe.IntArith(pe.IntOp.ADD, N, N)
    (st,) = execute(State(STORE), ps.LocalAssign(N, value), context())
    assert tb.equal(st.store["n"], tb.plus(n, n)) in facts(st)


def test_a_store_needs_full_permission_and_changes_the_value() -> None:
    cx = context()
    (st,) = execute(holding(field_chunk()), ps.FieldAssign(X, "f", N), cx)
    assert st.heap.of(F)[0].value is n and codes(cx) == []
    list(execute(State(STORE), ps.FieldAssign(X, "f", N), cx))
    assert codes(cx) == ["assignment.failed:insufficient.permission"]


def test_a_new_object_differs_from_what_is_known() -> None:
    (st,) = execute(State(STORE), ps.New(X, ("f",)), context())
    new = st.store["x"]
    assert tb.differ(new, y) in facts(st) and tb.differ(new, x) in facts(st)
    assert st.heap.of(F)[0].args == (new,)


def test_an_exhaled_chunk_is_gone_and_an_asserted_one_stays() -> None:
    st = holding(field_chunk())
    (after,) = execute(st, ps.Exhale(ACC_X_F), context())
    assert after.heap.of(F) == ()
    (after,) = execute(st, ps.Assert(ACC_X_F), context())
    assert after.heap.of(F) == st.heap.of(F)


def test_cases_of_an_assertion_are_joined() -> None:
    st = holding(field_chunk())
    (after,) = execute(st, ps.Assert(Guarded(B, ACC_X_F)), context())
    assert after.heap is st.heap


def test_folding_takes_the_body_and_adds_the_instance() -> None:
    (st,) = execute(holding(field_chunk()), ps.Fold(CELL_OF_X, WRITE), context())
    assert st.heap.of(F) == () and st.heap.of(CELL)[0].value is wrap(v)


def test_unfolding_takes_the_instance_and_adds_the_body() -> None:
    snap = tb.constant("s", SNAP)
    (st,) = execute(holding(cell_chunk(snap)), ps.Unfold(CELL_OF_X, WRITE), context())
    assert st.heap.of(CELL) == () and st.heap.of(F)[0].args == (x,)


def test_a_call_gives_up_the_precondition_and_gets_the_postcondition() -> None:
    result = pe.Var("r", N.type)
    post = pe.Equal(result, pe.Old(None, X_F))
    method = Method("callee", (X,), (result,), (ACC_X_F,), (post,), (), None)
    cx = context(of=program(method))
    (st,) = execute(holding(field_chunk()), ps.MethodCall("callee", (X,), (N,)), cx)
    assert st.heap.of(F) == () and codes(cx) == []
    assert tb.equal(st.store["n"], v) in facts(st), "old in a postcondition is before the call"
    list(execute(State(STORE), ps.MethodCall("callee", (X,), (N,)), cx))
    assert codes(cx) == ["call.precondition:insufficient.permission"]


def test_branches_with_the_same_chunks_are_merged() -> None:
    one, two = ps.FieldAssign(X, "f", pe.IntLit(1)), ps.FieldAssign(X, "f", pe.IntLit(2))
    body = ps.Block((ps.If(B, ps.Block((one,)), ps.Block((two,))),))
    (st,) = execute_body(holding(field_chunk()), body, context())
    (chunk,) = st.heap.of(F)
    assert chunk.value is tb.ite(b, tb.integer(1), tb.integer(2))


def test_a_loop_keeps_only_what_its_invariant_says() -> None:
    loop = ps.While(B, (ACC_X_F,), (), ps.Block((ps.FieldAssign(X, "f", N),)))
    cx = context()
    (st,) = execute_body(holding(field_chunk()), ps.Block((loop,)), cx)
    (chunk,) = st.heap.of(F)
    assert chunk.value is not v and codes(cx) == []


def test_an_invariant_must_hold_on_entry_and_after_each_iteration() -> None:
    loop = ps.While(B, (ACC_X_F,), (), ps.Block((ps.Exhale(ACC_X_F),)))
    cx = context()
    execute_body(State(STORE), ps.Block((loop,)), cx)
    assert "invariant.not.established:insufficient.permission" in codes(cx)
    cx = context()
    execute_body(holding(field_chunk()), ps.Block((loop,)), cx)
    assert codes(cx) == ["invariant.not.preserved:insufficient.permission"]


def test_the_frame_of_a_loop_comes_back() -> None:
    loop = ps.While(B, (pe.BoolLit(True),), (), ps.Block(()))
    (st,) = execute_body(holding(field_chunk()), ps.Block((loop,)), context())
    assert st.heap.of(F)[0].value is v
