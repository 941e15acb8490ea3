"""Which values of a quantified variable matter: ranges of numbers, elements of collections."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import TypeAlias

from pitviper.explore.adapters import viper_expr as rules
from pitviper.program import expr as pe
from pitviper.program.types import BoolType, IntType
from pitviper.program.walk import descendants


@dataclass(frozen=True, slots=True)
class Bounds:
    """The numbers from `low` on, below `high`; both are looked at only where `guards` hold."""

    low: pe.Expr
    high: pe.Expr
    guards: tuple[pe.Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Elements:
    """The elements of a collection, which is looked at only where `guards` hold."""

    collection: pe.Expr
    guards: tuple[pe.Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Truths:
    """Both truth values."""


Domain: TypeAlias = Bounds | Elements | Truths
ONE = pe.IntLit(1)


def domains_of(
    variables: tuple[pe.Var, ...], conditions: list[pe.Expr]
) -> dict[str, Domain] | None:
    """For each variable, in an order in which they can be looped over; None if one has none.

    `conditions` stand one behind the other: each is looked at where those before it hold.
    """
    found: dict[str, Domain] = {}
    waiting = list(variables)
    while waiting:
        for variable in waiting:
            later = frozenset(v.name for v in waiting)
            domain = _domain(variable, _Conditions(conditions, later))
            if domain is not None:
                found[variable.name] = domain
                waiting.remove(variable)
                break
        else:
            return None
    return found


@dataclass(frozen=True, slots=True)
class _Limit:
    """An expression that bounds a variable, and the positions of the conditions that say so."""

    expr: pe.Expr
    at: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Conditions:
    """Conditions in their order; `later` are the variables that have no value yet."""

    listed: list[pe.Expr]
    later: frozenset[str]

    def allows(self, name: str, limits: tuple[_Limit, ...]) -> bool:
        """Whether values beyond the limits need no look.

        What stands before the limits is evaluated for these values, too, so it must have a value
        for all; and where a limit need not have a value, it must be known when it is looked at.
        """
        used = {at for limit in limits for at in limit.at}
        before = [c for at, c in enumerate(self.listed[: max(used)]) if at not in used]
        total = all(rules.is_simple(c) or not _mentions(c, frozenset({name})) for c in before)
        return total and all(self._is_looked_at(limit) for limit in limits)

    def guards(self, limits: tuple[_Limit, ...]) -> tuple[pe.Expr, ...]:
        """What is known to hold where limits are looked at that need not have a value."""
        partial = [max(limit.at) for limit in limits if not rules.is_simple(limit.expr)]
        before = self.listed[: max(partial)] if partial else []
        return tuple([c for c in before if not _mentions(c, self.later)])

    def _is_looked_at(self, limit: _Limit) -> bool:
        """Whether the conditions before a limit hold for some values of the later variables."""
        if rules.is_simple(limit.expr):
            return True
        free: set[str] = set(self.later)
        for condition in self.listed[: max(limit.at)]:
            if not _mentions(condition, self.later):
                continue
            name = _one_sided(condition, free)
            if name is None:
                return False
            free.discard(name)
        return True


def _one_sided(condition: pe.Expr, free: set[str]) -> str | None:
    """The free variable that a condition bounds from one side by something that is not free."""
    if isinstance(condition, pe.Compare) and rules.is_simple(condition):
        for one, other in (
            (condition.left, condition.right),
            (condition.right, condition.left),
        ):
            if isinstance(one, pe.Var) and one.name in free and not _mentions(other, free):
                return one.name
    return None


def _domain(variable: pe.Var, known: _Conditions) -> Domain | None:
    if isinstance(variable.type, BoolType):
        return Truths()
    name = variable.name
    for at, condition in enumerate(known.listed):
        collection = _collection(name, condition)
        if collection is not None and not _mentions(collection, known.later):
            limits = (_Limit(collection, (at,)),)
            if known.allows(name, limits):
                return Elements(collection, known.guards(limits))
    if not isinstance(variable.type, IntType):
        return None
    low, high = _bound(name, known, upper=False), _bound(name, known, upper=True)
    if low is None or high is None or not known.allows(name, (low, high)):
        return None
    return Bounds(low.expr, high.expr, known.guards((low, high)))


def _collection(name: str, condition: pe.Expr) -> pe.Expr | None:
    """The collection of which a condition says that the variable is an element."""
    match condition:
        case (
            pe.SeqContains(pe.Var(element), collection)
            | pe.SetContains(pe.Var(element), collection)
            | pe.MapContains(pe.Var(element), collection)
        ) if element == name:
            return collection
        case pe.Compare(
            pe.CompareOp.GT | pe.CompareOp.GE,
            pe.MultisetCount(pe.Var(element), collection),
            pe.IntLit(least),
        ) | pe.Compare(
            pe.CompareOp.LT | pe.CompareOp.LE,
            pe.IntLit(least),
            pe.MultisetCount(pe.Var(element), collection),
        ) if element == name:
            strict = condition.op in (pe.CompareOp.GT, pe.CompareOp.LT)
            return collection if least > 0 or (strict and least == 0) else None
        case _:
            return None


def _bound(name: str, known: _Conditions, *, upper: bool) -> _Limit | None:
    """The least number (the first one above, for `upper`) that conditions allow."""
    indirect: list[_Limit] = []
    for at, condition in enumerate(known.listed):
        bound = _one_bound(name, condition, upper=upper)
        if bound is None:
            continue
        if not _mentions(bound, known.later):
            return _Limit(bound, (at,))
        indirect.append(_Limit(bound, (at,)))
    for limit in indirect:
        bound = limit.expr
        through = bound.left if isinstance(bound, pe.IntArith) and bound.right is ONE else bound
        if isinstance(through, pe.Var) and through.name != name:
            wider = replace(known, later=known.later | {name})
            further = _bound(through.name, wider, upper=upper)
            if further is not None:
                return _Limit(further.expr, limit.at + further.at)
    return None


def _one_bound(name: str, condition: pe.Expr, *, upper: bool) -> pe.Expr | None:
    if not isinstance(condition, pe.Compare):
        return None
    op, small, big = condition.op, condition.left, condition.right
    if op in (pe.CompareOp.GT, pe.CompareOp.GE):
        small, big = big, small
    strict = op in (pe.CompareOp.LT, pe.CompareOp.GT)
    if upper and isinstance(small, pe.Var) and small.name == name:
        return big if strict else pe.IntArith(pe.IntOp.ADD, big, ONE)
    if not upper and isinstance(big, pe.Var) and big.name == name:
        return pe.IntArith(pe.IntOp.ADD, small, ONE) if strict else small
    return None


def _mentions(e: pe.Expr, names: Collection[str]) -> bool:
    return any(isinstance(node, pe.Var) and node.name in names for node in descendants(e))


def antecedents(body: pe.Expr) -> list[pe.Expr]:
    """Conditions that a body of a universal quantifier stands under."""
    found: list[pe.Expr] = []
    while isinstance(body, pe.Implies):
        found.extend(conjuncts(body.left))
        body = body.right
    return found


def conjuncts(e: pe.Expr) -> list[pe.Expr]:
    if isinstance(e, pe.And):
        return [part for operand in e.operands for part in conjuncts(operand)]
    return [e]
