"""Quantifiers as loops over the values that matter: ranges of numbers, elements of collections."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from pitviper.encoding.wand_shapes import wand_shape
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
from pitviper.explore.adapters.viper_domains import (
    Bounds,
    Domain,
    Elements,
    Truths,
    antecedents,
    conjuncts,
    domains_of,
)
from pitviper.explore.adapters.viper_types import model_type
from pitviper.explore.model.term import Literal, Operation, Term
from pitviper.explore.model.types import BOOLEAN, INT, RATIONAL, SEQ, Generic, Type
from pitviper.program import expr as pe
from pitviper.program.assertion import FieldLocation, PredicateLocation, Wand

if TYPE_CHECKING:
    from pitviper.explore.adapters.viper import Translation


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

    end = Place()
    for guard in () if isinstance(domain, Truths) else domain.guards:
        out.branch(negated(rules.lower(guard, sc, out, tr)), end)
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
    out.put(end)


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
    tr.introspect(out)
    sources = _held_values(e, sc, tr)
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


def _held_values(e: pe.ForPerm, sc: Scope, tr: Translation) -> list[Term] | None:
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
        case Wand():
            shape = wand_shape(e.location, tr.program)
            holes = {h.name: i for i, h in enumerate(shape.holes) if isinstance(h, pe.Var)}
            if not all(v.name in holes for v in e.variables):
                return None
            return [
                Operation(
                    "wand_arguments", (sc.held, number(holes[v.name])), _seq_of(v), shape.name
                )
                for v in e.variables
            ]
        case _:
            return None


def _seq_of(variable: pe.Var) -> Type:
    return Generic(SEQ, (model_type(variable.type),))
