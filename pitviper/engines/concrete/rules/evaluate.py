"""The value of an expression in a state.

`evaluate_raw` leaves values undecided as far as it can; `evaluate` decides. Evaluation is from
left to right, and an expression that is not well-defined ends the run as a failure.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from pitviper.base.record import replace
from pitviper.engines.concrete.heap.heap import Closures, FieldAt, Heap, Snapshot
from pitviper.engines.concrete.rules import consume as consume_rules
from pitviper.engines.concrete.rules import function as function_rules
from pitviper.engines.concrete.rules import predicate, quantifier, wand
from pitviper.engines.concrete.run import Run
from pitviper.engines.concrete.state import RESULT, UNSETTLED, State
from pitviper.engines.concrete.values import arithmetic, collection, symbol
from pitviper.engines.concrete.values.choose import force
from pitviper.engines.concrete.values.unknown import Hole, Raw
from pitviper.engines.shared.values import NULL, Ref, Value
from pitviper.program import expr as pe
from pitviper.program.expr import Applying, Asserting, Expr, Let, Old, Unfolding


def evaluate(st: State, e: pe.Expr, run: Run) -> Value:
    return force(evaluate_raw(st, e, run), run)


def evaluate_all(st: State, es: Sequence[pe.Expr], run: Run) -> tuple[Value, ...]:
    return tuple([evaluate(st, e, run) for e in es])


def integer(st: State, e: pe.Expr, run: Run) -> int:
    value = evaluate(st, e, run)
    assert isinstance(value, int)
    return value


def boolean(st: State, e: pe.Expr, run: Run) -> bool:
    value = evaluate(st, e, run)
    assert isinstance(value, bool)
    return value


def fraction(st: State, e: pe.Expr, run: Run) -> Fraction:
    value = evaluate(st, e, run)
    assert isinstance(value, Fraction)
    return value


def reference(st: State, e: pe.Expr, run: Run) -> Ref:
    value = evaluate(st, e, run)
    assert isinstance(value, Ref)
    return value


def evaluate_raw(st: State, e: pe.Expr, run: Run) -> Raw:  # noqa: C901 - the table of contents
    """This match is the table of contents; a longer rule is a function of its own."""
    match e:
        case pe.IntLit(value) | pe.BoolLit(value):
            return value
        case pe.NullLit():
            return NULL
        case pe.PermLit():
            return arithmetic.constant(e, run)
        case pe.Var(name):
            return run.unknowns.look(st.store[name])
        case pe.Result():
            return run.unknowns.look(st.store[RESULT])
        case pe.Not(operand):
            return not boolean(st, operand, run)
        case pe.And(operands):
            return eval_and(st, operands, run)
        case pe.Or(operands):
            return eval_or(st, operands, run)
        case pe.Implies(left, right):
            return not boolean(st, left, run) or boolean(st, right, run)
        case pe.Conditional(condition, then, otherwise):
            return evaluate_raw(st, then if boolean(st, condition, run) else otherwise, run)
        case pe.Equal(left, right):
            return eval_equal(st, left, right, run)
        case pe.NotEqual(left, right):
            return not eval_equal(st, left, right, run)
        case pe.Negate() | pe.IntArith() | pe.PermArith() | pe.Compare():
            return arithmetic.evaluate_arithmetic(st, e, run)
        case pe.FieldRead():
            return eval_field_read(st, e, run)
        case pe.FunctionApp():
            return function_rules.apply_function(st, e, run)
        case pe.DomainApp() | pe.Construct() | pe.Destruct() | pe.Discriminate():
            return symbol.apply_symbol(st, e, run)
        case pe.Old() | pe.Let() | pe.Unfolding() | pe.Applying() | pe.Asserting():
            return evaluate_scoped(st, e, run)
        case pe.CurrentPerm():
            return quantifier.current_permission(st, e, run)
        case pe.InhaleExhaleExpr(inhaled, exhaled):
            return evaluate_raw(st, inhaled if st.assuming else exhaled, run)
        case pe.Forall() | pe.Exists() | pe.ForPerm():
            return quantifier.evaluate_quantifier(st, e, run)
        case pe.PredicateInstance():
            run.cannot("a predicate instance as a value", e)
        case _:
            return collection.evaluate_collection(st, e, run)


def eval_and(st: State, operands: Sequence[pe.Expr], run: Run) -> bool:
    for operand in operands:  # noqa: SIM110 - a generator costs C stack at each level
        if not boolean(st, operand, run):
            return False
    return True


def eval_or(st: State, operands: Sequence[pe.Expr], run: Run) -> bool:
    for operand in operands:  # noqa: SIM110
        if boolean(st, operand, run):
            return True
    return False


def eval_equal(st: State, left: pe.Expr, right: pe.Expr, run: Run) -> bool:
    """Two undecided values that are one need no decision."""
    a, b = evaluate_raw(st, left, run), evaluate_raw(st, right, run)
    a = run.unknowns.look(a)
    if isinstance(a, Hole) and a == b:
        return True
    return force(a, run) == force(b, run)


def eval_field_read(st: State, e: pe.FieldRead, run: Run) -> Raw:
    """Some permission is needed; null has none."""
    receiver = reference(st, e.receiver, run)
    chunk = st.chunk(FieldAt(receiver, e.field))
    if chunk is None:
        run.fail("insufficient.permission", e, e)
    content = chunk.content
    assert not isinstance(content, Snapshot | Closures)
    return run.unknowns.look(content)


Scoped: TypeAlias = Old | Let | Unfolding | Applying | Asserting


def evaluate_scoped(st: State, e: Scoped, run: Run) -> Raw:
    scope, body = enter(st, e, run)
    return evaluate_raw(scope, body, run)


def enter(st: State, e: Scoped, run: Run) -> tuple[State, Expr]:
    """The state in which the body of `e` is evaluated, and that body."""
    match e:
        case Old(label, operand):
            return replace(st, heap=_old_heap(st, e, label, run), outer=(), exhaled=None), operand
        case Let(variable, bound, body):
            return st.binding(variable.name, evaluate_raw(st, bound, run)), body
        case Unfolding(location, amount, body):
            return predicate.unfold(_unsettled(st), location, amount, run), body
        case Applying(applied, body):
            return wand.apply_wand(_unsettled(st), applied, run), body
        case Asserting(assertion, body):
            consume_rules.consume(st, assertion, run)
            return st, body


def _old_heap(st: State, e: Old, label: str | None, run: Run) -> Heap:
    heap = st.old.get(label)
    if heap is None:
        run.fail("labelled.state.not.reached", e, e, str(label))
    return heap


def _unsettled(st: State) -> State:
    """What is held in the middle of an exhale, after an unfolding, has no definite answer."""
    if st.exhaled is None or st.exhaled.chunks == st.heap.chunks:
        return replace(st, exhaled=None)
    return replace(st, exhaled=UNSETTLED)
