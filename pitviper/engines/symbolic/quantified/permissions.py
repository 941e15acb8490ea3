"""Quantified permissions: many locations produced or consumed at once."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.base.record import record, replace
from pitviper.encoding.operators import NULL
from pitviper.encoding.triggers.choice import triggers_of_permission
from pitviper.encoding.triggers.sums import is_matchable, term_triggers
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.chunk import Kind, QuantifiedChunk, Resource
from pitviper.engines.symbolic.outcomes import returned
from pitviper.engines.symbolic.quantified.access import (
    amount_at,
    assume_bound_at,
    enriched,
    maps_of,
    with_location_trigger,
)
from pitviper.engines.symbolic.quantified.inverse import Denoted, Inverse, injectivity, inverse_of
from pitviper.engines.symbolic.quantified.summary import domain_facts, summary
from pitviper.engines.symbolic.rules import evaluate as ev
from pitviper.engines.symbolic.rules.quantifier import generalised, patterns_of
from pitviper.engines.symbolic.state import State
from pitviper.engines.symbolic.wands import apply as wand_rules
from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.solver.session import SUBSET, FactKind
from pitviper.terms import build as tb
from pitviper.terms.snapshot import SNAP, UNIT, unwrap, wrap
from pitviper.terms.substitute import substitute, subterms
from pitviper.terms.term import Term

_TRUE = pe.BoolLit(value=True)


@record
class Evaluated:
    """A quantified permission in terms. `learnt` is what its evaluation showed about one instance.

    `faulty`: its evaluation was reported, and nothing is learnt from it: what is asked about it
    further on must hold without. In a contract nobody asks whether it is injective.
    """

    resource: Resource
    denoted: Denoted
    wildcard: bool
    learnt: Term
    cx: Context
    faulty: bool


def evaluate_quantified(
    st: State, a: pa.QuantifiedPermission, cx: Context
) -> tuple[State, Evaluated | None]:
    """Condition, then amount and location where it holds; checks of both. None: it never holds."""
    symbols = cx.services.symbols
    xs = tuple([cx.services.supply.constant(v.name, symbols.sort(v.type)) for v in a.variables])
    store = {**st.store, **{v.name: x for v, x in zip(a.variables, xs, strict=True)}}
    inner_cx, reported = cx.under(*xs), cx.reported
    inner, condition = ev.evaluate(st.storing(store), a.condition, inner_cx)
    if condition is tb.FALSE:
        return st, None
    inside = inner.on(inner.path.branch(condition))
    if isinstance(a.resource, pa.Wand):
        inside, resource, args = wand_rules.locate_wand(inside, a.resource, inner_cx)
    else:
        inside, resource, args = ev.locate(inside, a.resource.location, inner_cx)
    inside = with_location_trigger(inside, resource, args, inner_cx)
    inside, amount, wildcard = _amount(inside, a, inner_cx)
    if not wildcard and isinstance(a.resource, pa.Access):
        goal, node = tb.at_least(amount, tb.NONE), a.resource.amount
        inside = inner_cx.check(inside, goal, "negative.permission", node, node)
    if cx.modes.scale.free and not wildcard:  # it is chosen as small as need be where it matters
        condition, wildcard = tb.conjoin(condition, tb.greater(amount, tb.NONE)), True
    variables = tuple([tb.variable(x.symbol.name, x.sort) for x in xs])
    binding: dict[Term, Term] = dict(zip(xs, variables, strict=True))
    shape = pe.Forall(a.variables, a.triggers or triggers_of_permission(a), _TRUE, span=a.span)
    after = returned(st.storing(store), inside)
    named, patterns = patterns_of(st, inside, shape, cx, binding)
    if not patterns:
        patterns = term_triggers(variables, [substitute(arg, binding) for arg in args])
    if not patterns:  # the location is a variable: what decides about its amount has terms
        patterns = term_triggers(variables, [substitute(t, binding) for t in (condition, amount)])
    faulty = cx.reported > reported
    learnt = [] if faulty else after.path.since(st.path)
    path = generalised(named.path, learnt, binding, patterns, str(a.span))
    denoted = Denoted(xs, variables, condition, args, amount, patterns, some=wildcard)
    facts = tb.conjoin(*[entry.fact for entry in learnt])
    return st.on(path), Evaluated(resource, denoted, wildcard, facts, inner_cx, faulty)


def _location(a: pa.QuantifiedPermission) -> pa.Location:
    return a.resource.location if isinstance(a.resource, pa.Access) else a.resource


def _amount(st: State, a: pa.QuantifiedPermission, cx: Context) -> tuple[State, Term, bool]:
    """Wands are held once; so the amount is the scale."""
    if isinstance(a.resource, pa.Access):
        return ev.amount_of(st, a.resource.amount, cx)
    return st, cx.modes.scale.amount, False


def _checked_inverse(
    st: State, a: pa.QuantifiedPermission, e: Evaluated, cx: Context
) -> tuple[State, Inverse]:
    in_contract = cx.obligation.error == "not.wellformed"
    if not (e.faulty and in_contract) and not _found_not_injective(a, cx):
        goal = injectivity(e.denoted, e.learnt, cx)
        cx.for_claim().check(st, goal, "qp.not.injective", a.resource, a.resource)
    maps = maps_of(e.resource, cx)
    inverse = inverse_of(e.denoted, maps.formals, e.resource, cx)
    for fact in inverse.facts:
        st = st.assume(fact, provenance=inverse.choice)
    return st, inverse


def _found_not_injective(a: pa.QuantifiedPermission, cx: Context) -> bool:
    """Whether this was said already, when the contract was checked for sense."""
    return any(
        f.error == "not.wellformed"
        and f.reason == "qp.not.injective"
        and f.offending == a.resource.span
        for f in cx.services.log.findings.values()
    )


# ---------------------------------------------------------------- produce


def produce_quantified(
    st: State, a: pa.QuantifiedPermission, snap: Term | None, cx: Context
) -> Iterator[State]:
    """One chunk for all instances, with the values of a map."""
    st, e = evaluate_quantified(st, a, cx)
    if e is None:
        yield st if snap is None else st.assume(tb.equal(snap, UNIT))
        return
    st, inverse = _checked_inverse(st, a, e, cx)
    if st.is_over:
        yield from (st,) if st.outers else ()  # in a package it counts for what was moved in
        return
    maps = maps_of(e.resource, cx)
    condition = tb.conjoin(inverse.image, inverse.at_formals(e.denoted.condition))
    amount = tb.ite(condition, inverse.at_formals(e.denoted.amount), tb.NONE)
    if snap is None:
        map_ = cx.fresh(f"{e.resource.name}_map", maps.sort)
    else:
        st, map_ = _matchable(st, unwrap(snap, maps.sort), cx)
        st = st.assume(tb.equal(wrap(map_), snap))
        for fact in domain_facts(map_, maps, tb.greater(amount, tb.NONE)):
            st = st.assume(fact)
    chunk = QuantifiedChunk(e.resource, maps.formals, amount, map_, inverse.terms)
    st = _assume_held(st, e, chunk, cx)
    st = st.holding(st.heap.adding_quantified(chunk))
    for other in st.heap.quantified(e.resource):
        if other.only is not None:
            st = assume_bound_at(st, e.resource, other.only, cx)
    yield st


def _matchable(st: State, map_: Term, cx: Context) -> tuple[State, Term]:
    """Triggers mention the map: if there is logic inside, it gets a name."""
    if is_matchable((map_,)):
        return st, map_
    return cx.named(st, "map", map_)


def _assume_held(st: State, e: Evaluated, chunk: QuantifiedChunk, cx: Context) -> State:
    """What holding the instances means, each fact under the condition of its instance."""
    d = e.denoted
    name = f"held.{e.resource.name}"
    maps = maps_of(e.resource, cx)
    value = tb.apply(maps.look, chunk.map, *d.args)
    if not e.wildcard:
        positive = tb.implies(d.condition, tb.at_least(d.amount, tb.NONE))
        st = st.assume(d.generalised(positive, name, value))
    if e.resource.kind is not Kind.FIELD:
        return st
    if not cx.modes.ignores_amounts:
        bounded = tb.implies(d.condition, tb.at_most(d.amount, tb.WRITE))
        st = st.assume(d.generalised(bounded, name, value))
    exists = tb.implies(d.meant, tb.differ(d.args[0], NULL))
    return st.assume(d.generalised(exists, name, value))


# ---------------------------------------------------------------- consume


def consume_quantified(st: State, a: pa.QuantifiedPermission, cx: Context) -> tuple[State, Term]:
    """Every instance must be held; each gives its amount at its location.

    Triggers are hints for those who get the permissions, not for those who only look at them.
    """
    if cx.modes.reading:
        a = replace(a, triggers=())
    st, e = evaluate_quantified(st, a, cx)
    if e is None:
        return st, UNIT
    st, inverse = _checked_inverse(st, a, e, cx)
    if st.is_over:
        return st, cx.fresh("snapshot", SNAP)
    condition = tb.conjoin(inverse.image, inverse.at_formals(e.denoted.condition))
    wanted = tb.ite(condition, inverse.at_formals(e.denoted.amount), tb.NONE)
    if st.outers and not cx.modes.reading:
        from pitviper.engines.symbolic.wands import (
            quantified as quantified_transfer,  # in packages only
        )

        some = tb.ite(condition, tb.WRITE, tb.NONE) if e.wildcard else wanted
        lacking = quantified_transfer.Wanted(e.resource, some, e.wildcard)
        st = quantified_transfer.transfer_quantified(st, lacking, cx)
        if st.is_over:
            return st, cx.fresh("snapshot", SNAP)
    before = st.held.quantified(e.resource)
    if cx.modes.reading:
        st = _require(st, a, e, tb.greater(_held(before, e), tb.NONE), cx)
    elif e.wildcard:
        st = _require(st, a, e, tb.greater(_held(before, e), tb.NONE), cx)
        st = _take_some(st, e, condition, cx)
    else:
        st = _take_exactly(st, a, e, wanted, cx)
    if not cx.modes.snapshots:
        return st, UNIT
    if e.resource.kind is Kind.WAND:  # instances differ: the values are those of the ones taken
        before = tuple(_ordered(before, wanted))
    maps = maps_of(e.resource, cx)
    st, map_ = summary(st, before, maps, tb.greater(wanted, tb.NONE), cx)
    return st, wrap(map_)


def _held(chunks: tuple[QuantifiedChunk, ...], e: Evaluated) -> Term:
    return amount_at(chunks, e.denoted.args)


def _require(st: State, a: pa.QuantifiedPermission, e: Evaluated, goal: Term, cx: Context) -> State:
    """A goal for any instance that is meant; failure is a finding at the resource."""
    goal = tb.implies(e.denoted.meant, goal)
    answer = e.cx.ask(_on(st, e), goal)
    if not answer.proved:
        richer = enriched(st, cx)
        if richer is not st:
            st = richer
            answer = e.cx.ask(_on(st, e), goal)
    if not answer.proved:
        location = _location(a)
        reason = "wand.not.found" if e.resource.kind is Kind.WAND else "insufficient.permission"
        failing = e.cx.about(goal)
        values = {v.name: x for v, x in zip(a.variables, e.denoted.xs, strict=True)}
        here = _on(st, e).storing({**st.store, **values})
        failing.report(answer, here, reason, location, location)
        return cx.granted(st, tb.FALSE)
    return st


def _on(st: State, e: Evaluated) -> State:
    """The state in which an instance is meant: its condition holds for the symbols."""
    return st.on(st.path.branch(e.denoted.condition).assume(e.learnt))


def _take_exactly(
    st: State, a: pa.QuantifiedPermission, e: Evaluated, wanted: Term, cx: Context
) -> State:
    """Chunks give what they can, in order. At the symbols `need` is what one instance still needs,
    over the formals `missing` is what all locations still need."""
    need, missing = e.denoted.amount, wanted
    chunks = st.held.quantified(e.resource)
    left: dict[int, Term] = {}
    for chunk in _ordered(chunks, wanted):
        available = chunk.amount_at(e.denoted.args)
        if chunk.amount is missing or cx.may_prove(_on(st, e), tb.at_most(need, available), SUBSET):
            left[id(chunk)] = tb.minus(chunk.amount, missing)
            need = tb.NONE
            break
        need = tb.minus(need, tb.minimum(available, need))
        st, taken = _named_taken(st, chunk, tb.minimum(chunk.amount, missing), cx)
        missing = tb.minus(missing, taken)
        left[id(chunk)] = tb.minus(chunk.amount, taken)
    if need is not tb.NONE:
        st = _require(st, a, e, tb.at_most(need, tb.NONE), cx)
    rests = [(chunk, left.get(id(chunk), chunk.amount)) for chunk in chunks]
    kept = [
        chunk if rest is chunk.amount else replace(chunk, amount=rest)
        for chunk, rest in rests
        if rest is chunk.amount or not _used_up(st, chunk, rest, cx)
    ]
    return st.leaving(st.held.replacing_quantified(e.resource, tuple(kept)))


def _ordered(chunks: tuple[QuantifiedChunk, ...], wanted: Term) -> list[QuantifiedChunk]:
    """A chunk that holds just what is wanted comes first, chunks for one location come last."""
    return sorted(chunks, key=lambda c: 0 if c.amount is wanted else 1 if c.only is None else 2)


def _named_taken(st: State, chunk: QuantifiedChunk, taken: Term, cx: Context) -> tuple[State, Term]:
    """A function of the location for an amount: what is still missing would nest otherwise."""
    mentioned = set(subterms(taken)) if cx.binders else set()
    parameters = (*[b for b in cx.binders if b in mentioned], *chunk.formals)
    if not taken.args or not chunk.formals:
        return st, taken
    sorts = tuple([t.sort for t in parameters])
    name = tb.apply(cx.services.supply.function("taken", sorts, taken.sort), *parameters)
    same = tb.forall(chunk.formals, tb.equal(name, taken), ((name,),), "taken")
    return st.assume(same, FactKind.DEFINITION), name


def _used_up(st: State, chunk: QuantifiedChunk, rest: Term, cx: Context) -> bool:
    if rest is tb.NONE:
        return True
    if chunk.only is not None:
        binding_rest = replace(chunk, amount=rest).amount_at(chunk.only)
        return cx.may_prove(st, tb.at_most(binding_rest, tb.NONE), SUBSET)
    goal = tb.forall(chunk.formals, tb.at_most(rest, tb.NONE), (), "used.up")
    return cx.may_prove(st, goal, SUBSET)


def _take_some(st: State, e: Evaluated, condition: Term, cx: Context) -> State:
    """Wildcards: at every location that is meant, every chunk gives less than it holds."""
    supply = cx.services.supply
    kept = []
    for chunk in st.held.quantified(e.resource):
        sorts = tuple([t.sort for t in (*cx.binders, *chunk.formals)])
        part = tb.apply(supply.function("part", sorts, tb.WRITE.sort), *cx.binders, *chunk.formals)
        meant = tb.conjoin(condition, tb.greater(chunk.amount, tb.NONE))
        some = tb.conjoin(tb.less(tb.NONE, part), tb.less(part, chunk.amount))
        fact = tb.ite(meant, some, tb.equal(part, tb.NONE))
        if chunk.formals:
            fact = tb.forall(chunk.formals, fact, ((part,),), "wildcard")
        st = st.assume(fact)
        kept.append(replace(chunk, amount=tb.minus(chunk.amount, part)))
    return st.leaving(st.held.replacing_quantified(e.resource, tuple(kept)))
