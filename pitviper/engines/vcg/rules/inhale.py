"""Inhaling assertions: permissions come in, with the values of a snapshot if there is one."""

from __future__ import annotations

from pitviper.encoding.inhale_exhale import (
    brings_more,
    exhaled_side,
    flattened,
    inhaled_snapshot,
)
from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.heap import snapshot as snapshots
from pitviper.engines.vcg.heap.add import add, add_valued
from pitviper.engines.vcg.heap.entry import Portion
from pitviper.engines.vcg.heap.triggers import note_location
from pitviper.engines.vcg.quantified import permissions
from pitviper.engines.vcg.rules import evaluate as ev
from pitviper.engines.vcg.rules.join import choose
from pitviper.engines.vcg.state import Heap, State
from pitviper.engines.vcg.wands import apply
from pitviper.program import assertion as pa
from pitviper.program.assertion import Assertion
from pitviper.program.classes import known_at_start, known_of_field, known_of_many
from pitviper.program.expr import FieldRead
from pitviper.program.member import Function, Method, Predicate
from pitviper.terms import build as tb
from pitviper.terms.snapshot import SNAP, unwrap
from pitviper.terms.term import Term

Snapshot = Term | None
"""None: what comes in has the values that the arrays have."""


def inhale_all(st: State, assertions: tuple[Assertion, ...], snap: Snapshot, cx: Context) -> State:
    """Conjuncts from left to right, each seeing what the ones before it brought."""
    conjuncts = flattened(assertions)
    snaps = [None] * len(conjuncts) if snap is None else snapshots.split(snap, len(conjuncts))
    inner = cx.on_side(exhaling=False)
    for conjunct, part in zip(conjuncts, snaps, strict=True):
        st = inhale(st, conjunct, part, inner)
    return st


def inhale_clauses(
    st: State, clauses: tuple[Assertion, ...], snap: Snapshot, error: str, cx: Context
) -> State:
    """All clauses from one snapshot; a failure is reported at its clause."""
    parts = [
        (conjunct, cx.proving(error, clause).on_side(exhaling=False))
        for clause in clauses
        for conjunct in flattened((clause,))
    ]
    snaps = [None] * len(parts) if snap is None else snapshots.split(snap, len(parts))
    for (conjunct, inner), part in zip(parts, snaps, strict=True):
        st = inhale(st, conjunct, part, inner)
    return st


def inhale(st: State, a: Assertion, snap: Snapshot, cx: Context) -> State:
    """This match is the table of contents."""
    match a:
        case pa.Access():
            return inhale_access(st, a, snap, cx)
        case pa.Star():
            return inhale_all(st, (a,), snap, cx)
        case pa.Guarded(condition, body):
            value = ev.condition(st, condition, cx)
            if value is tb.FALSE:
                return st
            if value is tb.TRUE:
                return inhale(st, body, snap, cx)
            return choose(value, inhale(st.under(value), body, snap, cx), st, st)
        case pa.Choice(condition, then, otherwise):
            value = ev.condition(st, condition, cx)
            if value is tb.TRUE or value is tb.FALSE:
                return inhale(st, then if value is tb.TRUE else otherwise, snap, cx)
            one = inhale(st.under(value), then, snap, cx)
            other = inhale(st.under(tb.negate(value)), otherwise, snap, cx)
            return choose(value, one, other, st)
        case pa.Binding(variable, bound, body):
            value = ev.evaluate(st, bound, cx.unless_lenient())
            store = st.store
            return inhale(st.binding(variable.name, value), body, snap, cx).storing(store)
        case pa.InhaleExhale(inhaled):
            if snap is not None:
                known = cx.function is not None or not brings_more(a)
                snap = inhaled_snapshot(snap, a) if known else cx.fresh("brought", SNAP)
            return inhale(st, inhaled, snap, cx)
        case pa.QuantifiedPermission():
            return _knowing_classes(permissions.inhale_quantified(st, a, snap, cx), a, cx)
        case pa.Wand():
            return apply.inhale_wand(st, a, snap, cx)
        case _:
            return cx.assume(st, ev.evaluate(st, a, cx))


def inhale_access(st: State, a: pa.Access, snap: Snapshot, cx: Context) -> State:
    kind, index = ev.locate(st, a.location, cx)
    note_location(kind, index, cx)
    st, amount, wildcard = ev.amount_of(st, a.amount, cx)
    if not wildcard:
        st = ev.check_amount(st, amount, a, cx)
    new = Portion(kind, index, amount)
    if snap is None:
        return _knowing_class(add(st, new, cx), a, amount, cx)
    return _knowing_class(add_valued(st, new, unwrap(snap, kind.value), cx), a, amount, cx)


def _knowing_class(st: State, a: pa.Access, amount: Term, cx: Context) -> State:
    """What the type of a field tells about the object in it, if the amount lets it be read."""
    if not isinstance(a.location, pa.FieldLocation):
        return st
    field = cx.services.program.fields[a.location.field]
    held = FieldRead(a.location.receiver, field.name, field.type, span=a.location.span)
    fact = known_of_field(a.location, held, cx.services.program)
    if fact is None:
        return st
    known = ev.evaluate(st, fact, cx.claims_only())
    return cx.assume(st, tb.implies(tb.greater(amount, tb.NONE), known))


def _knowing_classes(st: State, a: pa.QuantifiedPermission, cx: Context) -> State:
    """The same of a field of many objects."""
    fact = known_of_many(a, cx.services.program)
    return st if fact is None else cx.assume(st, ev.evaluate(st, fact, cx.claims_only()))


def knowing_classes(st: State, member: Function | Predicate | Method, cx: Context) -> State:
    """What the types of parameters tell about their objects is known from the start."""
    for fact in known_at_start(member):
        st = cx.assume(st, ev.evaluate(st, fact, cx.claims_only()))
    return st


def empty_heap(cx: Context) -> Heap:
    """No permissions, and values of which nothing is known."""
    return Heap(cx.services.supply.name("heap"))


def check_clauses(
    st: State, clauses: tuple[Assertion, ...], cx: Context, error: str = "not.wellformed"
) -> None:
    """The clauses as they are inhaled, and, where they have pairs, as they are exhaled."""
    if not clauses:
        return
    with cx.aside(st) as inside:
        inhale_clauses(inside.on(empty_heap(cx)).framed(()), clauses, None, error, cx)
    check_exhaled(st, clauses, cx, error)


def check_exhaled(
    st: State, clauses: tuple[Assertion, ...], cx: Context, error: str = "not.wellformed"
) -> None:
    """Where clauses have inhale-exhale pairs, what they exhale must make sense as well."""
    sides = tuple([exhaled_side(clause) for clause in clauses])
    if all(side is clause for side, clause in zip(sides, clauses, strict=True)):
        return
    with cx.aside(st) as inside:
        heap = empty_heap(cx)
        inhale_clauses(inside.on(heap).framed(()), sides, None, error, cx)
