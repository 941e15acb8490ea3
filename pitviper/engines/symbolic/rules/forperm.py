"""`forperm`: a body that must hold for every location that is held."""

from __future__ import annotations

from pitviper.encoding.quantify import Patterns, for_all
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.chunk import (
    Chunk,
    QuantifiedChunk,
    Resource,
    field_resource,
    plain,
    predicate_resource,
    wand_resource,
)
from pitviper.engines.symbolic.outcomes import returned
from pitviper.engines.symbolic.quantified.access import maps_of, with_location_trigger
from pitviper.engines.symbolic.rules import evaluate as evaluate_rules
from pitviper.engines.symbolic.rules import quantifier
from pitviper.engines.symbolic.state import State
from pitviper.program import expr as pe
from pitviper.program.assertion import FieldLocation, PredicateLocation, Wand
from pitviper.terms import build as tb
from pitviper.terms.substitute import substitute
from pitviper.terms.term import Term, Var

Parts = tuple[pe.Expr, ...]


def eval_forperm(st: State, e: pe.ForPerm, cx: Context) -> tuple[State, Term]:
    opened = open_forperm(st, e, cx)
    return opened.state, opened.value


def open_forperm(st: State, e: pe.ForPerm, cx: Context) -> quantifier.Opened:
    """The body must hold for every location that is held with a positive amount."""
    resource, parts = _resource(e, cx)
    values: list[Term] = []
    goals: list[tuple[State, Term]] = []
    chunks = [*st.held.of(resource), *map(plain, st.held.quantified(resource))]
    for chunk in chunks:
        if isinstance(chunk, Chunk):
            one = _open_chunk(st, e, chunk, parts, cx)
        else:
            one = _open_quantified(st, e, chunk, parts, cx)
        st = one.state
        values.append(one.value)
        goals += one.goals
    return quantifier.Opened(st, tb.conjoin(*values), tuple(goals))


def _resource(e: pe.ForPerm, cx: Context) -> tuple[Resource, Parts]:
    match e.location:
        case FieldLocation(receiver, field):
            return field_resource(field), (receiver,)
        case PredicateLocation(predicate, args):
            return predicate_resource(predicate), args
        case Wand():
            shape = cx.services.symbols.shape(e.location)
            return wand_resource(shape.name), shape.holes


def _open_quantified(
    st: State, e: pe.ForPerm, chunk: QuantifiedChunk, parts: Parts, cx: Context
) -> quantifier.Opened:
    """The body for all variables whose location the chunk holds."""
    symbols = [quantifier.stand_in(v, cx) for v in e.variables]
    store = {**st.store, **{v.name: s for v, s in zip(e.variables, symbols, strict=True)}}
    inner_cx = cx.under(*symbols)
    inner, args = evaluate_rules.evaluate_all(st.storing(store), parts, inner_cx)
    condition = tb.greater(chunk.amount_at(args), tb.NONE)
    inside = with_location_trigger(inner, chunk.resource, args, inner_cx).holding(st.held)
    inside = inside.on(inside.path.branch(condition))
    inside, body = evaluate_rules.evaluate(inside, e.body, inner_cx)
    binding: dict[Term, Term] = {s: tb.variable(s.symbol.name, s.sort) for s in symbols}
    patterns = _patterns(chunk, args, binding, cx)
    after = returned(inner, inside)
    path = quantifier.generalised(
        st.path, after.path.since(st.path), binding, patterns, str(e.span)
    )
    variables = tuple([v for v in binding.values() if isinstance(v, Var)])
    value = substitute(tb.implies(condition, body), binding)
    general = for_all(variables, value, patterns, str(e.span))
    return quantifier.Opened(st.on(path), general, ((inside, body),))


def _patterns(
    chunk: QuantifiedChunk, args: tuple[Term, ...], binding: dict[Term, Term], cx: Context
) -> Patterns:
    maps = maps_of(chunk.resource, cx)
    terms = [tb.apply(maps.look, chunk.map, *args)]
    if chunk.resource in cx.services.triggered:
        terms.append(tb.apply(maps.touched, *args))
    return tuple([(substitute(term, binding),) for term in terms])


def _open_chunk(
    st: State, e: pe.ForPerm, chunk: Chunk, parts: Parts, cx: Context
) -> quantifier.Opened:
    """Variables are bound to the chunk's arguments; other arguments become conditions."""
    names = {v.name for v in e.variables}
    bound: dict[str, Term] = {}
    conditions = [tb.greater(chunk.amount, tb.NONE)]
    for part, arg in zip(parts, chunk.args, strict=True):
        if isinstance(part, pe.Var) and part.name in names:
            if part.name in bound:
                conditions.append(tb.equal(bound[part.name], arg))
            bound.setdefault(part.name, arg)
        else:
            st, value = evaluate_rules.evaluate(st, part, cx)
            conditions.append(tb.equal(value, arg))
    condition = tb.conjoin(*conditions)
    if condition is tb.FALSE:
        return quantifier.Opened(st, tb.TRUE, ())
    inside = st.on(st.path.branch(condition)).storing({**st.store, **bound}).holding(st.held)
    inner, value = evaluate_rules.evaluate(inside, e.body, cx)
    return quantifier.Opened(returned(st, inner), tb.implies(condition, value), ((inner, value),))
