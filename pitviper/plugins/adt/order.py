"""The well-founded orders of algebraic data types: a part of a value comes before the value."""

from __future__ import annotations

from pitviper.base.record import record
from pitviper.plugins.adt.domain import (
    AsDomain,
    construct,
    for_all_built,
    own_type,
    parameters,
    type_encoder,
)
from pitviper.plugins.build import conjunction
from pitviper.plugins.names import Names
from pitviper.plugins.termination.measures import Orders
from pitviper.program.expr import Compare, CompareOp, DomainApp, Equal, Expr, Forall, Trigger, Var
from pitviper.program.member import Adt, Axiom, Constructor, Domain, DomainFunction, Program
from pitviper.program.types import INT, AdtType, DomainType, Type, TypeVar, instantiate


def order_domains(program: Program, orders: Orders, names: Names) -> list[Domain]:
    """One domain `<Adt>WellFoundedOrder` for each type that the program has given none.

    NOTE(rank): the order is that of a rank, a number that is larger for a value than for its
    parts, whatever types lie between: direct parts, parts through other types of a cycle and
    parts of parts all decrease by arithmetic. Such a rank exists, the height of the value, so
    the order is well-founded and everything is bounded. A type without finite values has values
    without height, if any: it gets no order.
    """
    adts = [
        a
        for a in program.adts.values()
        if f"{a.name}WellFoundedOrder" not in program.domains and _has_finite_values(a, program)
    ]
    if not adts or not orders.complete:
        return []
    rank = _Rank(names.fresh("AdtRank"), names.fresh("rank"))
    encode = type_encoder()
    return [_rank_domain(rank, names), *[_order(a, rank, orders, encode, names) for a in adts]]


MAX_TYPES = 64
"""Types inside each other that are looked at for a finite value: types may grow without end."""


def _has_finite_values(adt: Adt, program: Program) -> bool:
    """Whether some value of a type is built in finitely many steps, whatever its type parameters
    are, as long as these have values."""
    own = AdtType(adt.name, tuple([TypeVar(name) for name in adt.type_params]))
    return _is_finite(own, (), program)


def _is_finite(type_: Type, inside: tuple[Type, ...], program: Program) -> bool:
    if not isinstance(type_, AdtType):
        return True  # collections may be empty
    if type_ in inside or len(inside) >= MAX_TYPES:
        return False
    adt = program.adts[type_.name]
    values = dict(zip(adt.type_params, type_.args, strict=True))
    return any(
        all(
            _is_finite(instantiate(p.type, values), (*inside, type_), program)
            for p in constructor.params
        )
        for constructor in sorted(adt.constructors, key=lambda c: len(c.params))
    )


@record
class _Rank:
    domain: str
    function: str

    def of(self, value: Expr) -> DomainApp:
        return DomainApp(self.domain, self.function, (value.type,), (value,), INT, span=value.span)


def _rank_domain(rank: _Rank, names: Names) -> Domain:
    parameter = names.fresh("Ranked")
    value = Var(names.fresh("ranked"), TypeVar(parameter))
    function = DomainFunction(rank.function, (value,), INT, unique=False, interpretation=None)
    return Domain(rank.domain, (parameter,), None, (function,), ())


def _order(adt: Adt, rank: _Rank, orders: Orders, encode: AsDomain, names: Names) -> Domain:
    axioms = [
        Axiom(None, fact, span=c.span)
        for c in adt.constructors
        if (fact := _parts_rank_lower(c, own_type(adt), rank, encode)) is not None
    ]
    axioms.append(Axiom(None, _decreasing_by_rank(adt, rank, orders, names), span=adt.span))
    axioms.append(Axiom(None, _everything_bounded(adt, orders, names), span=adt.span))
    name = names.fresh(f"{adt.name}WellFoundedOrder")
    return Domain(name, adt.type_params, None, (), tuple(axioms), span=adt.span)


def _parts_rank_lower(
    constructor: Constructor, result: DomainType, rank: _Rank, encode: AsDomain
) -> Expr | None:
    """`rank(part) < rank(C(.., part, ..))` for the parts that are or may be of such a type."""
    variables = parameters(constructor, encode)
    built = construct(constructor.name, variables, result, constructor.span)
    lower = [
        Compare(CompareOp.LT, rank.of(x), rank.of(built), span=x.span)
        for x, p in zip(variables, constructor.params, strict=True)
        if isinstance(p.type, AdtType | TypeVar)
    ]
    if not lower:
        return None
    return for_all_built(variables, built, conjunction(lower, constructor.span))


def _decreasing_by_rank(adt: Adt, rank: _Rank, orders: Orders, names: Names) -> Expr:
    small = Var(names.fresh("small"), own_type(adt), span=adt.span)
    large = Var(names.fresh("large"), own_type(adt), span=adt.span)
    decreasing = orders.is_decreasing(small, large, adt.span)
    lower = Compare(CompareOp.LT, rank.of(small), rank.of(large), span=adt.span)
    fact = Equal(decreasing, lower, span=adt.span)
    return Forall((small, large), (Trigger((decreasing,), span=adt.span),), fact, span=adt.span)


def _everything_bounded(adt: Adt, orders: Orders, names: Names) -> Expr:
    value = Var(names.fresh("value"), own_type(adt), span=adt.span)
    bounded = orders.is_bounded(value, adt.span)
    return Forall((value,), (Trigger((bounded,), span=adt.span),), bounded, span=adt.span)
