"""Summaries: one map that has the values of all chunks of a quantified resource."""

from __future__ import annotations

from pitviper.encoding.theories.snapshot_maps import SnapshotMaps
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.chunk import HeldTogether, Kind, QuantifiedChunk
from pitviper.engines.symbolic.state import State
from pitviper.engines.symbolic.wands.hypothetical import choice_of
from pitviper.solver.session import FactKind
from pitviper.terms import build as tb
from pitviper.terms.substitute import substitute, subterms
from pitviper.terms.term import Term

Chunks = tuple[QuantifiedChunk, ...]


def summary(
    st: State, chunks: Chunks, maps: SnapshotMaps, domain: Term | None, cx: Context
) -> tuple[State, Term]:
    """A map that agrees with every chunk where that is held; `domain` is a term over the formals.

    Its definition is assumed on every use: the first one may be on another path.
    """
    if len(chunks) == 1 and domain is None:
        return st, chunks[0].map
    binders = _mentioned_binders(chunks, domain, cx)
    key = (chunks, maps.sort, domain, binders)
    found = cx.services.summaries.get(key)
    if found is None:
        sorts = tuple([b.sort for b in binders])
        map_ = tb.apply(cx.services.supply.function("map", sorts, maps.sort), *binders)
        found = cx.services.summaries[key] = map_, _facts(map_, chunks, maps, domain)
    map_, facts = found
    if cx.packages:
        definition = _first_held(map_, chunks, maps, domain)
        st = st.assume(definition, FactKind.DEFINITION, choice_of(map_, definition))
    together = HeldTogether(chunks)
    for fact in facts:
        st = st.assume(fact, provenance=together)
    return st, map_


def _first_held(map_: Term, chunks: Chunks, maps: SnapshotMaps, domain: Term | None) -> Term:
    """The map has the value of the first chunk that is held, and the domain it has: this defines
    it whatever the chunks are, so the fact may leave a package."""
    here = tb.apply(maps.look, map_, *maps.formals)
    value = here
    for chunk in reversed(chunks):
        there = tb.apply(maps.look, chunk.map, *maps.formals)
        value = tb.ite(tb.greater(chunk.amount_at(maps.formals), tb.NONE), there, value)
    same: Term = tb.equal(here, value)
    if domain is not None:
        same = tb.implies(domain, same)
    if maps.formals:
        same = tb.forall(maps.formals, same, ((here,),), "map.first")
    extra = [] if domain is None else domain_facts(map_, maps, domain)
    return tb.conjoin(same, *extra)


def _mentioned_binders(chunks: Chunks, domain: Term | None, cx: Context) -> tuple[Term, ...]:
    """A summary is a function of only those binders that the chunks depend on."""
    if not cx.binders:
        return ()
    parts = [t for c in chunks for t in (c.amount, c.map, *(c.only or ()))]
    mentioned = set(subterms(*parts, *([] if domain is None else [domain])))
    return tuple([b for b in cx.binders if b in mentioned])


def _facts(map_: Term, chunks: Chunks, maps: SnapshotMaps, domain: Term | None) -> tuple[Term, ...]:
    if chunks and chunks[0].resource.kind is Kind.WAND:  # equal wands may be different instances
        return (_first_held(map_, chunks, maps, domain),)
    facts = [_agrees(map_, chunk, maps, domain) for chunk in chunks]
    if domain is not None:
        facts += domain_facts(map_, maps, domain)
    return tuple(facts)


def _agrees(map_: Term, chunk: QuantifiedChunk, maps: SnapshotMaps, domain: Term | None) -> Term:
    args: tuple[Term, ...] = maps.formals if chunk.only is None else chunk.only
    here, there = tb.apply(maps.look, map_, *args), tb.apply(maps.look, chunk.map, *args)
    held = tb.greater(chunk.amount_at(args), tb.NONE)
    if domain is not None:
        binding: dict[Term, Term] = dict(zip(maps.formals, args, strict=True))
        held = tb.conjoin(held, substitute(domain, binding))
    same = tb.implies(held, tb.equal(here, there))
    if chunk.only is not None or not maps.formals:
        return same
    return tb.forall(maps.formals, same, ((here,), (there,)), "map.agrees")


def domain_facts(map_: Term, maps: SnapshotMaps, domain: Term) -> list[Term]:
    inside = tb.apply(maps.domain, map_, *maps.formals)
    fact: Term = tb.iff(inside, domain)
    if maps.formals:
        fact = tb.forall(maps.formals, fact, ((inside,),), "map.domain")
    return [fact, tb.apply(maps.has_domain, map_)]
