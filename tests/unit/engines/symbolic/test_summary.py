"""Summaries: one map for several chunks, the same one on every use."""

from __future__ import annotations

import pytest

from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.chunk import (
    Chunk,
    HeldTogether,
    QuantifiedChunk,
    field_resource,
)
from pitviper.engines.symbolic.heap.consolidate import same_args
from pitviper.engines.symbolic.quantified.access import maps_of, singleton
from pitviper.engines.symbolic.quantified.summary import summary
from pitviper.engines.symbolic.state import State
from pitviper.terms import build as tb
from pitviper.terms.sort import INT, REF
from pitviper.terms.term import Quantified, Term
from tests.unit.engines.symbolic.bench_of_rules import STORE, context, x, y

F = field_resource("f")
HELD = tb.function("held", (REF,), tb.TRUE.sort)


def wide(cx: Context, name: str, amount: Term = tb.WRITE) -> QuantifiedChunk:
    """All locations that are `held`, with the values of a map of their own."""
    maps = maps_of(F, cx)
    condition = tb.apply(HELD, *maps.formals)
    return QuantifiedChunk(
        F, maps.formals, tb.ite(condition, amount, tb.NONE), tb.constant(name, maps.sort)
    )


def single(cx: Context, receiver: Term, value: int) -> QuantifiedChunk:
    _, chunk = singleton(State(STORE), Chunk(F, (receiver,), tb.integer(value), tb.WRITE), cx)
    return chunk


def facts_after(st: State) -> list[Term]:
    return [entry.fact for entry in st.path]


@pytest.mark.smoke
def test_one_chunk_is_its_own_summary() -> None:
    cx = context()
    chunk = wide(cx, "m1")

    st, map_ = summary(State(STORE), (chunk,), maps_of(F, cx), None, cx)

    assert map_ is chunk.map
    assert facts_after(st) == []


def test_the_summary_agrees_with_every_chunk_where_that_is_held() -> None:
    cx = context()
    maps = maps_of(F, cx)
    many, one = wide(cx, "m1"), single(cx, x, 3)

    st, map_ = summary(State(STORE), (many, one), maps, None, cx)

    general, ground = facts_after(st)
    assert isinstance(general, Quantified)
    here, there = (tb.apply(maps.look, m, *maps.formals) for m in (map_, many.map))
    assert general.body is tb.implies(tb.apply(HELD, *maps.formals), tb.equal(here, there))
    assert general.triggers == ((here,), (there,))
    assert ground is tb.equal(tb.apply(maps.look, map_, x), tb.apply(maps.look, one.map, x))


def test_an_amount_that_may_be_none_shows_no_value() -> None:
    cx = context()
    maps = maps_of(F, cx)
    p = tb.constant("p", tb.WRITE.sort)

    st, _ = summary(State(STORE), (wide(cx, "m1", p), wide(cx, "m2", p)), maps, None, cx)

    for fact in facts_after(st):
        assert isinstance(fact, Quantified)
        premise = fact.body.args[0]
        assert premise is tb.greater(wide(cx, "m1", p).amount, tb.NONE)


@pytest.mark.smoke
def test_the_same_chunks_have_one_summary_and_its_facts_on_every_use() -> None:
    cx = context()
    chunks = (wide(cx, "m1"), single(cx, x, 3))
    maps = maps_of(F, cx)

    first, one = summary(State(STORE), chunks, maps, None, cx)
    second, other = summary(State(STORE), chunks, maps, None, cx)

    assert one is other
    assert facts_after(first) == facts_after(second) != []


def test_chunks_that_were_changed_have_another_summary() -> None:
    cx = context()
    maps = maps_of(F, cx)

    _, one = summary(State(STORE), (wide(cx, "m1"), single(cx, x, 3)), maps, None, cx)
    _, other = summary(State(STORE), (wide(cx, "m1"), single(cx, y, 4)), maps, None, cx)

    assert one is not other


def test_a_summary_is_a_function_of_the_binders_its_chunks_depend_on() -> None:
    i, idle = tb.constant("i@0", INT), tb.constant("idle@0", INT)
    outer = context()
    cx, maps = outer.under(i, idle), maps_of(F, outer)
    loc = tb.function("loc", (INT,), REF)

    _, outside = summary(State(STORE), (wide(cx, "m1"), single(outer, x, 3)), maps, None, cx)
    of_i = (wide(cx, "m1"), single(outer, tb.apply(loc, i), 3))
    _, inside = summary(State(STORE), of_i, maps, None, cx)

    assert outside.args == ()
    assert inside.args == (i,)


def test_the_domain_is_stated_only_where_it_is_asked_for() -> None:
    cx = context()
    maps = maps_of(F, cx)
    domain = same_args(maps.formals, (x,))

    st, map_ = summary(State(STORE), (wide(cx, "m1"),), maps, domain, cx)
    plain, _ = summary(State(STORE), (wide(cx, "m1"), wide(cx, "m2")), maps, None, cx)

    has_domain = tb.apply(maps.has_domain, map_)
    assert has_domain in facts_after(st)
    inside = tb.apply(maps.domain, map_, *maps.formals)
    assert any(
        isinstance(f, Quantified) and f.body is tb.iff(inside, domain) for f in facts_after(st)
    )
    assert not any(isinstance(f, Quantified) and "domain" in f.name for f in facts_after(plain))


def test_facts_say_which_chunks_they_rest_on() -> None:
    cx = context()
    chunks = (wide(cx, "m1"), wide(cx, "m2"))

    st, _ = summary(State(STORE), chunks, maps_of(F, cx), None, cx)

    assert {entry.provenance for entry in st.path} == {HeldTogether(chunks)}
