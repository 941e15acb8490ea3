"""Snapshot maps: the values of all locations of one field or predicate at once.

The domain of a map is a predicate on locations. It is stated only for maps that are part of a
snapshot, and only such maps are compared by extensionality: that is quadratic in their number.
"""

from __future__ import annotations

from pitviper.base.record import record
from pitviper.encoding.quantify import axiom
from pitviper.terms.build import apply, conjoin, equal, forall, iff, implies, variable
from pitviper.terms.snapshot import wrap
from pitviper.terms.sort import BOOL, Sort, uninterpreted
from pitviper.terms.symbol import Function, function
from pitviper.terms.term import Term, Var


@record
class SnapshotMaps:
    """Symbols for the maps of one resource; `formals` are variables that stand for a location.

    `touched` is true for every location; triggers look for it.
    """

    sort: Sort
    formals: tuple[Var, ...]
    look: Function
    domain: Function
    has_domain: Function
    touched: Function


def snapshot_maps(name: str, args: tuple[Sort, ...], value: Sort) -> SnapshotMaps:
    """`name` tells fields from predicates: they may be called alike."""
    sort = uninterpreted(f"Values<{name}>")
    return SnapshotMaps(
        sort,
        tuple([variable(f"r{i}", arg) for i, arg in enumerate(args)]),
        function(f"{name}.look", (sort, *args), value),
        function(f"{name}.domain", (sort, *args), BOOL),
        function(f"{name}.has_domain", (sort,), BOOL),
        function(f"{name}.touched", args, BOOL),
    )


def snapshot_map_axioms(th: SnapshotMaps) -> tuple[Term, ...]:
    return (_extensionality(th), *_touches(th))


def _touches(th: SnapshotMaps) -> tuple[Term, ...]:
    touch = apply(th.touched, *th.formals)
    return (axiom("map.touched", th.formals, touch, touch),) if th.formals else ()


def _extensionality(th: SnapshotMaps) -> Term:
    """Maps with the same domain and the same values on it are the same."""
    m, n = variable("m", th.sort), variable("n", th.sort)
    in_m, in_n = apply(th.domain, m, *th.formals), apply(th.domain, n, *th.formals)
    at_m, at_n = apply(th.look, m, *th.formals), apply(th.look, n, *th.formals)
    domains: Term = iff(in_m, in_n)
    values: Term = implies(in_m, equal(at_m, at_n))
    if th.formals:
        domains = forall(th.formals, domains, ((in_m,), (in_n,)), "map.domains")
        values = forall(th.formals, values, ((at_m, at_n),), "map.values")
    has_m, has_n = apply(th.has_domain, m), apply(th.has_domain, n)
    same = implies(conjoin(has_m, has_n, domains, values), equal(m, n))
    return axiom("map.extensional", (m, n), same, (wrap(m), has_m, wrap(n), has_n))
