"""quasihavoc: values become unknown, permissions stay."""

from __future__ import annotations

from pitviper.base.record import replace
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.chunk import Chunk, QuantifiedChunk, Resource
from pitviper.engines.symbolic.heap.consolidate import same_args
from pitviper.engines.symbolic.outcomes import returned
from pitviper.engines.symbolic.quantified.inverse import injectivity, inverse_of
from pitviper.engines.symbolic.quantified.permissions import evaluate_quantified
from pitviper.engines.symbolic.quantified.triggers import maps_of
from pitviper.engines.symbolic.rules import evaluate as ev
from pitviper.engines.symbolic.state import State
from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program import stmt as ps
from pitviper.program.print.printer import stmt_text
from pitviper.solver.session import FactKind
from pitviper.terms import build as tb
from pitviper.terms.substitute import substitute
from pitviper.terms.term import Term

_TRUE = pe.BoolLit(value=True)
_WRITE = pe.PermLit(pe.PermConstant.WRITE)


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
    return _renew_wide(st, resource, tb.conjoin(condition, same_args(formals, args)), cx)


def _renewed(chunk: Chunk, condition: Term, args: tuple[Term, ...], cx: Context) -> Chunk:
    meant = tb.conjoin(condition, same_args(chunk.args, args))
    value = cx.fresh(chunk.resource.name, chunk.value.sort)
    return Chunk(chunk.resource, chunk.args, tb.ite(meant, value, chunk.value), chunk.amount)


def exec_quasihavoc_all(st: State, s: ps.QuasihavocAll, cx: Context) -> State:
    """The values of all locations that are denoted, each by one tuple of values."""
    cx = cx.proving("quasihavocall.failed", s.location)
    st, e = evaluate_quantified(st, _as_permission(s), cx)
    if e is None:
        return st
    if not e.faulty:
        goal = injectivity(e.denoted, e.learnt, cx)
        cx.check(st, goal, "quasihavocall.not.injective", s, stmt_text(s))
    inverse = inverse_of(e.denoted, maps_of(e.resource, cx).formals, e.resource, cx)
    for fact in inverse.facts:
        st = st.assume(fact)
    meant = tb.conjoin(inverse.image, inverse.at_formals(e.denoted.condition))
    return _renew_wide(st, e.resource, meant, cx)


def _as_permission(s: ps.QuasihavocAll) -> pa.QuantifiedPermission:
    """The permission whose locations are meant."""
    location = s.location
    resource = (
        location if isinstance(location, pa.Wand) else pa.Access(location, _WRITE, span=s.span)
    )
    condition = _TRUE if s.condition is None else s.condition
    return pa.QuantifiedPermission(s.variables, (), condition, resource, span=s.span)


def _renew_wide(st: State, resource: Resource, meant: Term, cx: Context) -> State:
    """`meant` is a term over the formals of the resource's maps."""
    chunks = []
    for chunk in st.heap.quantified(resource):
        st, new = _renewed_wide(st, chunk, meant, cx)
        chunks.append(new)
    return st.holding(st.heap.replacing_quantified(resource, tuple(chunks)))


def _renewed_wide(
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
