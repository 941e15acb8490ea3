"""Quantified permissions: one permission for each value of the variables."""

from __future__ import annotations

from fractions import Fraction

from pitviper.base.record import field, record, struct
from pitviper.engines.concrete.heap import location
from pitviper.engines.concrete.heap.contents import WILDCARDS, gain
from pitviper.engines.concrete.heap.heap import (
    ONE,
    FieldAt,
    PredicateAt,
    Resource,
    Snapshot,
    WandAt,
)
from pitviper.engines.concrete.rules import evaluate as rules
from pitviper.engines.concrete.rules import instances, shape
from pitviper.engines.concrete.run import Run
from pitviper.engines.concrete.state import State
from pitviper.engines.shared.values import references_in
from pitviper.program.assertion import Access, QuantifiedPermission, Wand
from pitviper.program.node import Node


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
        return Item(shape.resource_of(st, a.resource, run), ONE)
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
