"""Figure 6: production of assertions, from a snapshot or with new values."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.base.record import replace
from pitviper.encoding.inhale_exhale import brings_more, flattened, inhaled_snapshot
from pitviper.encoding.symbols import WAND_SNAPSHOT
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.access import add, value_sort
from pitviper.engines.symbolic.heap.chunk import Chunk, Instance
from pitviper.engines.symbolic.heap.nesting import apart
from pitviper.engines.symbolic.outcomes import branch, in_order
from pitviper.engines.symbolic.provenance import Provenance
from pitviper.engines.symbolic.quantified import permissions as quantified_rules
from pitviper.engines.symbolic.rules import evaluate as evaluate_rules
from pitviper.engines.symbolic.state import State
from pitviper.engines.symbolic.wands import apply as wand_rules
from pitviper.program import assertion as pa
from pitviper.program.assertion import Assertion
from pitviper.program.classes import known_of_field, known_of_many
from pitviper.program.expr import Var
from pitviper.terms import build as tb
from pitviper.terms.snapshot import PAIR, SNAP, UNIT, first, pair, second, unwrap, wrap
from pitviper.terms.term import App, Term

_HELD = "held by the field"
"""The name of what a field holds, in what is known about it."""

Snapshot = Term | None
"""None: whoever produces has no use for the values, new symbols will do."""


def produce_all(
    st: State, assertions: tuple[Assertion, ...], snap: Snapshot, cx: Context
) -> Iterator[State]:
    """Conjuncts from left to right, each seeing what the ones before it brought."""
    conjuncts = flattened(assertions)
    inner = cx.on_side(exhaling=False)
    st, snaps = split_snapshot(st, snap, len(conjuncts))
    parts = tuple(zip(conjuncts, snaps, strict=True))
    return in_order(st, parts, lambda s1, part: produce(s1, part[0], part[1], inner))


def split_snapshot(st: State, snap: Snapshot, count: int) -> tuple[State, list[Snapshot]]:
    """A snapshot for each of several conjuncts: pairs nested to the right."""
    if snap is None or count <= 1:
        return st, [snap] * count
    parts: list[Snapshot] = []
    for _ in range(count - 1):
        if not (isinstance(snap, App) and snap.symbol is PAIR):
            split = tb.equal(snap, pair(first(snap), second(snap)))
            st = st.assume(split)
        parts.append(first(snap))
        snap = second(snap)
    parts.append(snap)
    return st, parts


def produce(st: State, a: Assertion, snap: Snapshot, cx: Context) -> Iterator[State]:
    states = _produce(st, a, snap, cx)
    recorder = cx.services.recorder
    return states if recorder is None else recorder.following("produce", st, a, states, cx.group)


def _produce(st: State, a: Assertion, snap: Snapshot, cx: Context) -> Iterator[State]:
    """This match is the table of contents."""
    match a:
        case pa.Access():
            yield from produce_access(st, a, snap, cx)
        case pa.Star():
            yield from produce_all(st, (a,), snap, cx)
        case pa.Guarded(condition, body):
            st, value = evaluate_rules.evaluate(st, condition, cx)
            for s1, taken in branch(st, value, condition, cx):
                if taken:
                    yield from produce(s1, body, snap, cx)
                else:
                    yield without_resource(s1, snap)
        case pa.Choice(condition, then, otherwise):
            st, value = evaluate_rules.evaluate(st, condition, cx)
            for s1, taken in branch(st, value, condition, cx):
                yield from produce(s1, then if taken else otherwise, snap, cx)
        case pa.Binding(variable, bound, body):
            st, value = evaluate_rules.evaluate(st, bound, cx.trusting_in_wand())
            store = st.store
            for s1 in produce(st.binding(variable.name, value), body, snap, cx):
                yield s1.storing(store)
        case pa.InhaleExhale(inhaled):
            if snap is not None:
                known = cx.modes.definition is not None or not brings_more(a)
                snap = inhaled_snapshot(snap, a) if known else cx.fresh("brought", SNAP)
            yield from produce(st, inhaled, snap, replace(cx, around=()) if cx.around else cx)
        case pa.QuantifiedPermission():
            yield from _produce_many(st, a, snap, cx)
        case pa.Wand():
            yield produce_wand(st, a, snap, cx)
        case _:
            st, value = evaluate_rules.evaluate(st, a, cx)
            if value is tb.FALSE and not st.outers:
                if cx.group:
                    cx.services.log.ended.append(a)
            else:
                st = st.assume(value, provenance=Provenance(cx.group, a))
                yield without_resource(st, snap)


def without_resource(st: State, snap: Snapshot) -> State:
    """What holds no permission has the snapshot `unit`."""
    return st if snap is None else st.assume(tb.equal(snap, UNIT))


def produce_access(st: State, a: pa.Access, snap: Snapshot, cx: Context) -> Iterator[State]:
    """Figure 6, acc: a new chunk, or more of one that is held."""
    st, resource, args = evaluate_rules.locate(st, a.location, cx)
    st, amount, wildcard = evaluate_rules.amount_of(st, a.amount, cx)
    if not wildcard:
        st = check_amount(st, amount, a, cx)
    sort = value_sort(resource, cx)
    if snap is None:
        value = cx.fresh(resource.name, sort)
        cx.services.origins.record(value, resource, args, a.span)
    else:
        value = unwrap(snap, sort)
        st = st.assume(tb.equal(wrap(value), snap))
        cx.services.origins.record_read(value, resource, args, a.span)
    own = Instance(resource, args, tb.greater(amount, tb.NONE))
    st = apart(st, own, cx.around)
    st = _knowing_class(st, a, (value, amount), cx)
    yield add(st, Chunk(resource, args, value, amount, around=cx.around), cx)


def _knowing_class(st: State, a: pa.Access, held: tuple[Term, Term], cx: Context) -> State:
    """What the type of a field tells about the object in it, if the amount lets it be read."""
    if not isinstance(a.location, pa.FieldLocation):
        return st
    value, amount = held
    name = Var(_HELD, cx.services.program.fields[a.location.field].type, span=a.location.span)
    fact = known_of_field(a.location, name, cx.services.program)
    if fact is None:
        return st
    s1, known = evaluate_rules.evaluate(st.binding(_HELD, value), fact, cx.claims_only())
    return s1.storing(st.store).assume(tb.implies(tb.greater(amount, tb.NONE), known))


def _produce_many(
    st: State, a: pa.QuantifiedPermission, snap: Snapshot, cx: Context
) -> Iterator[State]:
    """Many chunks in one, and what the type of a field tells about the objects in it."""
    fact = known_of_many(a, cx.services.program)
    for s1 in quantified_rules.produce_quantified(st, a, snap, cx):
        if fact is None or s1.is_over:
            yield s1
            continue
        s2, known = evaluate_rules.evaluate(s1, fact, cx.claims_only())
        yield s2.storing(s1.store).assume(known)


def produce_wand(st: State, a: pa.Wand, snap: Snapshot, cx: Context) -> State:
    """One more instance; nothing is known about its right-hand values."""
    st, resource, args = wand_rules.locate_wand(st, a, cx)
    if snap is None:
        value = cx.fresh("wand", WAND_SNAPSHOT)
    else:
        value = unwrap(snap, WAND_SNAPSHOT)
        st = st.assume(tb.equal(wrap(value), snap))
    return add(st, Chunk(resource, args, value, tb.WRITE), cx)


def check_amount(st: State, amount: Term, a: pa.Access, cx: Context) -> State:
    return cx.check(st, tb.at_least(amount, tb.NONE), "negative.permission", a.amount, a.amount)
