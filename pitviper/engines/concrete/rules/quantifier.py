"""Quantified formulas, and expressions about what is held."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from pitviper.base.record import field, record, struct
from pitviper.engines.concrete.heap import location
from pitviper.engines.concrete.heap.contents import WILDCARDS, gain
from pitviper.engines.concrete.heap.heap import (
    ONE,
    FieldAt,
    Heap,
    PredicateAt,
    Resource,
    Snapshot,
    WandAt,
)
from pitviper.engines.concrete.node_facts import conditions
from pitviper.engines.concrete.rules import assume as assume_rules
from pitviper.engines.concrete.rules import evaluate as rules
from pitviper.engines.concrete.rules import instances, wand
from pitviper.engines.concrete.run import Run
from pitviper.engines.concrete.state import UNSETTLED, State
from pitviper.engines.shared.values import Value, references_in
from pitviper.program.assertion import (
    Access,
    FieldLocation,
    PredicateLocation,
    QuantifiedPermission,
    Wand,
)
from pitviper.program.expr import CurrentPerm, Exists, Expr, Forall, ForPerm, Var
from pitviper.program.node import Node

Quantifier: TypeAlias = Forall | Exists | ForPerm


def evaluate_quantifier(st: State, e: Quantifier, run: Run) -> bool:
    match e:
        case Forall():
            return _eval_forall(st, e, run)
        case Exists():
            return _eval_exists(st, e, run)
        case ForPerm():
            return _eval_forperm(st, e, run)


def _eval_forall(st: State, e: Forall, run: Run) -> bool:
    """All values are looked at even after a false one: the body must be defined for all."""
    answers: list[bool] = []
    exact = instances.for_each(
        st, _binder(e), run, lambda s: answers.append(rules.boolean(s, e.body, run))
    )
    if not exact and all(answers):
        run.cannot("a quantifier over infinitely many values", e)
    return all(answers)


def _eval_exists(st: State, e: Exists, run: Run) -> bool:
    answers: list[bool] = []
    binder = instances.Binder(e, e.variables, (e.body,))
    exact = instances.for_each(
        st, binder, run, lambda s: answers.append(rules.boolean(s, e.body, run))
    )
    names = frozenset([variable.name for variable in e.variables])
    if not exact and not (any(answers) and run.facts.is_total(e.body, names)):
        run.cannot("a quantifier over infinitely many values", e)
    return any(answers)


def assume_forall(st: State, e: Forall, run: Run) -> None:
    """Each instance is assumed."""
    if not instances.for_each(st, _binder(e), run, lambda s: assume_rules.assume(s, e.body, run)):
        run.cannot("a quantifier over infinitely many values", e)


def _binder(e: Forall) -> instances.Binder:
    return instances.Binder(e, e.variables, tuple(conditions(e.body)))


def current_permission(st: State, e: CurrentPerm, run: Run) -> Fraction:
    heap = _held_heap(st, e, run)
    if isinstance(e.location, Wand):
        return heap.amount(wand.resource_of(st, e.location, run))
    return heap.amount(location.location_of(st, e.location, run))


def _held_heap(st: State, e: Expr, run: Run) -> Heap:
    heap = st.heap if st.exhaled is None else st.exhaled
    if heap is UNSETTLED:
        run.cannot("permissions in the middle of an exhale and an unfolding", e)
    if st.outer:
        run.cannot("permissions while a wand is packaged", e)
    return heap


def _eval_forperm(st: State, e: ForPerm, run: Run) -> bool:
    holds = True
    for resource in _held_heap(st, e, run).chunks:
        bound = _match(st, e, resource, run)
        if bound is not None:
            inner = st.binding_all([v for v, _ in bound], [value for _, value in bound])
            holds = rules.boolean(inner, e.body, run) and holds
    return holds


def _match(st: State, e: ForPerm, resource: Resource, run: Run) -> list[tuple[Var, Value]] | None:
    """The values of the variables for which the location is this resource."""
    match e.location, resource:
        case FieldLocation(receiver, name), FieldAt(ref, held) if name == held:
            return _match_args(st, e, (receiver,), (ref,), run)
        case PredicateLocation(name, args), PredicateAt(held, values) if name == held:
            return _match_args(st, e, args, values, run)
        case Wand(), _:
            run.cannot("forperm over wands", e)
        case _:
            return None


def _match_args(
    st: State, e: ForPerm, args: tuple[Expr, ...], values: tuple[Value, ...], run: Run
) -> list[tuple[Var, Value]] | None:
    names = {variable.name: variable for variable in e.variables}
    bound: dict[str, Value] = {}
    for arg, value in zip(args, values, strict=True):
        if isinstance(arg, Var) and arg.name in names:
            if bound.setdefault(arg.name, value) != value:
                return None
        elif rules.evaluate(st, arg, run) != value:
            return None
    return [(names[name], value) for name, value in bound.items()]


@record
class Item:
    """One permission; None is a wildcard."""

    resource: Resource
    amount: Fraction | None


@struct
class Spread:
    """The permissions of a quantifier; `node` is what is missing if one of them is."""

    quantifier: QuantifiedPermission
    items: list[Item] = field(default_factory=list)
    exact: bool = True

    @property
    def node(self) -> Node:
        resource = self.quantifier.resource
        return resource.location if isinstance(resource, Access) else resource

    def finish(self, run: Run) -> None:
        """All that could be found has been dealt with."""
        if not self.exact:
            run.cannot("a quantified permission over infinitely many values", self.quantifier)


def spread_of(st: State, a: QuantifiedPermission, run: Run) -> Spread:
    """The permissions, checked not to name one resource twice."""
    items: dict[tuple[object, ...], Item] = {}

    def visit(inner: State) -> None:
        item = _item(inner, a, run)
        if item is not None:
            items[tuple([inner.store[v.name] for v in a.variables])] = item

    exact = instances.for_each(st, instances.Binder(a, a.variables, (a.condition,)), run, visit)
    spread = Spread(a, list(items.values()), exact)
    if len({item.resource for item in spread.items}) < len(spread.items):
        _not_injective(st, spread, run)
    return spread


def _item(st: State, a: QuantifiedPermission, run: Run) -> Item | None:
    if not rules.boolean(st, a.condition, run):
        return None
    if isinstance(a.resource, Wand):
        return Item(wand.resource_of(st, a.resource, run), ONE)
    resource = location.location_of(st, a.resource.location, run)
    amount = location.amount_of(st, a.resource.amount, run)
    return None if amount == 0 else Item(resource, amount)


def _not_injective(st: State, spread: Spread, run: Run) -> None:
    if st.assuming and run.options.assume_injectivity_on_inhale:
        run.false_assumption(spread.quantifier)
    resource = spread.quantifier.resource
    run.fail("qp.not.injective", resource, resource)


def produce_quantified(
    st: State, a: QuantifiedPermission, run: Run, source: Snapshot | None
) -> State:
    spread = spread_of(st, a, run)
    spread.finish(run)
    for item in spread.items:
        if _is_generic(item.resource):
            run.cannot("permission to infinitely many objects", a)
        amount = item.amount
        if amount is None:
            amount = run.pick("an amount for a wildcard", WILDCARDS)
        st = gain(st, item.resource, amount * st.scale, source, run)
    return st


def _is_generic(resource: Resource) -> bool:
    match resource:
        case FieldAt(receiver):
            return receiver.is_generic
        case PredicateAt(_, args) | WandAt(_, args):
            return any(ref.is_generic for arg in args for ref in references_in(arg))
