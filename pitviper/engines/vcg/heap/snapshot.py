"""Snapshots: the values of all that an assertion holds, as one term.

NOTE(snapshot-order). Conjuncts of all clauses together are pairs nested to the right; what holds no
permission has the snapshot `unit`. Inhaling from a snapshot takes it apart in the same order.

A function looks at its precondition and takes nothing away. So the check of a precondition is part
of this walk: with `claiming`, what the assertion claims is an obligation.
"""

from __future__ import annotations

from collections.abc import Callable

from pitviper.base.record import replace
from pitviper.encoding.inhale_exhale import brings_more, flattened
from pitviper.engines.shared.judgement import is_introspective
from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.heap.entry import Family, Index, Kind, is_positive
from pitviper.engines.vcg.heap.total import lookup, own_entry, total_in
from pitviper.engines.vcg.heap.triggers import note_location
from pitviper.engines.vcg.kinds import located
from pitviper.engines.vcg.quantified import permissions
from pitviper.engines.vcg.rules import evaluate as ev
from pitviper.engines.vcg.rules import exhale as exhale_rules
from pitviper.engines.vcg.rules import predicate as predicate_rules
from pitviper.engines.vcg.state import State
from pitviper.engines.vcg.wands.holes import filled
from pitviper.engines.vcg.wands.value import newest_wand_value, only_wand_value
from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program.assertion import Assertion
from pitviper.program.node import Node
from pitviper.terms import build as tb
from pitviper.terms.snapshot import SNAP, UNIT, combined, first, second, wrap, wrap_leaf
from pitviper.terms.term import Term


def split(snap: Term, count: int) -> list[Term]:
    """A snapshot for each of several conjuncts."""
    parts: list[Term] = []
    for _ in range(count - 1):
        parts.append(first(snap))
        snap = second(snap)
    return [*parts, snap] if count else []


Leaf = Callable[[Term], Term]


def snapshot(st: State, assertions: tuple[Assertion, ...], cx: Context) -> Term:
    """The values of what the assertions hold in this state."""
    return _all(st, assertions, wrap_leaf, cx)


def shape(st: State, assertions: tuple[Assertion, ...], cx: Context) -> Term:
    """The snapshot, after all was inhaled from an unknown one: their equation says that this was a
    snapshot of these assertions, which is what `snapshot` relies on at its leaves."""
    return _all(st, assertions, wrap, quiet(cx))


def quiet(cx: Context) -> Context:
    """Where nothing is checked: what was checked before is looked at again."""
    return replace(cx, checking=False, claiming=False)


def _all(st: State, assertions: tuple[Assertion, ...], leaf: Leaf, cx: Context) -> Term:
    inner = cx.on_side(exhaling=True)
    return combined(tuple([_part(st, a, leaf, inner) for a in flattened(assertions)]))


def _part(st: State, a: Assertion, leaf: Leaf, cx: Context) -> Term:
    """This match is the table of contents. What looks at the permissions of a state was looked at
    while these went away, and not here, where all are there: its snapshot is unknown."""
    if not cx.claiming and not isinstance(a, pa.Star) and is_introspective(a):
        return cx.fresh("snapshot", SNAP)
    match a:
        case pa.Access():
            return _access(st, a, leaf, cx)
        case pa.Wand():
            return _wand(st, a, leaf, cx)
        case pa.Star():
            return _all(st, (a,), leaf, cx)
        case pa.Guarded(condition, body):
            return _choice(st, condition, (body, None), leaf, cx)
        case pa.Choice(condition, then, otherwise):
            return _choice(st, condition, (then, otherwise), leaf, cx)
        case pa.Binding(variable, bound, body):
            value = ev.evaluate(st, bound, cx)
            return _part(st.binding(variable.name, value), body, leaf, cx)
        case pa.InhaleExhale(_, exhaled):
            given = _part(st, exhaled, leaf, cx)
            return cx.fresh("snapshot", SNAP) if brings_more(a) else given
        case pa.QuantifiedPermission():
            return permissions.snapshot_quantified(st, a, cx)
        case _:
            if cx.claiming:
                exhale_rules.exhale_pure(st, a, cx)
            return UNIT


def _choice(
    st: State,
    condition: pe.Expr,
    arms: tuple[Assertion, Assertion | None],
    leaf: Leaf,
    cx: Context,
) -> Term:
    value = st.decided(ev.evaluate(st, condition, cx))
    negated = tb.negate(value)
    then = UNIT if value is tb.FALSE else _part(st.under(value), arms[0], leaf, cx)
    other: Term = UNIT
    if arms[1] is not None and value is not tb.TRUE:
        other = _part(st.under(negated), arms[1], leaf, cx)
    return tb.ite(value, then, other)


def _access(st: State, a: pa.Access, leaf: Leaf, cx: Context) -> Term:
    kind, parts = located(a.location, cx.services.symbols)
    index = tuple([ev.evaluate(st, part, cx) for part in parts])
    st, amount, wildcard = ev.amount_of(st, a.amount, cx)
    if not wildcard:
        cx.check(st, tb.at_least(amount, tb.NONE), "negative.permission", a.amount, a.amount)
        if amount is tb.NONE:
            return UNIT
    positive = is_positive(amount, st.known)
    some = tb.TRUE if wildcard or positive else tb.greater(amount, tb.NONE)
    require_some(st.under(some), kind, index, a.location, cx)
    if cx.claiming and isinstance(a.location, pa.PredicateLocation):
        held = total_in(st, st.heap, kind, index, cx)
        looked_into = predicate_rules.Target(kind, index, held, wildcard, a.location)
        predicate_rules.check_part(st.under(some), looked_into, cx)
    value = leaf(lookup(st, kind, index, cx))
    return tb.ite(some, value, UNIT)


def _wand(st: State, a: pa.Wand, leaf: Leaf, cx: Context) -> Term:
    kind, index = filled(st, a, cx)
    require_some(st, kind, index, a, cx)
    if leaf is wrap:
        return wrap(newest_wand_value(st.heap, kind, index, cx))
    return leaf(only_wand_value(st, st.heap, kind, index, cx))


def require_some(st: State, kind: Kind, index: Index, node: Node, cx: Context) -> None:
    """Some permission is held, as a claim of an assertion."""
    note_location(kind, index, cx)
    if not cx.claiming:
        return
    own = own_entry(st, st.held, kind, index, cx)
    if own is not None and is_positive(own[1].amount, st.known):
        return
    reason = "wand.not.found" if kind.what is Family.WAND else "insufficient.permission"
    held = total_in(st, st.held, kind, index, cx)
    cx.claim(st, tb.greater(held, tb.NONE), reason, node, node)
