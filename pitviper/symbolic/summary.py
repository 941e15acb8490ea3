"""Summaries: one map that has the values of all chunks of a quantified resource."""

from __future__ import annotations

from pitviper.encoding.snapshot_maps import SnapshotMaps
from pitviper.symbolic.chunk import QuantifiedChunk
from pitviper.symbolic.context import Context
from pitviper.symbolic.state import State
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
    key = (chunks, maps.sort, domain, cx.binders)
    found = cx.services.summaries.get(key)
    if found is None:
        found = cx.services.summaries[key] = _make(chunks, maps, domain, cx)
    map_, facts = found
    for fact in facts:
        st = st.assume(fact)
    return st, map_


def _make(
    chunks: Chunks, maps: SnapshotMaps, domain: Term | None, cx: Context
) -> tuple[Term, tuple[Term, ...]]:
    map_ = _fresh_map(chunks, maps, domain, cx)
    facts = [_agrees(map_, chunk, maps, domain) for chunk in chunks]
    if domain is not None:
        facts += domain_facts(map_, maps, domain)
    return map_, tuple(facts)


def _fresh_map(chunks: Chunks, maps: SnapshotMaps, domain: Term | None, cx: Context) -> Term:
    """A function of only those binders that the chunks depend on."""
    parts = [t for c in chunks for t in (c.amount, c.map, *(c.only or ()))]
    mentioned = set(subterms(*parts, *([] if domain is None else [domain])))
    binders = tuple([b for b in cx.binders if b in mentioned])
    supply = cx.services.supply
    symbol = supply.function("map", tuple([b.sort for b in binders]), maps.sort)
    return tb.apply(symbol, *binders)


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
