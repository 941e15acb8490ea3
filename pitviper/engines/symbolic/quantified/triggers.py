"""Location triggers: the terms that triggers such as `x.f` and `P(x)` match.

NOTE(location-trigger). `f.touched(r)` is true for every location; what matters is that the term
occurs. It is assumed wherever the program reads, takes, adds or asks for a location of a resource
that occurs in a trigger of the member. It does not depend on the heap: a quantifier about one heap
also fires for locations that were looked at in another one, which is harmless, and survives every
update. Example:

    inhale forall x: Ref :: {x.f} x in s ==> x.f > 0   // instantiated where f.touched(x) occurs
    var k: Int := y.f                                  // assumes f.touched(y)
    assert y in s ==> k > 0                            // so the fact for y is known
"""

from __future__ import annotations

from pitviper.encoding.theories.snapshot_maps import SnapshotMaps
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.chunk import Args, Kind, Resource
from pitviper.engines.symbolic.state import State
from pitviper.solver.session import FactKind
from pitviper.terms import build as tb
from pitviper.terms.symbol import Function
from pitviper.terms.term import App, Term


def maps_of(resource: Resource, cx: Context) -> SnapshotMaps:
    symbols = cx.services.symbols
    if resource.kind is Kind.FIELD:
        return symbols.field_maps(resource.name)
    if resource.kind is Kind.WAND:
        return symbols.wand_maps(resource.name)
    return symbols.predicate_maps(resource.name)


def location_trigger(resource: Resource, args: Args, cx: Context) -> Term:
    return tb.apply(maps_of(resource, cx).touched, *args)


def with_location_trigger(st: State, resource: Resource, args: Args, cx: Context) -> State:
    """Returns the state after looking at a location, where triggers may match it."""
    if resource not in cx.services.triggered or not args:
        return st
    return st.assume(location_trigger(resource, args, cx), FactKind.DEFINITION)


def is_location_trigger(fact: Term) -> bool:
    return (
        isinstance(fact, App)
        and isinstance(fact.symbol, Function)
        and fact.symbol.name.endswith(".touched")
    )
