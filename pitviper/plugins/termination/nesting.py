"""Which predicate instances lie inside another one: learnt where that one is unfolded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pitviper.base.record import record
from pitviper.plugins.build import NameSupply, conjunction, implication, instantiate, is_true
from pitviper.plugins.termination.amounts import is_positive, is_surely_positive
from pitviper.plugins.termination.measures import NESTED, Orders
from pitviper.plugins.termination.obligation import Ledger, helper
from pitviper.program.assertion import (
    Access,
    Assertion,
    Binding,
    Choice,
    Guarded,
    InhaleExhale,
    PredicateLocation,
    QuantifiedPermission,
    Star,
)
from pitviper.program.expr import (
    PREDICATE_INSTANCE,
    BoolLit,
    DomainApp,
    Expr,
    FieldRead,
    Forall,
    FunctionApp,
    IntLit,
    Let,
    MapLookup,
    Not,
    NullLit,
    Old,
    PermLit,
    PredicateInstance,
    SeqIndex,
    Trigger,
    Var,
)
from pitviper.program.member import Predicate
from pitviper.program.stmt import DecreasesTuple, Inhale, Label, Stmt, Unfold
from pitviper.program.walk import descendants, free_vars


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
        instance = PredicateInstance(location.predicate, location.args, span=location.span)
        fact = self._facts(location, Old(label, instance, span=location.span))
        if is_true(fact):
            return [statement]
        known = Inhale(fact, annotations=helper(), span=statement.span)
        return [Label(label, (), span=statement.span), statement, known]

    def _facts(self, location: PredicateLocation, outer: Expr) -> Expr:
        predicate = self.predicates[location.predicate]
        if predicate.body is None:
            return BoolLit(value=True, span=location.span)
        formals = [parameter.name for parameter in predicate.params]
        values = dict(zip(formals, location.args, strict=True))
        return self._inside(instantiate(predicate.body, values, self.names), outer)

    def _inside(self, body: Assertion, outer: Expr) -> Expr:
        """The instances that an unfolded body holds, under the conditions in front of them."""
        span = outer.span
        match body:
            case Star(conjuncts):
                return conjunction([self._inside(part, outer) for part in conjuncts], span)
            case Guarded(condition, inner):
                return implication(condition, self._inside(inner, outer), span)
            case Choice(condition, then, otherwise):
                negated = Not(condition, span=condition.span)
                first = implication(condition, self._inside(then, outer), span)
                return conjunction(
                    (first, implication(negated, self._inside(otherwise, outer), span)), span
                )
            case Binding(variable, bound, inner):
                fact = self._inside(inner, outer)
                return fact if is_true(fact) else Let(variable, bound, fact, span=span)
            case InhaleExhale(inhaled, _):
                return self._inside(inhaled, outer)
            case _:
                return self._held(body, outer)

    def _held(self, body: Assertion, outer: Expr) -> Expr:
        match body:
            case Access(PredicateLocation() as location, amount):
                return self._nested(location, amount, outer)
            case QuantifiedPermission(
                variables, _, condition, Access(PredicateLocation() as location, amount)
            ):
                fact = self._nested(location, amount, outer)
                fact = implication(condition, fact, outer.span)
                triggers = _triggers(variables, location)
                return Forall(variables, triggers, fact, body.weight, span=outer.span)
            case _:
                return BoolLit(value=True, span=outer.span)

    def _nested(self, location: PredicateLocation, amount: Expr, outer: Expr) -> Expr:
        inner = PredicateInstance(location.predicate, location.args, span=location.span)
        fact = self.orders.is_nested(inner, outer, outer.span)
        if is_surely_positive(amount):
            return fact
        return implication(is_positive(amount), fact, outer.span)


_TRIGGER_PARTS = (
    Var, IntLit, BoolLit, NullLit, PermLit, FieldRead, DomainApp, FunctionApp, SeqIndex, MapLookup
)  # fmt: skip


def _triggers(variables: Sequence[Var], location: PredicateLocation) -> tuple[Trigger, ...]:
    """The inner instance, where it can be a trigger: it occurs in the measure of a call."""
    nodes = [node for argument in location.args for node in descendants(argument)]
    if not {variable.name for variable in variables} <= free_vars(location):
        return ()
    if not all([isinstance(node, _TRIGGER_PARTS) for node in nodes]):
        return ()
    instance = PredicateInstance(location.predicate, location.args, span=location.span)
    return (Trigger((instance,), span=location.span),)


def has_instances(clause: DecreasesTuple, orders: Orders, ledger: Ledger) -> bool:
    """Whether a tuple compares predicate instances; reported if the relation is missing."""
    compared = any([measure.type == PREDICATE_INSTANCE for measure in clause.measures])
    if compared and orders.nested is None:
        ledger.report_missing(NESTED, clause.span)
        return False
    return compared
