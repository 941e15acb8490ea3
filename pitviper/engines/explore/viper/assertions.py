"""Viper's assertions: what is gained, what is given up, and predicates opened and closed."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from pitviper.base.record import record, replace
from pitviper.engines.explore.model.term import Fresh, Literal, Local, Operation, Term
from pitviper.engines.explore.model.types import RATIONAL
from pitviper.engines.explore.viper import classes, quantified, wands
from pitviper.engines.explore.viper import expressions as rules
from pitviper.engines.explore.viper.emitter import (
    NOTHING,
    Emitter,
    Obligation,
    Place,
    Scope,
    amount,
    boolean,
    negated,
    text,
)
from pitviper.engines.explore.viper.types import model_type
from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program.classes import classes_in_field
from pitviper.program.types import STATE

if TYPE_CHECKING:
    from pitviper.engines.explore.viper.program import Translation

NO_AMOUNT = Literal(Fraction(0), RATIONAL)
FULL = Literal(Fraction(1), RATIONAL)


@record
class Gain:
    """What is inhaled goes to `heap`; values come from `source`, or are any."""

    heap: Local
    source: Term = NOTHING


@record
class Loss:
    """What is exhaled leaves `heap`, and goes to `sink` if there is one.

    Without `further`, nobody looks at the heap afterwards.
    """

    heap: Local
    sink: Term = NOTHING
    further: bool = True


def transfer(a: pa.Assertion, sc: Scope, way: Gain | Loss, out: Emitter, tr: Translation) -> None:
    """Inhale or exhale an assertion, from left to right."""
    match a:
        case pa.Star(conjuncts):
            before = replace(way, further=True) if isinstance(way, Loss) else way
            for conjunct in conjuncts[:-1]:
                transfer(conjunct, sc, before, out, tr)
            transfer(conjuncts[-1], sc, way, out, tr)
        case pa.Access():
            _access(a, sc, way, out, tr)
        case pa.Wand():
            wands.move(wands.located(a, sc, out, tr), sc, way, out)
        case pa.Guarded(condition, body):
            end = Place()
            out.branch(negated(rules.lower(condition, sc, out, tr)), end)
            transfer(body, sc, way, out, tr)
            out.put(end)
        case pa.Choice(condition, then, otherwise):
            other, end = Place(), Place()
            out.branch(negated(rules.lower(condition, sc, out, tr)), other)
            transfer(then, sc, way, out, tr)
            out.jump(end)
            out.put(other)
            transfer(otherwise, sc, way, out, tr)
            out.put(end)
        case pa.QuantifiedPermission():
            quantified.transfer(a, sc, way, out, tr)
        case pa.Binding(variable, _, body):
            value = _bound_value(a, sc, out, tr)
            transfer(body, sc.binding({variable.name: value}), way, out, tr)
        case pa.InhaleExhale(inhaled, exhaled):
            side = inhaled if isinstance(way, Gain) != sc.swapped else exhaled
            transfer(side, sc, way, out, tr)
        case pe.And(operands):
            for operand in operands:
                transfer(operand, sc, way, out, tr)
        case _:
            _pure(a, sc, way, out, tr)


def _bound_value(a: pa.Binding, sc: Scope, out: Emitter, tr: Translation) -> Local:
    """What `let` binds is not judged where a wand is looked at alone."""
    if not sc.lenient:
        return out.keep(rules.lower(a.bound, sc, out, tr), a.variable.name)
    with out.trusting(wands.UNDEFINED):
        return out.keep(rules.lower(a.bound, sc, out, tr), a.variable.name)


def _pure(e: pe.Expr, sc: Scope, way: Gain | Loss, out: Emitter, tr: Translation) -> None:
    if isinstance(way, Gain) and _tied(e, sc, out, tr):
        return
    condition = rules.lower(e, replace(sc, assuming=isinstance(way, Gain) != sc.swapped), out, tr)
    if isinstance(way, Gain):
        out.assume(condition)
    else:
        out.check(condition, sc.obligation.blame("assertion.false", e, e))


def _tied(e: pe.Expr, sc: Scope, out: Emitter, tr: Translation) -> bool:
    """That an instance is as it was before: it has its contents of then; whether that was said."""
    match e:
        case pe.Equal(pe.FunctionApp(name, args, type_), pe.Old(label)) if type_ == STATE:
            then, function = sc.old.get(label), tr.program.functions[name]
            match function.preconditions:
                case (pa.Access(location=pa.PredicateLocation(predicate, formals)),) if (
                    then is not None and formals == function.params
                ):
                    at = [out.keep(rules.lower(arg, sc, out, tr)) for arg in args]
                    out.native("heap.tie", sc.heap, then, text(predicate), *at)
                    return True
            return False
        case _:
            return False


def _access(a: pa.Access, sc: Scope, way: Gain | Loss, out: Emitter, tr: Translation) -> None:
    at = arguments_of(a.location, sc, out, tr)
    share = checked_amount(a.amount, sc, out, tr)
    move(Resource(a, at, share), sc, way, out)
    known = classes_in_field(a.location, tr.program) if isinstance(way, Gain) else None
    if known is not None and isinstance(share, Literal) and share != NO_AMOUNT:
        assert isinstance(a.location, pa.FieldLocation)
        type_ = tr.program.fields[a.location.field].type
        held = Operation("read", (way.heap, *at), model_type(type_), a.location.field)
        kept = out.keep(held, a.location.field)
        classes.assume_class((kept, type_), known, sc, out, tr)


def arguments_of(
    location: pa.FieldLocation | pa.PredicateLocation, sc: Scope, out: Emitter, tr: Translation
) -> tuple[Term, ...]:
    """The receiver of a field, or the arguments of a predicate, computed once."""
    match location:
        case pa.FieldLocation(receiver):
            return (out.keep(rules.lower(receiver, sc, out, tr)),)
        case pa.PredicateLocation(_, args):
            return tuple([out.keep(rules.lower(arg, sc, out, tr)) for arg in args])


def checked_amount(e: pe.Expr, sc: Scope, out: Emitter, tr: Translation) -> Term | None:
    """The amount, checked not to be negative; None for a wildcard."""
    if is_wildcard(e):
        return None
    value = amount(rules.lower(e, sc, out, tr))
    if not isinstance(value, Literal):
        value = out.keep(value, "amount")
        out.check(
            boolean("at_most", NO_AMOUNT, value), sc.obligation.blame("negative.permission", e, e)
        )
    return value


def is_wildcard(e: pe.Expr) -> bool:
    return isinstance(e, pe.PermLit) and e.value is pe.PermConstant.WILDCARD


@record
class Resource:
    """A location with its arguments computed; no amount stands for a wildcard."""

    access: pa.Access
    at: tuple[Term, ...]
    amount: Term | None


def move(resource: Resource, sc: Scope, way: Gain | Loss, out: Emitter) -> None:
    a, at, share = resource.access, resource.at, resource.amount
    if share is not None and sc.scale is not None:
        share = out.keep(Operation("mul", (share, sc.scale), RATIONAL), "amount")
    if isinstance(way, Gain):
        _gain(a, at, some_amount(out) if share is None else share, way, out)
    else:
        _lose(replace(resource, amount=share), sc, way, out)


def some_amount(out: Emitter) -> Local:
    """A positive amount of which nothing else is known."""
    value = out.keep(Fresh(RATIONAL, "wildcard"), "wildcard")
    out.assume(boolean("less", NO_AMOUNT, value))
    return value


def _gain(a: pa.Access, at: tuple[Term, ...], share: Term, way: Gain, out: Emitter) -> None:
    match a.location:
        case pa.FieldLocation(_, field):
            out.native("heap.give", way.heap, way.source, *at, text(field), share)
        case pa.PredicateLocation(predicate):
            out.native("heap.give_instance", way.heap, way.source, text(predicate), share, *at)


def require(resource: Resource, sc: Scope, way: Loss, out: Emitter) -> Local:
    """There must be enough; the amount that is held."""
    a, share = resource.access, resource.amount
    fetch(a.location, resource.at, share, replace(sc, held=way.heap), out)
    held = out.keep(held_term(a.location, resource.at, way.heap), "held")
    enough = boolean("less", NO_AMOUNT, held)
    if share is not None and not sc.binary and not sc.shrinks:
        enough = boolean("at_most", share, held)
    elif share is not None:
        enough = boolean("or", boolean("at_most", share, NO_AMOUNT), enough)
    out.check(enough, sc.obligation.blame("insufficient.permission", a.location, a.location))
    return held


def _lose(resource: Resource, sc: Scope, way: Loss, out: Emitter) -> None:
    a, at, share = resource.access, resource.at, resource.amount
    held = require(resource, sc, way, out)
    if sc.binary:
        _remember(a.location, at, share, way, out)
        return
    is_wildcard = share is None
    if share is None:
        share = some_amount(out)
    if is_wildcard or sc.shrinks:
        smaller = boolean("less", share, held)
        nothing = boolean("at_most", share, NO_AMOUNT)
        out.assume(smaller if is_wildcard else boolean("or", nothing, smaller))
    match a.location:
        case pa.FieldLocation(_, field):
            out.native("heap.take", way.heap, way.sink, *at, text(field), share)
        case pa.PredicateLocation(predicate):
            out.native("heap.take_instance", way.heap, way.sink, text(predicate), share, *at)


def fetch(
    location: pa.FieldLocation | pa.PredicateLocation,
    at: tuple[Term, ...],
    share: Term | None,
    sc: Scope,
    out: Emitter,
) -> None:
    """In a package, what `sc.held` lacks comes from the heaps around; no share is any part."""
    if sc.outer is None or sc.binary:
        return
    needed = NOTHING if share is None else share
    match location:
        case pa.FieldLocation(_, field):
            out.native("wand.fetch_cell", sc.held, sc.heap, sc.outer, text(field), needed, *at)
        case pa.PredicateLocation(name):
            out.native("wand.fetch_instance", sc.held, sc.heap, sc.outer, text(name), needed, *at)


def _remember(
    location: pa.FieldLocation | pa.PredicateLocation,
    at: tuple[Term, ...],
    share: Term | None,
    way: Loss,
    out: Emitter,
) -> None:
    """What a function may look at stays where it is."""
    if way.sink == NOTHING:
        return
    skip = Place()
    if share is not None:
        out.branch(negated(boolean("less", NO_AMOUNT, share)), skip)
    match location:
        case pa.FieldLocation(_, field):
            out.native("heap.note", way.heap, way.sink, *at, text(field))
        case pa.PredicateLocation(predicate):
            out.native("heap.note_instance", way.heap, way.sink, text(predicate), *at)
    out.put(skip)


def held_term(
    location: pa.FieldLocation | pa.PredicateLocation, at: tuple[Term, ...], heap: Local
) -> Operation:
    match location:
        case pa.FieldLocation(_, field):
            return Operation("held", (heap, *at), RATIONAL, field)
        case pa.PredicateLocation(predicate):
            return Operation("held_instance", (heap, *at), RATIONAL, predicate)


def held_amount(
    location: pa.Location, heap: Local, sc: Scope, out: Emitter, tr: Translation
) -> Term:
    if isinstance(location, pa.Wand):
        return out.keep(wands.held(wands.located(location, sc, out, tr), heap), "held")
    return out.keep(held_term(location, arguments_of(location, sc, out, tr), heap), "held")


# ---------------------------------------------------------------- whole assertions


def check_only(a: pa.Assertion, sc: Scope, out: Emitter, tr: Translation) -> None:
    """What `assert` does: an exhale from a copy."""
    copy = out.new_heap("heap.copy", sc.heap)
    transfer(a, replace(sc, held=copy), Loss(copy, further=False), out, tr)


def exhale(a: pa.Assertion, sc: Scope, out: Emitter, tr: Translation) -> None:
    before = out.new_heap("heap.copy", sc.heap)
    transfer(a, replace(sc, heap=before), Loss(sc.heap), out, tr)


def exhale_clauses(
    clauses: list[tuple[pa.Assertion, Obligation]], sc: Scope, out: Emitter, tr: Translation
) -> Local:
    """Exhale clauses, each with its own obligation; the result is a heap with what they hold."""
    before, sink = out.new_heap("heap.copy", sc.heap), out.new_heap("heap.empty")
    for clause, obligation in clauses:
        inner = replace(sc, heap=before, obligation=obligation)
        transfer(clause, inner, Loss(sc.heap, sink), out, tr)
    return sink


def inhale_clauses(
    clauses: tuple[pa.Assertion, ...], sc: Scope, source: Term, out: Emitter, tr: Translation
) -> None:
    """Inhale clauses, each of which must be well-formed where it stands."""
    for clause in clauses:
        obligation = Obligation("not.wellformed", clause.span, sc.obligation.member)
        transfer(clause, sc.proving(obligation), Gain(sc.heap, source), out, tr)
