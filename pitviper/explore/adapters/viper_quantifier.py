"""Quantifiers as loops over the values that matter: ranges of numbers, elements of collections."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from pitviper.explore.adapters import viper_assertion
from pitviper.explore.adapters import viper_expr as rules
from pitviper.explore.adapters.emit import (
    FALSE,
    TRUE,
    Emitter,
    Place,
    Scope,
    boolean,
    negated,
    number,
)
from pitviper.explore.adapters.viper_types import model_type
from pitviper.explore.model.term import Literal, Operation, Term
from pitviper.explore.model.types import BOOLEAN, INT, RATIONAL, SEQ, Generic, Type
from pitviper.program import expr as pe
from pitviper.program.assertion import FieldLocation, PredicateLocation
from pitviper.program.types import BoolType, IntType
from pitviper.program.walk import descendants

if TYPE_CHECKING:
    from pitviper.explore.adapters.viper import Translation


@dataclass(frozen=True, slots=True)
class Bounds:
    """The numbers from `low` on, up to `high` (included if it says so)."""

    low: pe.Expr
    high: pe.Expr


@dataclass(frozen=True, slots=True)
class Elements:
    """The elements of a collection."""

    collection: pe.Expr


@dataclass(frozen=True, slots=True)
class Truths:
    """Both truth values."""


Domain: TypeAlias = Bounds | Elements | Truths
ONE = pe.IntLit(1)


def domains_of(
    variables: tuple[pe.Var, ...], conditions: list[pe.Expr]
) -> dict[str, Domain] | None:
    """For each variable, in an order in which they can be looped over; None if one has none."""
    found: dict[str, Domain] = {}
    waiting = list(variables)
    while waiting:
        for variable in waiting:
            later = frozenset(v.name for v in waiting)
            domain = _domain(variable, conditions, later)
            if domain is not None:
                found[variable.name] = domain
                waiting.remove(variable)
                break
        else:
            return None
    return found


def _domain(variable: pe.Var, conditions: list[pe.Expr], later: frozenset[str]) -> Domain | None:
    if isinstance(variable.type, BoolType):
        return Truths()
    for condition in conditions:
        match condition:
            case (
                pe.SeqContains(pe.Var(name), collection)
                | pe.SetContains(pe.Var(name), collection)
                | pe.MapContains(pe.Var(name), collection)
            ) if name == variable.name and not _mentions(collection, later):
                return Elements(collection)
            case pe.Compare(
                pe.CompareOp.GT | pe.CompareOp.GE, pe.MultisetCount(pe.Var(name), collection), _
            ) if name == variable.name and not _mentions(collection, later):
                return Elements(collection)
            case _:
                pass
    if not isinstance(variable.type, IntType):
        return None
    low = _bound(variable.name, conditions, later, upper=False)
    high = _bound(variable.name, conditions, later, upper=True)
    return None if low is None or high is None else Bounds(low, high)


def _bound(
    name: str, conditions: list[pe.Expr], later: frozenset[str], *, upper: bool
) -> pe.Expr | None:
    """The least number (the first one above, for `upper`) that conditions allow."""
    indirect: list[pe.Expr] = []
    for condition in conditions:
        bound = _one_bound(name, condition, upper=upper)
        if bound is None:
            continue
        if not _mentions(bound, later):
            return bound
        indirect.append(bound)
    for bound in indirect:
        through = bound.left if isinstance(bound, pe.IntArith) and bound.right is ONE else bound
        if isinstance(through, pe.Var) and through.name != name:
            further = _bound(through.name, conditions, later | {name}, upper=upper)
            if further is not None:
                return further
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


def _mentions(e: pe.Expr, names: frozenset[str]) -> bool:
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


Inside: TypeAlias = Callable[[Scope], None]


def loop_over(
    domains: Mapping[str, Domain], sc: Scope, inside: Inside, out: Emitter, tr: Translation
) -> None:
    """Emit `inside` for all values of the variables."""
    if not domains:
        inside(sc)
        return
    (name, domain), *rest = domains.items()
    remaining = dict(rest)

    def bound(value: Term) -> None:
        loop_over(remaining, sc.binding({name: value}), inside, out, tr)

    match domain:
        case Truths():
            bound(FALSE)
            bound(TRUE)
        case Bounds(low, high):
            first, last = rules.lower(low, sc, out, tr), rules.lower(high, sc, out, tr)
            _count(first, out.keep(last, "high"), bound, out)
        case Elements(collection):
            elements = rules.lower(collection, sc, out, tr)
            _visit(elements, tr.element_type(collection), bound, out)


def _count(first: Term, high: Term, inside: Callable[[Term], None], out: Emitter) -> None:
    at, again, end = out.local(INT, "i"), Place(), Place()
    out.assign(at, first)
    out.put(again)
    out.branch(negated(boolean("less", at, high)), end)
    inside(at)
    out.assign(at, Operation("add", (at, number(1)), INT))
    out.jump(again)
    out.put(end)


def _visit(collection: Term, kind: Type, inside: Callable[[Term], None], out: Emitter) -> None:
    listed = out.keep(Operation("candidates", (collection,), Generic(SEQ, (kind,))), "all")
    element = out.local(kind, "e")

    def at_position(at: Term) -> None:
        out.assign(element, Operation("index", (listed, at), kind))
        inside(element)

    _count(number(0), Operation("size", (listed,), INT), at_position, out)


def quantifier(e: pe.Forall | pe.Exists, sc: Scope, out: Emitter, tr: Translation) -> Term:
    """All values are looked at even after a decisive one: the body must be defined for all."""
    universal = isinstance(e, pe.Forall)
    conditions = antecedents(e.body) if universal else conjuncts(e.body)
    domains = domains_of(e.variables, conditions)
    if domains is None:
        out.unsupported("a quantifier over infinitely many values")
        return TRUE
    value = out.local(BOOLEAN, "all" if universal else "any")
    out.assign(value, TRUE if universal else FALSE)

    def inside(inner: Scope) -> None:
        body = rules.lower(e.body, inner, out, tr)
        out.assign(value, boolean("and" if universal else "or", value, body))

    loop_over(domains, sc, inside, out, tr)
    return value


def for_perm(e: pe.ForPerm, sc: Scope, out: Emitter, tr: Translation) -> Term:
    """A loop over what is held."""
    value = out.local(BOOLEAN, "all")
    out.assign(value, TRUE)
    sources = _held_values(e, sc)
    if sources is None:
        out.unsupported("forperm with such a location")
        return value

    def inside(inner: Scope) -> None:
        skip = Place()
        held = viper_assertion.held_amount(e.location, sc.held, inner, out, tr)
        out.branch(negated(boolean("less", Literal(Fraction(0), RATIONAL), held)), skip)
        body = rules.lower(e.body, inner.on(sc.held), out, tr)
        out.assign(value, boolean("and", value, body))
        out.put(skip)

    _nest(list(zip(e.variables, sources, strict=True)), sc, inside, out)
    return value


def _nest(pairs: list[tuple[pe.Var, Term]], sc: Scope, inside: Inside, out: Emitter) -> None:
    if not pairs:
        inside(sc)
        return
    (variable, source), *rest = pairs
    _visit(
        source,
        model_type(variable.type),
        lambda value: _nest(rest, sc.binding({variable.name: value}), inside, out),
        out,
    )


def _held_values(e: pe.ForPerm, sc: Scope) -> list[Term] | None:
    """For each variable the values that held locations give it."""
    match e.location:
        case FieldLocation(pe.Var(name), field) if [v.name for v in e.variables] == [name]:
            return [Operation("receivers", (sc.held,), _seq_of(e.variables[0]), field)]
        case PredicateLocation(predicate, args):
            positions = {a.name: i for i, a in enumerate(args) if isinstance(a, pe.Var)}
            if not all(v.name in positions for v in e.variables):
                return None
            return [
                Operation("arguments", (sc.held, number(positions[v.name])), _seq_of(v), predicate)
                for v in e.variables
            ]
        case _:
            return None


def _seq_of(variable: pe.Var) -> Type:
    return Generic(SEQ, (model_type(variable.type),))


def quantified_values(
    variables: tuple[pe.Var, ...], condition: pe.Expr
) -> dict[str, Domain] | None:
    """The domains of a quantified permission."""
    return domains_of(variables, conjuncts(condition))
