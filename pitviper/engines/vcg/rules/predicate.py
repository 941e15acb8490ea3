"""Predicates: folding and unfolding instances, whole or in part."""

from __future__ import annotations

from pitviper.base.record import record, replace
from pitviper.encoding.inhale_exhale import flattened
from pitviper.engines.shared.failures import about_fold
from pitviper.engines.shared.parts import PART, is_plainly_divisible
from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.heap import snapshot as snapshots
from pitviper.engines.vcg.heap.add import add_valued
from pitviper.engines.vcg.heap.entry import Index, Kind, Portion, Request
from pitviper.engines.vcg.heap.take import take
from pitviper.engines.vcg.heap.total import lookup
from pitviper.engines.vcg.heap.triggers import note_location
from pitviper.engines.vcg.kinds import predicate_kind
from pitviper.engines.vcg.rules import evaluate as ev
from pitviper.engines.vcg.rules import exhale as exhale_rules
from pitviper.engines.vcg.rules import inhale as inhale_rules
from pitviper.engines.vcg.rules import nesting
from pitviper.engines.vcg.state import State
from pitviper.engines.vcg.wands.transfer import transfer
from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program import stmt as ps
from pitviper.program.assertion import Assertion
from pitviper.terms import build as tb
from pitviper.terms.snapshot import PAIR
from pitviper.terms.term import App, Term


@record
class Target:
    """An instance that is folded or unfolded, with a positive amount."""

    kind: Kind
    index: Index
    amount: Term
    wildcard: bool
    node: pa.PredicateLocation


def target(
    st: State, location: pa.PredicateLocation, amount: pe.Expr, cx: Context
) -> tuple[State, Target]:
    """The instance, and how much of it, which must be more than nothing."""
    kind = predicate_kind(location.predicate, cx.services.symbols)
    index = ev.evaluate_all(st, location.args, cx)
    st, value, wildcard = ev.amount_of(st, amount, cx)
    if not wildcard:
        goal = tb.greater(value, tb.NONE)
        cx.check(st, goal, "permission.not.positive", amount, amount)
        st = st.knowing(goal)
    note_location(kind, index, cx)
    return st, Target(kind, index, value, wildcard, location)


def check_part(st: State, instance: Target, cx: Context) -> None:
    """What is folded, unfolded or looked into in part makes sense in part: see NOTE(parts)."""
    name, memo = instance.node.predicate, cx.services.memo
    whole = tb.at_least(instance.amount, tb.WRITE)
    if cx.in_function or whole is tb.TRUE or whole in st.known:
        return
    if ("divisible", name) not in memo:
        memo["divisible", name] = is_plainly_divisible(name, cx.services.program)
    if memo["divisible", name] or cx.services.program.predicates[name].body is None:
        return
    judged = cx.proving(PART, cx.construct.node, instance.node)
    judged = replace(
        judged,
        checking=True,
        claiming=True,
        in_function=True,
        reading=False,
        scale=tb.WRITE,
        scaled_freely=False,
        packaging=None,
    )
    with cx.aside(st) as inside:
        inside = cx.assume(inside, tb.negate(whole))
        alone = inside.storing(_formals(instance, cx)).on(inhale_rules.empty_heap(cx)).framed(())
        inhale_rules.inhale_all(alone, (_body(instance, cx),), None, judged)


def fold(st: State, statement: ps.Fold, cx: Context) -> State:
    error, node, parts = about_fold(statement)
    inner = cx.proving(error, node, *parts)
    st, instance = target(st, statement.predicate, statement.amount, inner)
    check_part(st, instance, inner)
    return fold_instance(st, instance, inner)


def unfold(st: State, statement: ps.Unfold, cx: Context) -> State:
    inner = cx.proving("unfold.failed", statement, statement.predicate)
    st, instance = target(st, statement.predicate, statement.amount, inner)
    check_part(st, instance, inner)
    return unfold_instance(st, instance, inner)


def fold_instance(st: State, instance: Target, cx: Context) -> State:
    """The body goes, every amount scaled; the instance comes, with the snapshot of the body."""
    body, store = _body(instance, cx), st.store
    inside = replace(
        cx.trusting_body(body, instance.amount),
        scale=instance.amount,
        scaled_freely=instance.wildcard,
        reading=False,
    )
    start = st.storing(_formals(instance, cx))
    given_up: exhale_rules.GivenUp = {}
    parts = flattened((body,))
    given = exhale_rules.exhale_parts(start.leaving(start.heap), parts, inside, given_up)
    start = start.on(given.heap)
    snap = snapshots.snapshot(start, (body,), snapshots.quiet(inside))
    nesting.assume_nested(start, body, _part(start, instance, snap), inside)
    after = exhale_rules.settled(given, given_up, cx).storing(store)
    cx.learn(after, _trigger(instance, snap, cx))
    new = Portion(instance.kind, instance.index, instance.amount)
    return add_valued(after, new, snap, cx)


def unfold_instance(st: State, instance: Target, cx: Context) -> State:
    """The instance goes; the body comes, every amount scaled, with the values that the snapshot of
    the instance has for it."""
    store = st.store
    given_up: exhale_rules.GivenUp = {}
    given_up[exhale_rules.Point(instance.kind, instance.index)] = None
    request = Request(
        instance.kind, instance.index, instance.amount, instance.wildcard, instance.node
    )
    start = transfer(st.leaving(st.heap), request, cx)
    snap = lookup(start, instance.kind, instance.index, cx)
    after = take(start, request, cx)
    after = exhale_rules.settled(after, given_up, cx)
    return opened_body(after, instance, snap, cx).storing(store)


def opened_body(st: State, instance: Target, snap: Term, cx: Context) -> State:
    """The body comes in; the store of the result is that of the body."""
    body = _body(instance, cx)
    inside = cx.trusting_contract(body)
    inside = replace(inside, scale=instance.amount, scaled_freely=False)
    st = inhale_rules.inhale_all(st.storing(_formals(instance, cx)), (body,), snap, inside)
    if not (isinstance(snap, App) and snap.symbol is PAIR):
        st = cx.assume(st, tb.equal(snap, snapshots.shape(st, (body,), inside)))
    nesting.assume_nested(st, body, _part(st, instance, snap), inside)
    cx.learn(st, _trigger(instance, snap, cx))
    return st


def _part(st: State, instance: Target, snap: Term) -> nesting.Part:
    return nesting.Part(st, instance.kind, instance.index, snap)


def _trigger(instance: Target, snap: Term, cx: Context) -> Term:
    """Makes functions over this instance unroll: see the axioms of functions."""
    symbol = cx.services.symbols.predicate_trigger(instance.node.predicate)
    return tb.apply(symbol, snap, *instance.index)


def _body(instance: Target, cx: Context) -> Assertion:
    name = instance.node.predicate
    body = cx.services.program.predicates[name].body
    if body is None:
        raise ValueError(f"predicate {name} has no body: the checker rejects this")
    return body


def _formals(instance: Target, cx: Context) -> dict[str, Term]:
    params = cx.services.program.predicates[instance.node.predicate].params
    return {p.name: value for p, value in zip(params, instance.index, strict=True)}
