"""Quantifiers: loops over the values that matter, or one value that stands for all."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from pitviper.base.record import record
from pitviper.encoding.wand_shapes import wand_shape
from pitviper.engines.explore.model.term import Fresh, Literal, Operation, Term
from pitviper.engines.explore.model.types import BOOLEAN, INT, RATIONAL, SEQ, Generic, Type
from pitviper.engines.explore.notes import GUESSED
from pitviper.engines.explore.viper import assertions, solver_terms
from pitviper.engines.explore.viper import expressions as rules
from pitviper.engines.explore.viper.emitter import (
    FALSE,
    TRUE,
    Emitter,
    Place,
    Scope,
    boolean,
    negated,
    number,
    text,
)
from pitviper.engines.explore.viper.ranges import (
    Bounds,
    Elements,
    Guarded,
    One,
    Range,
    Several,
    Truths,
    failing,
    first_ranges,
    holding,
    mentions,
    ranges_of,
)
from pitviper.engines.explore.viper.types import model_type
from pitviper.program import expr as pe
from pitviper.program.assertion import FieldLocation, Location, PredicateLocation, Wand

if TYPE_CHECKING:
    from pitviper.engines.explore.viper.program import Translation


Inside: TypeAlias = Callable[[Scope], None]


def loop_over(
    domains: Mapping[str, Guarded], sc: Scope, inside: Inside, out: Emitter, tr: Translation
) -> None:
    """Emit `inside` for all values of the variables."""
    if not domains:
        inside(sc)
        return
    (name, domain), *rest = domains.items()
    remaining = dict(rest)

    def bound(value: Term) -> None:
        loop_over(remaining, sc.binding({name: value}), inside, out, tr)

    _Loop(sc, bound, out, tr).over(domain)


@record
class _Loop:
    """What happens for each value of a variable."""

    sc: Scope
    bound: Callable[[Term], None]
    out: Emitter
    tr: Translation

    def over(self, guarded: Guarded) -> None:
        out, end = self.out, Place()
        with (
            contextlib.nullcontext()
            if guarded.certain
            else out.trusting("a range that may have no value")
        ):
            for guard in guarded.guards:
                out.branch(negated(self._value(guard)), end)
            terms = self._terms(guarded.domain)
        match guarded.domain:
            case Truths():
                self.bound(FALSE)
                self.bound(TRUE)
            case Bounds():
                _count(terms[0], terms[1], self.bound, out)
            case Elements(collection):
                _visit(terms[0], self.tr.element_type(collection), self.bound, out)
            case One():
                self.bound(terms[0])
            case Several(parts):
                for part in parts:
                    self.over(part)
        out.put(end)

    def span(self, domain: Bounds) -> Term:
        """How many numbers are in a range."""
        low, high = self._terms(domain)
        return self.out.keep(Operation("sub", (high, low), INT), "span")

    def _terms(self, domain: Range) -> list[Term]:
        match domain:
            case Bounds(low, high):
                return [self._value(low), self.out.keep(self._value(high), "high")]
            case Elements(part) | One(part):
                return [self.out.keep(self._value(part))]
            case _:
                return []

    def _value(self, e: pe.Expr) -> Term:
        return rules.lower(e, self.sc, self.out, self.tr)


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
    conditions = failing(e.body) if universal else holding(e.body)
    domains = first_ranges(e.variables, conditions)
    if domains is None:
        domains = ranges_of(e.variables, conditions)
        if domains is None:
            return unbounded(e, sc, out, tr)
        rules.lower(e.body, any_values(e.variables, sc, out), out, tr)
    value = out.local(BOOLEAN, "all" if universal else "any")
    end = Place()
    spans = [_Loop(sc, _nothing, out, tr).span(domain) for domain in _wide(domains)]
    if spans:
        counted = Place()
        out.branch(negated(_any_wide(spans, out)), counted)
        out.assign(value, unbounded(e, sc, out, tr))
        out.jump(end)
        out.put(counted)
    out.assign(value, TRUE if universal else FALSE)

    def inside(inner: Scope) -> None:
        body = rules.lower(e.body, inner, out, tr)
        out.assign(value, boolean("and" if universal else "or", value, body))

    loop_over(domains, sc, inside, out, tr)
    out.put(end)
    return value


MANY, MANY_CHOSEN = 1000, 24
"""Numbers of a range that are looked at one by one; the second if the input says how many."""


def _nothing(value: Term) -> None:
    """What is done for a value where only the range matters."""


def _wide(domains: Mapping[str, Guarded]) -> list[Bounds]:
    """Ranges of numbers, with bounds of their own, that may have very many."""
    found = []
    for guarded in domains.values():
        domain = guarded.domain
        if isinstance(domain, Bounds) and not guarded.guards and guarded.certain:
            named = frozenset(domains)
            is_own = not mentions(domain.low, named) and not mentions(domain.high, named)
            if is_own and not _is_narrow(domain):
                found.append(domain)
    return found


def _is_narrow(domain: Bounds) -> bool:
    """Whether a range is known to have few numbers, or goes over a collection that is at hand."""
    match domain:
        case Bounds(pe.IntLit(low), pe.IntLit(high)):
            return high - low <= MANY
        case Bounds(_, pe.Cardinality()):
            return True
        case _:
            return False


def _any_wide(spans: list[Term], out: Emitter) -> Term:
    """Whether one of several ranges is too wide to look at each number."""
    found = out.local(BOOLEAN, "wide")
    out.assign(found, FALSE)
    for span in spans:
        chosen, end = Place(), Place()
        out.branch(boolean("symbolic", span), chosen)
        out.assign(found, boolean("or", found, boolean("less", number(MANY), span)))
        out.jump(end)
        out.put(chosen)
        out.assign(found, boolean("or", found, boolean("less", number(MANY_CHOSEN), span)))
        out.put(end)
    return found


def any_values(variables: tuple[pe.Var, ...], sc: Scope, out: Emitter) -> Scope:
    """Variables stand for one value each, whichever it is: all values, for the search."""
    kinds = {v.name: model_type(v.type) for v in variables}
    return sc.binding({n: out.keep(Fresh(kind, n), n) for n, kind in kinds.items()})


def unbounded(e: pe.Forall | pe.Exists, sc: Scope, out: Emitter, tr: Translation) -> Term:
    """One value decides, whichever it is: a universal quantifier is false if the body is.

    Where that value does not decide, the solver is told what the quantifier says, if it can be.
    Nothing need be told where the body is the same whatever the value is.
    """
    universal = isinstance(e, pe.Forall)
    decided, met, same = out.local(INT, "n"), out.local(INT, "n"), out.local(BOOLEAN, "same")
    out.native("moment", to=(decided, met))
    inner = any_values(e.variables, sc, out)
    value = out.local(BOOLEAN, "all" if universal else "any")
    out.assign(value, rules.lower(e.body, inner, out, tr))
    skip = Place()
    out.native("is_same", decided, met, value, to=(same,))
    out.branch(same, skip)
    out.branch(negated(value) if universal else value, skip)
    said = solver_terms.quantifier(e, sc, tr)
    if said is None:
        out.native("remark", text(GUESSED))
    else:
        out.native("tell", text(said.tag), *said.args)
    if e.triggers:
        out.native("remark", text("triggers of a quantifier were not looked at"))
    out.put(skip)
    return value


def for_perm(e: pe.ForPerm, sc: Scope, out: Emitter, tr: Translation) -> Term:
    """A loop over what is held."""
    value = out.local(BOOLEAN, "all")
    out.assign(value, TRUE)
    tr.introspect(out)
    sources = held_values((e.variables, e.location), sc, tr)
    if sources is None:
        out.unsupported("forperm with such a location")
        return value

    def inside(inner: Scope) -> None:
        skip = Place()
        held = assertions.held_amount(e.location, sc.held, inner, out, tr)
        out.branch(negated(boolean("less", Literal(Fraction(0), RATIONAL), held)), skip)
        body = rules.lower(e.body, inner.on(sc.held), out, tr)
        out.assign(value, boolean("and", value, body))
        out.put(skip)

    nest(list(zip(e.variables, sources, strict=True)), sc, inside, out)
    return value


def nest(pairs: list[tuple[pe.Var, Term]], sc: Scope, inside: Inside, out: Emitter) -> None:
    if not pairs:
        inside(sc)
        return
    (variable, source), *rest = pairs
    _visit(
        source,
        model_type(variable.type),
        lambda value: nest(rest, sc.binding({variable.name: value}), inside, out),
        out,
    )


def held_values(
    about: tuple[tuple[pe.Var, ...], Location], sc: Scope, tr: Translation
) -> list[Term] | None:
    """For each variable the values that held locations give it."""
    variables, location = about
    match location:
        case FieldLocation(pe.Var(name), field) if [v.name for v in variables] == [name]:
            return [Operation("receivers", (sc.held,), _seq_of(variables[0]), field)]
        case PredicateLocation(predicate, args):
            positions = {a.name: i for i, a in enumerate(args) if isinstance(a, pe.Var)}
            if not all(v.name in positions for v in variables):
                return None
            return [
                Operation("arguments", (sc.held, number(positions[v.name])), _seq_of(v), predicate)
                for v in variables
            ]
        case Wand():
            shape = wand_shape(location, tr.program)
            holes = {h.name: i for i, h in enumerate(shape.holes) if isinstance(h, pe.Var)}
            if not all(v.name in holes for v in variables):
                return None
            return [
                Operation(
                    "wand_arguments", (sc.held, number(holes[v.name])), _seq_of(v), shape.name
                )
                for v in variables
            ]
        case _:
            return None


def _seq_of(variable: pe.Var) -> Type:
    return Generic(SEQ, (model_type(variable.type),))
