"""Figure 8: execution of statements without control flow."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.base.record import replace
from pitviper.encoding.inhale_exhale import exhaled_side
from pitviper.encoding.operators import NULL
from pitviper.engines.shared.failures import about_fold
from pitviper.engines.shared.syntactic import denoted_by, origin_of
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.access import add, add_new, take, value_sort
from pitviper.engines.symbolic.heap.chunk import (
    EMPTY,
    Chunk,
    QuantifiedChunk,
    Resource,
    field_resource,
    predicate_resource,
)
from pitviper.engines.symbolic.heap.consolidate import same_args
from pitviper.engines.symbolic.heap.freshness import fresh_object
from pitviper.engines.symbolic.heap.request import Request
from pitviper.engines.symbolic.outcomes import join, returned
from pitviper.engines.symbolic.quantified.access import maps_of
from pitviper.engines.symbolic.quantified.inverse import injectivity, inverse_of
from pitviper.engines.symbolic.quantified.permissions import evaluate_quantified
from pitviper.engines.symbolic.rules import evaluate as ev
from pitviper.engines.symbolic.rules.consume import consume_all
from pitviper.engines.symbolic.rules.predicate import check_part, fold_instance, unfold_instance
from pitviper.engines.symbolic.rules.produce import produce_all
from pitviper.engines.symbolic.state import PRE_STATE, State
from pitviper.engines.symbolic.wands.apply import apply_wand
from pitviper.program import stmt as ps
from pitviper.program.assertion import Assertion, PredicateLocation
from pitviper.program.expr import Expr, FieldRead, Var
from pitviper.program.print.printer import stmt_text
from pitviper.solver.session import FactKind
from pitviper.terms import build as tb
from pitviper.terms.snapshot import SNAP, UNIT
from pitviper.terms.substitute import substitute
from pitviper.terms.term import Term


def execute(st: State, s: ps.Stmt, cx: Context) -> Iterator[State]:  # noqa: C901 - a table
    """This match is the table of contents."""
    cx = _with_origin(s, cx)
    match s:
        case ps.Declare(variable):
            yield st.binding(variable.name, _havoc(variable, cx))
        case ps.LocalAssign(target, value):
            yield exec_assign(st, s, target, value, cx)
        case ps.FieldAssign():
            yield exec_field_assign(st, s, cx)
        case ps.New():
            yield exec_new(st, s, cx)
        case ps.MethodCall():
            yield from exec_call(st, s, cx)
        case ps.Inhale(assertion):
            inner = cx.proving("inhale.failed", assertion).assuming_from("inhale")
            yield from produce_all(st, (assertion,), None, inner)
        case ps.Exhale(assertion):
            inner = cx.proving("exhale.failed", assertion)
            for s1, _ in consume_all(st.leaving(st.heap), (assertion,), inner):
                yield s1.settled()
        case ps.Assert(assertion):
            yield from exec_assert(st, assertion, cx)
        case ps.Cut(assertion):
            yield from exec_cut(st, assertion, cx)
        case ps.Fold(location, amount):
            yield from exec_fold(st, s, location, amount, cx)
        case ps.Unfold(location, amount):
            yield from exec_unfold(st, s, location, amount, cx)
        case ps.Label(name):
            yield st.labelled(name, st.heap)
        case ps.Quasihavoc():
            yield exec_quasihavoc(st, s, cx)
        case ps.QuasihavocAll():
            yield exec_quasihavoc_all(st, s, cx)
        case ps.Apply(wand):
            yield from apply_wand(st, wand, cx.proving("apply.failed", s))
        case ps.Package():
            from pitviper.engines.symbolic.wands.package import exec_package  # rare, so loaded here

            yield exec_package(st, s, cx.proving("package.failed", s))
        case _:
            raise ValueError(f"{type(s).__name__} is control flow, or removed by its plugin")


def _with_origin(s: ps.Stmt, cx: Context) -> Context:
    """Statements that a plugin generated say so in their findings."""
    origin = origin_of(s)
    return cx if origin is None else replace(cx, obligation=replace(cx.obligation, origin=origin))


def _havoc(variable: Var, cx: Context) -> Term:
    return cx.fresh(variable.name, cx.services.symbols.sort(variable.type))


# ---------------------------------------------------------------- assignments


def exec_assign(st: State, s: ps.Stmt, target: Var, value: Expr, cx: Context) -> State:
    st, term = ev.evaluate(st, value, cx.proving("assignment.failed", s))
    st, name = cx.named(st, target.name, term)
    return st.binding(target.name, name)


def exec_field_assign(st: State, s: ps.FieldAssign, cx: Context) -> State:
    """Figure 8, e1.f := e2: full permission is given up and comes back with the new value."""
    cx = cx.proving("assignment.failed", s)
    st, receiver = ev.evaluate(st, s.receiver, cx)
    st, value = ev.evaluate(st, s.value, cx)
    st, name = cx.named(st, s.field, value)
    resource = field_resource(s.field)
    if name is not value:
        cx.services.origins.record(name, resource, (receiver,), s.span)
    request = Request(resource, (receiver,), tb.WRITE, node=_location(s))
    st, _ = take(st.leaving(st.heap), request, cx)
    return add(st.settled(), Chunk(resource, (receiver,), name, tb.WRITE), cx)


def _location(s: ps.FieldAssign) -> Expr:
    return FieldRead(s.receiver, s.field, s.value.type, span=s.span)


def exec_new(st: State, s: ps.New, cx: Context) -> State:
    """A new object differs from all that the state knows; its fields are held in full."""
    target = _havoc(s.target, cx)
    st = st.assume(tb.differ(target, NULL))
    st = fresh_object(st, target, cx)
    for name in s.fields:
        resource = field_resource(name)
        value = cx.fresh(name, value_sort(resource, cx))
        cx.services.origins.record(value, resource, (target,), s.span)
        st = add_new(st, Chunk(resource, (target,), value, tb.WRITE), cx)
    return st.binding(s.target.name, target)


# ---------------------------------------------------------------- assertions


def exec_cut(st: State, assertion: Assertion, cx: Context) -> Iterator[State]:
    """Section 6.1: the assertion holds, and execution goes on from any state in which it does.

    All values are fresh ones. What is known of the earlier ones stays on the path and says nothing
    about them, so paths need not be told apart. The precondition makes the pre-state. What is known
    is what was proved: of a pair that side, and nothing about amounts of what is given up.
    """
    cx = cx.proving("cut.failed", assertion)
    method = cx.services.program.methods[cx.services.member]
    for s1, _ in consume_all(st.leaving(st.heap), (assertion,), cx):
        store = {name: cx.fresh(name, value.sort) for name, value in st.store.items()}
        start = State(store, EMPTY, s1.path, frames=(EMPTY,) * len(st.frames))
        before = cx.trusting_contract(*method.preconditions)
        before = before.assuming_from(f"precondition of {method.name}")
        for s2 in produce_all(start, method.preconditions, None, before):
            s3 = s2.labelled(PRE_STATE, s2.heap).holding(EMPTY)
            known = cx.assuming_from("cut").without_introspection()
            yield from produce_all(s3, (exhaled_side(assertion),), None, known)


def exec_assert(st: State, assertion: Assertion, cx: Context) -> Iterator[State]:
    """The heap stays; what was proved is kept, joined where the assertion has cases.

    Inside a package, what had to be moved in stays: an assertion is a way to ask for it.
    """
    inner = cx.proving("assert.failed", assertion)
    checked = [(s1, UNIT) for s1, _ in consume_all(st.leaving(st.heap), (assertion,), inner)]
    if st.outers:
        yield from [s1.holding(s1.heap) for s1, _ in checked]
    else:
        yield join(st, checked, SNAP, cx)[0]


# ---------------------------------------------------------------- predicates


def exec_fold(
    st: State, s: ps.Fold, location: PredicateLocation, amount: Expr, cx: Context
) -> Iterator[State]:
    error, node, parts = about_fold(s)
    cx = cx.proving(error, node, *parts)
    st, request = _predicate_request(st, location, amount, cx)
    check_part(st, request, cx)
    return fold_instance(st, request, cx)


def exec_unfold(
    st: State, s: ps.Stmt, location: PredicateLocation, amount: Expr, cx: Context
) -> Iterator[State]:
    cx = cx.proving("unfold.failed", s, location)
    st, request = _predicate_request(st, location, amount, cx)
    check_part(st, request, cx)
    for s1 in unfold_instance(st, request, cx):
        yield s1.storing(st.store)


def _predicate_request(
    st: State, location: PredicateLocation, amount: Expr, cx: Context
) -> tuple[State, Request]:
    st, args = ev.evaluate_all(st, location.args, cx)
    st, value, wildcard = ev.amount_of(st, amount, cx)
    if not wildcard:
        positive = tb.greater(value, tb.NONE)
        st = cx.check(st, positive, "permission.not.positive", amount, amount)
    resource = predicate_resource(location.predicate)
    return st, Request(resource, args, value, wildcard=wildcard, node=location)


# ---------------------------------------------------------------- calls


def exec_call(st: State, s: ps.MethodCall, cx: Context) -> Iterator[State]:
    """Figure 8, call: give up the precondition, forget the targets, get the postcondition."""
    method = cx.services.program.methods[s.method]
    st, args = ev.evaluate_all(st, s.args, cx.proving("call.failed", s))
    formals = {p.name: value for p, value in zip(method.params, args, strict=True)}
    before = cx.proving("call.precondition", s, s.method)
    before = before.trusting_contract(*method.preconditions).visiting_from(st)
    for s1, _ in consume_all(st.storing(formals).leaving(st.heap), method.preconditions, before):
        yield from _after_call(st.holding(s1.heap), s1.settled(), s, formals, cx)


def _after_call(
    before: State, st: State, s: ps.MethodCall, formals: dict[str, Term], cx: Context
) -> Iterator[State]:
    method = cx.services.program.methods[s.method]
    results = {r.name: _havoc(r, cx) for r in method.returns}
    inside = st.storing({**formals, **results}).with_old({PRE_STATE: before.heap})
    after = cx.proving("call.failed", s).assuming_from(f"postcondition of {s.method}")
    after = after.trusting_contract(*method.preconditions, *method.postconditions)
    after = after.visiting_from(before)
    targets = {t.name: v for t, v in zip(s.targets, results.values(), strict=True)}
    for s1 in produce_all(inside, method.postconditions, None, after):
        yield s1.storing({**before.store, **targets}).with_old(before.old)


def exec_quasihavoc(st: State, s: ps.Quasihavoc, cx: Context) -> State:
    """The value of one location; where it is not held there is no effect."""
    cx = cx.proving("quasihavoc.failed", s.location)
    condition: Term = tb.TRUE
    inner = st
    if s.condition is not None:
        st, condition = ev.evaluate(st, s.condition, cx)
        inner = st.on(st.path.branch(condition))
    inner, resource, args = ev.locate(inner, s.location, cx)
    st = returned(st, inner)
    chunks = [_renewed(c, condition, args, cx) for c in st.heap.of(resource)]
    st = st.holding(st.heap.replacing(resource, tuple(chunks)))
    if resource not in cx.services.quantified:
        return st
    formals = maps_of(resource, cx).formals
    return _renew_quantified(st, resource, tb.conjoin(condition, same_args(formals, args)), cx)


def _renewed(chunk: Chunk, condition: Term, args: tuple[Term, ...], cx: Context) -> Chunk:
    meant = tb.conjoin(condition, same_args(chunk.args, args))
    value = cx.fresh(chunk.resource.name, chunk.value.sort)
    return Chunk(chunk.resource, chunk.args, tb.ite(meant, value, chunk.value), chunk.amount)


def exec_quasihavoc_all(st: State, s: ps.QuasihavocAll, cx: Context) -> State:
    """The values of all locations that are denoted, each by one tuple of values."""
    cx = cx.proving("quasihavocall.failed", s.location)
    st, e = evaluate_quantified(st, denoted_by(s), cx)
    if e is None:
        return st
    if not e.faulty:
        goal = injectivity(e.denoted, e.learnt, cx)
        cx.check(st, goal, "quasihavocall.not.injective", s, stmt_text(s))
    inverse = inverse_of(e.denoted, maps_of(e.resource, cx).formals, e.resource, cx)
    for fact in inverse.facts:
        st = st.assume(fact)
    meant = tb.conjoin(inverse.image, inverse.at_formals(e.denoted.condition))
    return _renew_quantified(st, e.resource, meant, cx)


def _renew_quantified(st: State, resource: Resource, meant: Term, cx: Context) -> State:
    """`meant` is a term over the formals of the resource's maps."""
    chunks = []
    for chunk in st.heap.quantified(resource):
        st, new = _renewed_quantified(st, chunk, meant, cx)
        chunks.append(new)
    return st.holding(st.heap.replacing_quantified(resource, tuple(chunks)))


def _renewed_quantified(
    st: State, chunk: QuantifiedChunk, meant: Term, cx: Context
) -> tuple[State, QuantifiedChunk]:
    """The chunk with a new map, which has the old values elsewhere."""
    maps = maps_of(chunk.resource, cx)
    map_ = cx.fresh(f"{chunk.resource.name}_map", maps.sort)
    args: tuple[Term, ...] = maps.formals if chunk.only is None else chunk.only
    new, old = tb.apply(maps.look, map_, *args), tb.apply(maps.look, chunk.map, *args)
    here = substitute(meant, dict(zip(maps.formals, args, strict=True)))
    if here is tb.FALSE:
        return st, chunk
    kept: Term = tb.implies(tb.negate(here), tb.equal(new, old))
    if chunk.only is None and maps.formals:
        kept = tb.forall(maps.formals, kept, ((new,), (old,)), "quasihavoc")
    value = None if chunk.only is None else new
    return st.assume(kept, FactKind.DEFINITION), replace(chunk, map=map_, value=value)
