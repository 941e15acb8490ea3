"""Viper's expressions as terms, with the checks they need as constraints before."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, cast

from pitviper.base.record import replace
from pitviper.engines.explore.model.term import Literal, Operation, Term
from pitviper.engines.explore.model.types import BOOLEAN, INT, OBJECT, RATIONAL
from pitviper.engines.explore.viper import assertions, functions, predicates, quantifiers, wands
from pitviper.engines.explore.viper.definedness import PARTIAL, is_simple
from pitviper.engines.explore.viper.emitter import (
    FALSE,
    NOTHING,
    TRUE,
    Emitter,
    Place,
    Scope,
    amount,
    boolean,
    negated,
    number,
)
from pitviper.engines.explore.viper.types import model_type
from pitviper.program import expr as pe
from pitviper.program.walk import children

if TYPE_CHECKING:
    from pitviper.engines.explore.viper.program import Translation


def lower(e: pe.Expr, sc: Scope, out: Emitter, tr: Translation) -> Term:  # noqa: C901
    """This match is the table of contents; a longer rule is a function of its own."""

    def sub(part: pe.Expr) -> Term:
        return lower(part, sc, out, tr)

    match e:
        case pe.IntLit(value):
            return number(value)
        case pe.BoolLit(value):
            return TRUE if value else FALSE
        case pe.NullLit():
            return replace(NOTHING, type=OBJECT)
        case pe.PermLit(constant):
            return _permission(constant, out)
        case pe.Var(name):
            return sc.names[name]
        case pe.Result():
            assert sc.result is not None
            return sc.result
        case pe.Not(operand):
            return negated(sub(operand))
        case pe.And(operands):
            return _chain("and", operands, sc, out, tr)
        case pe.Or(operands):
            return _chain("or", operands, sc, out, tr)
        case pe.Implies(left, right):
            if is_simple(right):
                return boolean("implies", sub(left), sub(right))
            return _chain("or", (pe.Not(left), right), sc, out, tr)
        case pe.Conditional():
            return _conditional(e, sc, out, tr)
        case pe.IntArith() | pe.PermArith():
            return _arithmetic(e, sc, out, tr)
        case pe.Compare(op, left, right):
            return comparison(op, sub(left), sub(right))
        case pe.FieldRead():
            return _field_read(e, sc, out, tr)
        case pe.FunctionApp():
            return functions.apply(e, sc, out, tr)
        case pe.DomainApp():
            name = tr.table(e)
            return Operation("table", _all(e.args, sc, out, tr), model_type(e.type), name)
        case pe.Old():
            return _old(e, sc, out, tr)
        case pe.Let(variable, bound, body):
            kept = out.keep(sub(bound), variable.name)
            return lower(body, sc.binding({variable.name: kept}), out, tr)
        case pe.Unfolding():
            return predicates.unfolding(e, sc, out, tr)
        case pe.Asserting(assertion, body):
            assertions.check_only(assertion, replace(sc, outer=None), out, tr)
            return sub(body)
        case pe.CurrentPerm(location):
            tr.introspect(out)
            return assertions.held_amount(location, sc.held, sc, out, tr)
        case pe.InhaleExhaleExpr(inhaled, exhaled):
            return sub(inhaled if sc.assuming else exhaled)
        case pe.Forall() | pe.Exists():
            return quantifiers.quantifier(e, sc, out, tr)
        case pe.ForPerm():
            return quantifiers.for_perm(e, sc, out, tr)
        case pe.Applying():
            return wands.applying(e, sc, out, tr)
        case pe.PredicateInstance():
            out.unsupported("predicate instances as values")
            return _dummy(e)
        case _:
            return _collection(e, sc, out, tr)


def _dummy(e: pe.Expr) -> Term:
    """Behind an instruction that ends the run, a value that nobody sees."""
    return Literal(None, model_type(e.type))


def _all(args: tuple[pe.Expr, ...], sc: Scope, out: Emitter, tr: Translation) -> tuple[Term, ...]:
    return tuple([lower(arg, sc, out, tr) for arg in args])


def _permission(constant: pe.PermConstant, out: Emitter) -> Term:
    match constant:
        case pe.PermConstant.WRITE:
            return Literal(Fraction(1), RATIONAL)
        case pe.PermConstant.NONE:
            return Literal(Fraction(0), RATIONAL)
        case pe.PermConstant.WILDCARD:
            return Literal(Fraction(1, 2), RATIONAL)
        case pe.PermConstant.EPSILON:
            out.unsupported("epsilon")
            return Literal(Fraction(0), RATIONAL)


def _chain(
    operator: str, operands: tuple[pe.Expr, ...], sc: Scope, out: Emitter, tr: Translation
) -> Term:
    """From left to right, only as far as needed, where a later operand may be undefined."""
    if all(is_simple(operand) for operand in operands[1:]):
        return boolean(operator, *_all(operands, sc, out, tr))
    value, end = out.local(BOOLEAN, operator), Place()
    for position, operand in enumerate(operands):
        if position:
            out.branch(negated(value) if operator == "and" else value, end)
        out.assign(value, lower(operand, sc, out, tr))
    out.put(end)
    return value


def _conditional(e: pe.Conditional, sc: Scope, out: Emitter, tr: Translation) -> Term:
    around = out.span
    if is_simple(e.then) and is_simple(e.otherwise):
        condition = lower(e.condition, sc, out, tr)
        parts = (condition, lower(e.then, sc, out, tr), lower(e.otherwise, sc, out, tr))
        return Operation("choice", parts, model_type(e.type))
    out.at_part(e.condition)
    condition = lower(e.condition, sc, out, tr)
    value, other, end = out.local(model_type(e.type), "if"), Place(), Place()
    out.branch(negated(condition), other)
    out.at_part(e.then)
    out.assign(value, lower(e.then, sc, out, tr))
    out.jump(end)
    out.put(other)
    out.at_part(e.otherwise)
    out.assign(value, lower(e.otherwise, sc, out, tr))
    out.put(end)
    out.span = around
    return value


INT_OPERATORS = {
    pe.IntOp.ADD: "add", pe.IntOp.SUB: "sub", pe.IntOp.MUL: "mul", pe.IntOp.DIV: "div",
    pe.IntOp.MOD: "mod",
}  # fmt: skip
_PERM_OPERATORS = {
    pe.PermOp.ADD: "add", pe.PermOp.SUB: "sub", pe.PermOp.MUL: "mul", pe.PermOp.INT_MUL: "mul",
    pe.PermOp.DIV: "fraction", pe.PermOp.INT_DIV: "fraction", pe.PermOp.FRACTION: "fraction",
}  # fmt: skip


def _arithmetic(e: pe.IntArith | pe.PermArith, sc: Scope, out: Emitter, tr: Translation) -> Term:
    left, right = lower(e.left, sc, out, tr), lower(e.right, sc, out, tr)
    if e.op in PARTIAL and not (isinstance(right, Literal) and right.value):
        right = out.keep(right)
        zero = Literal(Fraction(0) if right.type == RATIONAL else 0, right.type)
        blame = sc.obligation.blame("division.by.zero", e.right, e.right)
        out.check(boolean("differ", right, zero), blame)
    if isinstance(e, pe.IntArith):
        return Operation(INT_OPERATORS[e.op], (left, right), INT)
    operator = _PERM_OPERATORS[e.op]
    if operator != "fraction":
        left, right = amount(left), amount(right)
    return Operation(operator, (left, right), RATIONAL)


def comparison(op: pe.CompareOp, left: Term, right: Term) -> Term:
    match op:
        case pe.CompareOp.LT:
            return boolean("less", left, right)
        case pe.CompareOp.LE:
            return boolean("at_most", left, right)
        case pe.CompareOp.GT:
            return boolean("less", right, left)
        case pe.CompareOp.GE:
            return boolean("at_most", right, left)


def _field_read(e: pe.FieldRead, sc: Scope, out: Emitter, tr: Translation) -> Term:
    """Some permission is needed; null has none."""
    receiver = out.keep(lower(e.receiver, sc, out, tr))
    held = Operation("held", (sc.heap, receiver), RATIONAL, e.field)
    some = boolean("less", Literal(Fraction(0), RATIONAL), held)
    out.check(some, sc.obligation.blame("insufficient.permission", e, e))
    return out.keep(Operation("read", (sc.heap, receiver), model_type(e.type), e.field), e.field)


def _old(e: pe.Old, sc: Scope, out: Emitter, tr: Translation) -> Term:
    heap = sc.old.get(e.label)
    if heap is None:
        out.unsupported("old values of a magic wand" if e.label == "lhs" else f"old[{e.label}]")
        return _dummy(e)
    inner = replace(sc, heap=heap, held=heap, outer=None)
    if e.label == "lhs" and sc.lenient:
        with out.trusting("old values of a left-hand side that does not hold them"):
            return out.keep(lower(e.operand, inner, out, tr))
    if e.label is not None and e.label != "lhs":
        passed = tr.passed(e.label)
        label = sc.obligation.blame("labelled.state.not.reached", e, e, e.label)
        out.check(passed, label)
    return out.keep(lower(e.operand, inner, out, tr))


def _collection(e: pe.Expr, sc: Scope, out: Emitter, tr: Translation) -> Term:
    """Equality, collections and algebraic data."""

    kind = model_type(e.type)
    if type(e) in OPERATORS:
        return Operation(OPERATORS[type(e)], _all(operands_of(e), sc, out, tr), kind)
    match e:
        case pe.SeqIndex() | pe.SeqUpdate():
            return _indexed(e, sc, out, tr)
        case pe.SetBinary(op, left, right):
            return Operation(_SET_OPERATORS[op], _all((left, right), sc, out, tr), kind)
        case pe.MapLookup():
            return _map_lookup(e, sc, out, tr)
        case pe.Construct(constructor, args):
            return Operation("construct", _all(args, sc, out, tr), kind, constructor)
        case pe.Discriminate(receiver, constructor):
            return boolean("is", lower(receiver, sc, out, tr), tag=constructor)
        case pe.Destruct(receiver, argument):
            tag = tr.destructor(receiver.type, argument)
            return Operation("part", (lower(receiver, sc, out, tr),), kind, tag)
        case _:
            raise TypeError(f"no rule for {type(e).__name__}")


OPERATORS: dict[type, str] = {
    pe.Equal: "equal", pe.NotEqual: "differ", pe.Negate: "neg",
    pe.SeqLit: "seq", pe.SetLit: "set", pe.MultisetLit: "multiset", pe.MapLit: "map",
    pe.SeqRange: "range", pe.SeqAppend: "append", pe.SeqTake: "take", pe.SeqDrop: "drop",
    pe.SeqContains: "seq_contains", pe.Subset: "subset", pe.SetContains: "contains",
    pe.MultisetCount: "count", pe.Cardinality: "size", pe.MapUpdate: "map_update",
    pe.MapContains: "has_key", pe.MapDomain: "keys", pe.MapRange: "values",
}  # fmt: skip
"""Operators with a value for all operands, which are evaluated from left to right."""


def operands_of(e: pe.Expr) -> tuple[pe.Expr, ...]:
    """Of an operator in this table."""
    return cast("tuple[pe.Expr, ...]", tuple(children(e)))


_SET_OPERATORS = {
    pe.SetOp.UNION: "union",
    pe.SetOp.INTERSECTION: "intersection",
    pe.SetOp.DIFFERENCE: "difference",
}


def _indexed(e: pe.SeqIndex | pe.SeqUpdate, sc: Scope, out: Emitter, tr: Translation) -> Term:
    sequence, at = out.keep(lower(e.sequence, sc, out, tr)), out.keep(lower(e.index, sc, out, tr))
    value = lower(e.value, sc, out, tr) if isinstance(e, pe.SeqUpdate) else None
    negative = sc.obligation.blame("seq.index.negative", e.index, e.index, e.sequence)
    out.check(boolean("at_most", number(0), at), negative)
    beyond = sc.obligation.blame("seq.index.length", e.index, e.index, e.sequence)
    out.check(boolean("less", at, Operation("size", (sequence,), INT)), beyond)
    kind = model_type(e.type)
    if value is None:
        return out.keep(Operation("index", (sequence, at), kind))
    return out.keep(Operation("update", (sequence, at, value), kind))


def _map_lookup(e: pe.MapLookup, sc: Scope, out: Emitter, tr: Translation) -> Term:
    collection, key = out.keep(lower(e.map, sc, out, tr)), out.keep(lower(e.key, sc, out, tr))
    blame = sc.obligation.blame("map.key.contains", e.key, e.key, e.map)
    out.check(boolean("has_key", key, collection), blame)
    return out.keep(Operation("lookup", (collection, key), model_type(e.type)))
