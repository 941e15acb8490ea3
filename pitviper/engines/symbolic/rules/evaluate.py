"""Figure 5: evaluation of expressions.

NOTE(one-value). Where the paper's eval branches, a pure expression here is evaluated on all its
local paths and the outcomes are joined into one term (6.1), and a failed check is reported and then
taken to hold. So evaluation has exactly one outcome, and a rule is a plain function.
"""

from __future__ import annotations

from typing import assert_never

from pitviper.encoding.operators import literal_term, operands, operator_term
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.access import permission_amount, read
from pitviper.engines.symbolic.heap.chunk import (
    Resource,
    field_resource,
    predicate_resource,
    wand_resource,
)
from pitviper.engines.symbolic.outcomes import returned
from pitviper.engines.symbolic.quantified.access import with_location_trigger
from pitviper.engines.symbolic.rules import predicate as local
from pitviper.engines.symbolic.rules.application import apply_function
from pitviper.engines.symbolic.rules.forperm import eval_forperm
from pitviper.engines.symbolic.rules.quantifier import eval_quantifier
from pitviper.engines.symbolic.state import PRE_STATE, State
from pitviper.program import expr as pe
from pitviper.program.assertion import FieldLocation, Location, PredicateLocation, Wand
from pitviper.program.expr import Expr
from pitviper.program.node import Node
from pitviper.terms import build as tb
from pitviper.terms.sort import BOOL
from pitviper.terms.term import Term

Value = tuple[State, Term]


def evaluate(st: State, e: pe.Expr, cx: Context) -> Value:  # noqa: C901 - the table of contents
    """This match is the table of contents; a longer rule is a function of its own."""
    match e:
        case pe.Var(name):
            return st, st.store[name]
        case pe.Result():
            return st, st.store["result"]
        case pe.FieldRead(receiver, name):
            st, target = evaluate(st, receiver, cx)
            return read(st, field_resource(name), (target,), e, cx)
        case pe.FunctionApp(name, args):
            st, values = evaluate_all(st, args, cx)
            return apply_function(st, e, values, cx)
        case pe.And(conjuncts):
            return eval_and(st, conjuncts, cx)
        case pe.Or(disjuncts):
            return eval_or(st, disjuncts, cx)
        case pe.Implies(left, right):
            return eval_implies(st, left, right, cx)
        case pe.Conditional():
            return eval_conditional(st, e, cx)
        case pe.Old(label, operand):
            return eval_old(st, e, label, operand, cx)
        case pe.Let(variable, bound, body):
            st, value = evaluate(st, bound, cx)
            if not cx.modes.quantified:  # a value is often there just to be mentioned
                st, value = cx.named(st, variable.name, value)
            inner, result = evaluate(st.binding(variable.name, value), body, cx)
            return st.on(inner.path), result
        case pe.Unfolding():
            return local.eval_unfolding(st, e, cx)
        case pe.Asserting():
            return local.eval_asserting(st, e, cx)
        case pe.Forall() | pe.Exists():
            return eval_quantifier(st, e, cx)
        case pe.ForPerm():
            if not cx.modes.introspective:
                return st, cx.fresh("forperm", BOOL)
            return eval_forperm(st, e, cx)
        case pe.CurrentPerm(location):
            return eval_perm(st, location, cx)
        case pe.InhaleExhaleExpr(inhaled, exhaled):
            return evaluate(st, exhaled if cx.modes.exhaling else inhaled, cx)
        case pe.Applying():
            return local.eval_applying(st, e, cx)
        case pe.PermLit(value):
            return eval_permission(st, value, e, cx)
        case pe.Construct() | pe.Destruct() | pe.Discriminate() | pe.PredicateInstance():
            raise ValueError(f"{type(e).__name__} is removed by its plugin")
        case _:
            return eval_strict(st, e, cx)


def evaluate_all(st: State, es: tuple[pe.Expr, ...], cx: Context) -> tuple[State, tuple[Term, ...]]:
    """From left to right."""
    values = []
    for e in es:
        st, value = evaluate(st, e, cx)
        values.append(value)
    return st, tuple(values)


# ---------------------------------------------------------------- strict operators


def eval_strict(st: State, e: pe.Expr, cx: Context) -> Value:
    """Literals, and operators that evaluate all their operands and then check them."""
    literal = literal_term(e)
    if literal is not None:
        return st, literal
    parts = operands(e)
    if parts is None:
        raise ValueError(f"no rule evaluates {type(e).__name__}")
    st, values = evaluate_all(st, parts, cx)
    if cx.modes.checking:
        st = check_operands(st, e, values, cx)
    return st, operator_term(e, values, cx.services.symbols)


def check_operands(st: State, e: pe.Expr, values: tuple[Term, ...], cx: Context) -> State:
    """Divisors are not zero, indices are inside, keys are there."""
    match e:
        case pe.IntArith(pe.IntOp.DIV | pe.IntOp.MOD, _, divisor):
            return check_divisor(st, divisor, values[1], cx)
        case pe.PermArith(pe.PermOp.DIV | pe.PermOp.INT_DIV | pe.PermOp.FRACTION, _, divisor):
            return check_divisor(st, divisor, values[1], cx)
        case pe.SeqIndex(sequence, index) | pe.SeqUpdate(sequence, index):
            length = operator_term(pe.Cardinality(sequence), (values[0],), cx.services.symbols)
            at = values[1]
            low = tb.at_least(at, tb.integer(0))
            st = cx.check(st, low, "seq.index.negative", index, index, sequence)
            return cx.check(st, tb.less(at, length), "seq.index.length", index, index, sequence)
        case pe.MapLookup(map_, key):
            known = operator_term(
                pe.MapContains(key, map_), (values[1], values[0]), cx.services.symbols
            )
            return cx.check(st, known, "map.key.contains", key, key, map_)
        case _:
            return st


def check_divisor(st: State, divisor: pe.Expr, value: Term, cx: Context) -> State:
    zero = tb.integer(0) if value.sort is tb.integer(0).sort else tb.NONE
    return cx.check(st, tb.differ(value, zero), "division.by.zero", divisor, divisor)


def eval_permission(st: State, value: pe.PermConstant, e: pe.Expr, cx: Context) -> Value:
    """A wildcard that stands in a compound amount, which only functions may have."""
    match value:
        case pe.PermConstant.WRITE:
            return st, tb.WRITE
        case pe.PermConstant.NONE:
            return st, tb.NONE
        case pe.PermConstant.WILDCARD:
            if cx.modes.reading:
                return st, tb.WRITE
            amount = cx.fresh("wildcard", tb.WRITE.sort)
            return st.assume(tb.greater(amount, tb.NONE)), amount
        case pe.PermConstant.EPSILON:
            return unsupported_value(st, e, "epsilon", cx)
    assert_never(value)


def amount_of(st: State, e: pe.Expr, cx: Context) -> tuple[State, Term, bool]:
    """A permission amount, scaled, and whether it is a wildcard: some positive amount."""
    if isinstance(e, pe.PermLit) and e.value is pe.PermConstant.WILDCARD and not cx.modes.reading:
        amount = cx.fresh("wildcard", tb.WRITE.sort)
        return st.assume(tb.greater(amount, tb.NONE)), amount, True
    st, amount = evaluate(st, e, cx)
    free = cx.modes.scale.free and tb.greater(amount, tb.NONE) is tb.TRUE
    return st, tb.times(cx.modes.scale.amount, amount), free


def eval_perm(st: State, location: Location, cx: Context) -> Value:
    """How much is held right now; in a side of a wand that is assumed, it may be any amount."""
    st, resource, values = locate(st, location, cx)
    if not cx.modes.introspective:
        amount = cx.fresh("perm", tb.WRITE.sort)
        return st.assume(tb.at_least(amount, tb.NONE)), amount
    return with_location_trigger(st, resource, values, cx), permission_amount(st, resource, values)


# ---------------------------------------------------------------- short-circuit operators


def eval_and(st: State, conjuncts: tuple[pe.Expr, ...], cx: Context) -> Value:
    """Each conjunct is evaluated where the ones before it hold."""
    st, first = evaluate(st, conjuncts[0], cx)
    values, inner = [first], st
    for conjunct in conjuncts[1:]:
        if values[-1] is tb.FALSE:
            break
        inner = inner.on(inner.path.branch(values[-1]))
        inner, value = evaluate(inner, conjunct, cx)
        values.append(value)
    return returned(st, inner), tb.conjoin(*values)


def eval_or(st: State, disjuncts: tuple[pe.Expr, ...], cx: Context) -> Value:
    """Each disjunct is evaluated where the ones before it do not hold."""
    st, first = evaluate(st, disjuncts[0], cx)
    values, inner = [first], st
    for disjunct in disjuncts[1:]:
        if values[-1] is tb.TRUE:
            break
        inner = inner.on(inner.path.branch(tb.negate(values[-1])))
        inner, value = evaluate(inner, disjunct, cx)
        values.append(value)
    return returned(st, inner), tb.disjoin(*values)


def eval_implies(st: State, left: pe.Expr, right: pe.Expr, cx: Context) -> Value:
    st, condition = evaluate(st, left, cx)
    if condition is tb.FALSE:
        return st, tb.TRUE
    inner, value = evaluate(st.on(st.path.branch(condition)), right, cx)
    return returned(st, inner), tb.implies(condition, value)


def eval_conditional(st: State, e: pe.Conditional, cx: Context) -> Value:
    st, condition = evaluate(st, e.condition, cx)
    if condition is tb.TRUE:
        return evaluate(st, e.then, cx)
    if condition is tb.FALSE:
        return evaluate(st, e.otherwise, cx)
    inner, then = evaluate(st.on(st.path.branch(condition)), e.then, cx)
    after = returned(st, inner)
    negated = tb.negate(condition)
    inner, other = evaluate(after.on(after.path.branch(negated)), e.otherwise, cx)
    return returned(after, inner), tb.ite(condition, then, other)


# ---------------------------------------------------------------- old heaps, locations


def eval_old(st: State, e: pe.Expr, label: str | None, operand: pe.Expr, cx: Context) -> Value:
    """Only the heap is old: variables keep their values."""
    heap = st.old.get(PRE_STATE if label is None else label)
    if heap is None:
        cx.for_expression().fail(st, "labelled.state.not.reached", e, e, label or "old")
        return st, cx.fresh("unreached", cx.services.symbols.sort(e.type))
    judged = cx.trusting_in_wand() if label == "lhs" else cx
    inner, value = evaluate(st.holding(heap), operand, judged)
    return st.on(inner.path), value


def locate(st: State, location: Location, cx: Context) -> tuple[State, Resource, tuple[Term, ...]]:
    """The resource and the evaluated arguments of a location; those of a wand are its holes."""
    match location:
        case FieldLocation(receiver, field):
            st, value = evaluate(st, receiver, cx)
            return st, field_resource(field), (value,)
        case PredicateLocation(predicate, args):
            st, values = evaluate_all(st, args, cx)
            return st, predicate_resource(predicate), values
        case Wand():
            shape = cx.services.symbols.shape(location)
            st, values = evaluate_all(st, shape.holes, cx)
            return st, wand_resource(shape.name), values


def unsupported(node: Node, what: str, cx: Context) -> None:
    cx.give_up(node, f"{what}: not supported by the symbolic backend yet")


def unsupported_value(st: State, e: Expr, what: str, cx: Context) -> tuple[State, Term]:
    """Some value, so that the rest of the member is still examined."""
    unsupported(e, what, cx)
    return st, cx.fresh("unsupported", cx.services.symbols.sort(e.type))
