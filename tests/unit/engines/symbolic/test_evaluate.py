"""Figure 5, rule by rule, without Z3."""

import pytest

from pitviper.engines.symbolic.rules.evaluate import evaluate
from pitviper.engines.symbolic.state import PRE_STATE, State
from pitviper.program import expr as pe
from pitviper.program.member import Function
from pitviper.program.types import INT
from pitviper.terms import build as tb
from pitviper.terms.snapshot import UNIT, wrap
from tests.unit.engines.symbolic.bench_of_rules import (
    ACC_X_F,
    STORE,
    X_F,
    B,
    N,
    X,
    b,
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


@pytest.mark.smoke
def test_variables_come_from_the_store_and_literals_are_themselves() -> None:
    cx = context()
    assert evaluate(State(STORE), X, cx)[1] is x
    assert evaluate(State(STORE), pe.IntLit(3), cx)[1] is tb.integer(3)
    assert evaluate(State(STORE), pe.NullLit(), cx)[1] is tb.constant("null", x.sort)


def test_operators_apply_to_the_values_of_their_operands() -> None:
    e = pe.Compare(pe.CompareOp.LT, N, pe.IntArith(pe.IntOp.ADD, N, pe.IntLit(1)))
    assert evaluate(State(STORE), e, context())[1] is tb.less(n, tb.plus(n, tb.integer(1)))


def test_reading_a_field_gives_the_value_of_its_chunk() -> None:
    cx = context()
    assert evaluate(holding(field_chunk()), X_F, cx)[1] is v
    assert codes(cx) == []


def test_reading_a_field_needs_permission() -> None:
    cx = context()
    evaluate(State(STORE), X_F, cx)
    assert codes(cx) == ["assert.failed:insufficient.permission"]


def test_a_chunk_with_provably_equal_receiver_is_found() -> None:
    cx = context(tb.equal(y, x))
    assert evaluate(holding(field_chunk(receiver=y)), X_F, cx)[1] is v


def test_a_chunk_of_no_permission_does_not_count() -> None:
    cx = context()
    amount = tb.constant("p", tb.WRITE.sort)
    evaluate(holding(field_chunk(amount=amount)), X_F, cx)
    assert codes(cx) == ["assert.failed:insufficient.permission"]


def test_the_right_side_of_an_implication_is_evaluated_under_the_left() -> None:
    cx = context()
    st, value = evaluate(State(STORE), pe.Implies(B, X_F_IS_ZERO), cx)
    assert codes(cx) == ["assert.failed:insufficient.permission"]
    assert b not in facts(st), "the branch ends with the implication"
    assert value is not tb.TRUE


X_F_IS_ZERO = pe.Equal(X_F, pe.IntLit(0))


def test_a_false_left_side_saves_the_right_one() -> None:
    cx = context()
    assert evaluate(State(STORE), pe.Implies(pe.BoolLit(False), X_F_IS_ZERO), cx)[1] is tb.TRUE
    assert codes(cx) == []


def test_conditionals_are_joined_into_one_value() -> None:
    e = pe.Conditional(B, pe.IntLit(1), pe.IntLit(2))
    st, value = evaluate(State(STORE), e, context())
    assert value is tb.ite(b, tb.integer(1), tb.integer(2))
    assert facts(st) == []


def test_a_divisor_must_not_be_zero() -> None:
    cx = context()
    st, _ = evaluate(State(STORE), pe.IntArith(pe.IntOp.DIV, pe.IntLit(1), N), cx)
    assert codes(cx) == ["assert.failed:division.by.zero"]
    assert tb.differ(n, tb.integer(0)) in facts(st), "goes on as if it had held"


def test_old_reads_the_old_heap_and_current_variables() -> None:
    st = State(STORE).labelled(PRE_STATE, holding(field_chunk()).heap)
    after, value = evaluate(st, pe.Old(None, X_F), context())
    assert value is v and after.heap is st.heap


def test_a_label_that_was_not_passed_is_reported() -> None:
    cx = context()
    evaluate(State(STORE), pe.Old("l", X_F), cx)
    assert codes(cx) == ["assert.failed:labelled.state.not.reached"]


def test_a_function_is_applied_to_the_snapshot_of_its_precondition() -> None:
    function = Function("g", (X,), INT, (ACC_X_F,), (), (), None)
    cx = context(of=program(function))
    st, value = evaluate(holding(field_chunk()), pe.FunctionApp("g", (X,), INT), cx)
    symbols = cx.services.symbols.function("g")
    assert value is tb.apply(symbols.full, wrap(v), x)
    assert tb.apply(symbols.holds, wrap(v), x) in facts(st)


def test_a_function_without_precondition_has_no_footprint() -> None:
    function = Function("g", (X,), INT, (), (), (), None)
    cx = context(of=program(function))
    _, value = evaluate(State(STORE), pe.FunctionApp("g", (X,), INT), cx)
    assert value is tb.apply(cx.services.symbols.function("g").full, UNIT, x)


def test_the_precondition_of_a_function_must_hold() -> None:
    function = Function("g", (X,), INT, (ACC_X_F,), (), (), None)
    cx = context(of=program(function))
    evaluate(State(STORE), pe.FunctionApp("g", (X,), INT), cx)
    assert codes(cx) == ["application.precondition:insufficient.permission"]


def test_perm_is_the_sum_of_what_may_be_meant() -> None:
    from pitviper.program.assertion import FieldLocation

    half = tb.rational(1, 2)
    st = holding(field_chunk(amount=half), field_chunk(receiver=y, amount=half))
    _, value = evaluate(st, pe.CurrentPerm(FieldLocation(X, "f")), context())
    assert value is tb.plus(half, tb.ite(tb.equal(y, x), half, tb.NONE))
