"""Which predicate instances lie inside another one: learnt where that one is unfolded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from pitviper.base.record import record, replace
from pitviper.plugins.build import NameSupply, conjunction, implication, instantiate, is_true
from pitviper.plugins.termination.measures import NESTED, Orders
from pitviper.plugins.termination.obligation import Ledger, helper
from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program.member import Predicate
from pitviper.program.node import Node
from pitviper.program.stmt import DecreasesTuple, Inhale, Label, Stmt, Unfold
from pitviper.program.walk import descendants, free_vars, rewrite
from pitviper.source.span import Span


@record
class Nesting:
    """What the facts about one program are made of."""

    predicates: Mapping[str, Predicate]
    orders: Orders
    names: NameSupply

    def unfold(self, statement: Unfold) -> list[Stmt]:
        """Unfold, then assume that the instances that came out were inside.

        The opened instance is the one of the state before; the arguments are evaluated there.
        """
        location = statement.predicate
        label = self.names.fresh("before_unfold")
        instance = pe.PredicateInstance(location.predicate, location.args, span=location.span)
        fact = self._facts(location, pe.Old(label, instance, span=location.span))
        if is_true(fact):
            return [statement]
        known = Inhale(fact, annotations=helper(), span=statement.span)
        return [Label(label, (), span=statement.span), statement, known]

    def _facts(self, location: pa.PredicateLocation, outer: pe.Expr) -> pe.Expr:
        predicate = self.predicates[location.predicate]
        if predicate.body is None:
            return pe.BoolLit(value=True, span=location.span)
        formals = [parameter.name for parameter in predicate.params]
        values = dict(zip(formals, location.args, strict=True))
        return self._inside(instantiate(predicate.body, values, self.names), outer)

    def _inside(self, body: pa.Assertion, outer: pe.Expr) -> pe.Expr:
        """The instances that an unfolded body holds, under the conditions in front of them."""
        span = outer.span
        match body:
            case pa.Star(conjuncts):
                return conjunction([self._inside(part, outer) for part in conjuncts], span)
            case pa.Guarded(condition, inner):
                return implication(condition, self._inside(inner, outer), span)
            case pa.Choice(condition, then, otherwise):
                negated = pe.Not(condition, span=condition.span)
                first = implication(condition, self._inside(then, outer), span)
                return conjunction(
                    (first, implication(negated, self._inside(otherwise, outer), span)), span
                )
            case pa.Binding(variable, bound, inner):
                fact = self._inside(inner, outer)
                return fact if is_true(fact) else pe.Let(variable, bound, fact, span=span)
            case pa.InhaleExhale():  # what it brings need not be what went in
                return pe.BoolLit(value=True, span=span)
            case _:
                return self._held(body, outer)

    def _held(self, body: pa.Assertion, outer: pe.Expr) -> pe.Expr:
        match body:
            case pa.Access(pa.PredicateLocation() as location, amount):
                return self._nested(location, amount, outer)
            case pa.QuantifiedPermission(
                variables, _, condition, pa.Access(pa.PredicateLocation() as location, amount)
            ):
                fact = self._nested(location, amount, outer)
                fact = implication(condition, fact, outer.span)
                triggers = _triggers(variables, location)
                return pe.Forall(variables, triggers, fact, body.weight, span=outer.span)
            case _:
                return pe.BoolLit(value=True, span=outer.span)

    def _nested(self, location: pa.PredicateLocation, amount: pe.Expr, outer: pe.Expr) -> pe.Expr:
        inner = pe.PredicateInstance(location.predicate, location.args, span=location.span)
        fact = self.orders.is_nested(inner, outer, outer.span)
        if is_surely_positive(amount):
            return fact
        return implication(is_positive(amount), fact, outer.span)


_TRIGGER_PARTS = (
    pe.Var, pe.IntLit, pe.BoolLit, pe.NullLit, pe.PermLit, pe.FieldRead, pe.DomainApp,
    pe.FunctionApp, pe.SeqIndex, pe.MapLookup,
)  # fmt: skip


def _triggers(
    variables: Sequence[pe.Var], location: pa.PredicateLocation
) -> tuple[pe.Trigger, ...]:
    """The inner instance, where it can be a trigger: it occurs in the measure of a call."""
    nodes = [node for argument in location.args for node in descendants(argument)]
    if not {variable.name for variable in variables} <= free_vars(location):
        return ()
    if not all([isinstance(node, _TRIGGER_PARTS) for node in nodes]):
        return ()
    instance = pe.PredicateInstance(location.predicate, location.args, span=location.span)
    return (pe.Trigger((instance,), span=location.span),)


def has_instances(clause: DecreasesTuple, orders: Orders, ledger: Ledger) -> bool:
    """Whether a tuple compares predicate instances; reported if the relation is missing."""
    compared = any([measure.type == pe.PREDICATE_INSTANCE for measure in clause.measures])
    if compared and orders.nested is None:
        ledger.report_missing(NESTED, clause.span)
        return False
    return compared


N = TypeVar("N", bound=Node)


def with_binary_amounts(node: N) -> N:
    """Every amount becomes `wildcard`, under the condition that it was positive."""
    return rewrite(node, _rule)


def _rule(node: Node) -> Node | None:
    match node:
        case pa.Access(_, amount):
            return _access(node) if not _is_constant(amount) else _constant(node)
        case pa.QuantifiedPermission():
            return _with_own_condition(node, node.resource)
        case pe.Unfolding():
            return replace(node, amount=_wildcard(node.amount.span))
        case _:
            return None


def _constant(access: pa.Access) -> pa.Access:
    """`none` stays what it is."""
    if access.amount == pe.PermLit(pe.PermConstant.NONE):
        return access
    return replace(access, amount=_wildcard(access.amount.span))


def _access(access: pa.Access) -> pa.Guarded:
    return pa.Guarded(
        is_positive(access.amount),
        replace(access, amount=_wildcard(access.amount.span)),
        span=access.span,
    )


def _with_own_condition(node: pa.QuantifiedPermission, resource: Node) -> Node | None:
    """The condition under which a rewritten resource is held joins that of the quantifier."""
    if not (isinstance(resource, pa.Guarded) and isinstance(resource.body, pa.Access)):
        return None
    both = conjunction((node.condition, resource.condition), node.condition.span)
    return replace(node, condition=both, resource=resource.body)


def _is_constant(amount: pe.Expr) -> bool:
    """A permission literal or a fraction of two positive numbers."""
    match amount:
        case pe.PermLit():
            return True
        case pe.PermArith(pe.PermOp.FRACTION, pe.IntLit(left), pe.IntLit(right)):
            return left > 0 and right > 0
        case _:
            return False


def is_surely_positive(amount: pe.Expr) -> bool:
    return _is_constant(amount) and amount != pe.PermLit(pe.PermConstant.NONE)


def is_positive(amount: pe.Expr) -> pe.Expr:
    """`amount > none`, where a `wildcard` inside the amount counts as `write`."""
    none = pe.PermLit(pe.PermConstant.NONE, span=amount.span)
    return pe.Compare(pe.CompareOp.GT, rewrite(amount, _without_wildcard), none, span=amount.span)


def _without_wildcard(node: Node) -> Node | None:
    if node == pe.PermLit(pe.PermConstant.WILDCARD):
        return replace(node, value=pe.PermConstant.WRITE)
    return None


def _wildcard(span: Span) -> pe.PermLit:
    return pe.PermLit(pe.PermConstant.WILDCARD, span=span)
