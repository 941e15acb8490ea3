"""One location of a resource that the member treats as quantified: reading, taking, adding."""

from __future__ import annotations

from itertools import combinations

from pitviper.base.record import replace
from pitviper.encoding.theories.snapshot_maps import SnapshotMaps
from pitviper.encoding.triggers.sums import term_triggers
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.chunk import Args, Chunk, Kind, QuantifiedChunk, Resource
from pitviper.engines.symbolic.heap.consolidate import (
    MAX_COMPARED,
    assume_bounds,
    consolidate_all,
    merged_value,
    same_args,
)
from pitviper.engines.symbolic.heap.request import Request, snapshot_of
from pitviper.engines.symbolic.quantified.summary import summary
from pitviper.engines.symbolic.state import State
from pitviper.program.node import Node
from pitviper.solver.session import SUBSET, Answer, FactKind
from pitviper.terms import build as tb
from pitviper.terms.snapshot import UNIT
from pitviper.terms.symbol import Function
from pitviper.terms.term import App, Term, Var

Chunks = tuple[QuantifiedChunk, ...]


def amount_at(chunks: Chunks, args: Args) -> Term:
    return tb.total([chunk.amount_at(args) for chunk in chunks])


# ---------------------------------------------------------------- reading


def read_quantified(
    st: State, resource: Resource, args: Args, node: Node, cx: Context
) -> tuple[State, Term]:
    """The value in the summary of all chunks; one of them must be held there."""
    st = with_location_trigger(st, resource, args, cx)
    chunks = st.heap.quantified(resource)
    if cx.modes.checking:
        st = _check_held(st, resource, args, node, cx)
    return value_at(st, chunks, resource, args, cx)


def _check_held(st: State, resource: Resource, args: Args, node: Node, cx: Context) -> State:
    goal = tb.greater(amount_at(st.heap.quantified(resource), args), tb.NONE)
    answer = cx.ask(st, goal)
    if not answer.proved:
        richer = enriched(st, cx)
        if richer is not st:
            st, answer = richer, cx.ask(richer, goal)
    if not answer.proved:
        lacking = cx.lacks(resource, args).about(goal)
        lacking.report(answer, st, "insufficient.permission", node, node)
    return st if answer.proved else st.assume(goal)


def value_at(
    st: State, chunks: Chunks, resource: Resource, args: Args, cx: Context
) -> tuple[State, Term]:
    for chunk in chunks:
        if chunk.only == args and chunk.value is not None and _surely_held(chunk, args):
            return st, chunk.value
    maps = maps_of(resource, cx)
    st, map_ = summary(st, chunks, maps, None, cx)
    return st, tb.apply(maps.look, map_, *args)


def _surely_held(chunk: QuantifiedChunk, args: Args) -> bool:
    return tb.greater(chunk.amount_at(args), tb.NONE) is tb.TRUE


# ---------------------------------------------------------------- taking


def take_quantified(st: State, request: Request, cx: Context) -> tuple[State, Term]:
    """Remove an amount at one location, from the chunks that hold some of it, in order."""
    resource, args = request.resource, request.args
    st = with_location_trigger(st, resource, args, cx)
    chunks = st.held.quantified(resource)
    if cx.modes.reading:
        st = _look(st, chunks, request, cx)
    elif request.wildcard:
        st = _take_some(st, chunks, request, cx)
    else:
        st = _take_exactly(st, _ordered(chunks, args), request, cx)
    if not chunks:
        return st, UNIT
    if resource.kind is Kind.WAND:  # instances differ: the value is that of the one taken
        chunks = _ordered(chunks, args)
    st, value = value_at(st, chunks, resource, args, cx)
    return st, snapshot_of(st, value, request, cx)


def _look(st: State, chunks: Chunks, request: Request, cx: Context) -> State:
    wanted = tb.TRUE if request.wildcard else tb.greater(request.amount, tb.NONE)
    held = tb.greater(amount_at(chunks, request.args), tb.NONE)
    return _require(st, tb.implies(wanted, held), request, cx)


def _require(st: State, goal: Term, request: Request, cx: Context) -> State:
    """The last question of a rule: its failure is a finding."""
    answer: Answer = cx.ask(st, goal)
    if not answer.proved:
        richer = enriched(st, cx)
        if richer is not st:
            st, answer = richer, cx.ask(richer, goal)
    if not answer.proved:
        wand = request.resource.kind is Kind.WAND
        reason = "wand.not.found" if wand else "insufficient.permission"
        lacking = cx.lacks(request.resource, request.args).about(goal)
        lacking.report(answer, st, reason, request.node, request.node)
        return cx.granted(st, goal)
    return st.assume(goal)


def _ordered(chunks: Chunks, args: Args) -> Chunks:
    """Chunks for just this location first, then those for many, then those for another one, which
    is the same only under an alias."""
    return tuple(sorted(chunks, key=lambda c: 0 if c.only == args else 2 if c.only else 1))


def _take_exactly(st: State, ordered: Chunks, request: Request, cx: Context) -> State:
    need = request.amount
    new: dict[int, QuantifiedChunk | None] = {}
    for chunk in ordered:
        available = chunk.amount_at(request.args)
        if cx.may_prove(st, tb.at_most(need, available), SUBSET):
            new[id(chunk)] = _reduced(chunk, request.args, need)
            need = tb.NONE
            break
        if chunk.only == request.args or not cx.may_prove(st, tb.at_most(available, tb.NONE)):
            st, taken = cx.named(st, "taken", tb.minimum(available, need))
            need = tb.minus(need, taken)
            new[id(chunk)] = _reduced(chunk, request.args, taken)
    if need is not tb.NONE:
        st = _require(st, tb.at_most(need, tb.NONE), request, cx)
    return _replacing(st, request.resource, new)


def _reduced(chunk: QuantifiedChunk, args: Args, taken: Term) -> QuantifiedChunk | None:
    """The chunk without what was taken at one location; None if nothing is left of it."""
    if chunk.only == args:
        rest = tb.minus(chunk.amount_at(args), taken)
        if rest is tb.NONE:
            return None
        return replace(chunk, amount=tb.ite(same_args(chunk.formals, args), rest, tb.NONE))
    part = tb.ite(same_args(chunk.formals, args), taken, tb.NONE)
    return replace(chunk, amount=tb.minus(chunk.amount, part))


def _replacing(st: State, resource: Resource, new: dict[int, QuantifiedChunk | None]) -> State:
    chunks = [new.get(id(c), c) for c in st.held.quantified(resource)]
    kept = tuple([c for c in chunks if c is not None])
    return st.leaving(st.held.replacing_quantified(resource, kept))


def _take_some(st: State, chunks: Chunks, request: Request, cx: Context) -> State:
    """A wildcard: every chunk that holds some of the location gives less than it has."""
    args = request.args
    st = _require(st, tb.greater(amount_at(chunks, args), tb.NONE), request, cx)
    new: dict[int, QuantifiedChunk | None] = {}
    parts = []
    for chunk in chunks:
        available = chunk.amount_at(args)
        part = cx.fresh("part", tb.WRITE.sort)
        some = tb.conjoin(tb.less(tb.NONE, part), tb.less(part, available))
        st = st.assume(tb.ite(tb.greater(available, tb.NONE), some, tb.equal(part, tb.NONE)))
        new[id(chunk)] = _reduced(chunk, args, part)
        parts.append(part)
    st = st.assume(tb.equal(request.amount, tb.total(parts)))
    return _replacing(st, request.resource, new)


# ---------------------------------------------------------------- adding


def add_quantified(st: State, chunk: Chunk, cx: Context) -> State:
    """A chunk for one location, with a map of its own that has the value there."""
    if chunk.amount is tb.NONE:
        return st
    st = with_location_trigger(st, chunk.resource, chunk.args, cx)
    st = assume_bounds(st, chunk, cx)
    if chunk.resource.kind is not Kind.WAND:
        for other in st.heap.quantified(chunk.resource):
            if other.only == chunk.args and other.value is not None:
                return _merge_into(st, other, other.value, chunk, cx)
    st, single = singleton(st, chunk, cx)
    st = st.holding(st.heap.adding_quantified(single))
    return assume_bound_at(st, chunk.resource, chunk.args, cx)


def singleton(st: State, chunk: Chunk, cx: Context) -> tuple[State, QuantifiedChunk]:
    maps = maps_of(chunk.resource, cx)
    map_ = cx.fresh(f"{chunk.resource.name}_map", maps.sort)
    known = tb.equal(tb.apply(maps.look, map_, *chunk.args), chunk.value)
    amount = tb.ite(same_args(maps.formals, chunk.args), chunk.amount, tb.NONE)
    single = QuantifiedChunk(
        chunk.resource, maps.formals, amount, map_, (), chunk.args, chunk.value
    )
    return st.assume(known, FactKind.DEFINITION), single


def _merge_into(st: State, other: QuantifiedChunk, value: Term, chunk: Chunk, cx: Context) -> State:
    held = Chunk(chunk.resource, chunk.args, value, other.amount_at(chunk.args))
    st, both = merged_value(st, held, chunk, cx)
    together = Chunk(chunk.resource, chunk.args, both, tb.plus(held.amount, chunk.amount))
    st = assume_bounds(st, together, cx)
    st, single = singleton(st, together, cx)
    chunks = st.heap.quantified(chunk.resource)
    kept = tuple([single if c is other else c for c in chunks])
    st = st.holding(st.heap.replacing_quantified(chunk.resource, kept))
    return assume_bound_at(st, chunk.resource, chunk.args, cx)


def add_quantified_chunk(st: State, chunk: QuantifiedChunk, cx: Context) -> State:
    """A chunk that was set aside comes back."""
    if chunk.only is not None and chunk.value is not None:
        amount = chunk.amount_at(chunk.only)
        return add_quantified(st, Chunk(chunk.resource, chunk.only, chunk.value, amount), cx)
    return st.holding(st.heap.adding_quantified(chunk))


# ---------------------------------------------------------------- bounds


def enriched(st: State, cx: Context) -> State:
    """With all that the heap as a whole implies; the same object if there is nothing to learn."""
    st = consolidate_all(st, cx)
    for resource in st.held.quantified_resources():
        st = assume_upper_bounds(st, resource, cx)
        st = _assume_agreement(st, resource, cx)
    for outer in st.outers:  # what the heaps around a package imply holds inside as well
        st = st.on(enriched(st.with_outers(()).holding(outer), cx).path)
    return st


def _assume_agreement(st: State, resource: Resource, cx: Context) -> State:
    """A chunk for one location has the value that any other chunk has there, if it has some."""
    chunks = st.held.quantified(resource)
    maps = maps_of(resource, cx)
    for chunk in chunks if resource.kind is not Kind.WAND else ():
        if chunk.only is None or chunk.value is None:
            continue
        for other in chunks:
            value = tb.apply(maps.look, other.map, *chunk.only)
            both = [tb.greater(c.amount_at(chunk.only), tb.NONE) for c in (chunk, other)]
            st = st.assume(tb.implies(tb.conjoin(*both), tb.equal(value, chunk.value)))
    return st


def assume_upper_bounds(st: State, resource: Resource, cx: Context) -> State:
    """No field is held more than once in all; the same object if there is nothing to say."""
    if resource.kind is not Kind.FIELD or cx.modes.ignores_amounts:
        return st
    chunks = st.held.quantified(resource)
    for chunk in chunks:
        if chunk.only is not None:
            st = st.assume(tb.at_most(amount_at(chunks, chunk.only), tb.WRITE))
    many = [chunk for chunk in chunks if chunk.only is None]
    if not many or len(chunks) < 2:
        return st
    maps = maps_of(resource, cx)
    triggers = [tb.apply(maps.look, c.map, *maps.formals) for c in many]
    triggers += [inverse for c in many for inverse in c.inverses]
    bound = tb.at_most(amount_at(chunks, maps.formals), tb.WRITE)
    covering = (*[(t,) for t in dict.fromkeys(triggers)], *_meeting(many, maps.formals))
    return st.assume(tb.forall(maps.formals, bound, covering, f"bound.{resource.name}"))


def assume_bound_at(st: State, resource: Resource, args: Args, cx: Context) -> State:
    """No field is held more than once in all, at a location of which something was just added: once
    a part is given away again, the sum does not tell any more."""
    if resource.kind is not Kind.FIELD or cx.modes.ignores_amounts:
        return st
    chunks = st.heap.quantified(resource)
    if not 1 < len(chunks) <= MAX_COMPARED:
        return st
    return st.assume(tb.at_most(amount_at(chunks, args), tb.WRITE))


def _meeting(chunks: list[QuantifiedChunk], formals: tuple[Var, ...]) -> list[tuple[Term, ...]]:
    """What shows that two chunks may hold the same location, where no inverse function does: that
    their conditions are looked at for it."""
    found: dict[tuple[Term, ...], None] = {}
    plain = [chunk for chunk in chunks if not chunk.inverses]
    for one, other in combinations(plain, 2):
        parts = [term_triggers(formals, (chunk.amount,)) for chunk in (one, other)]
        if all(parts):
            found[tuple(dict.fromkeys([t for patterns in parts for t in patterns[0]]))] = None
    return list(found)


def maps_of(resource: Resource, cx: Context) -> SnapshotMaps:
    symbols = cx.services.symbols
    if resource.kind is Kind.FIELD:
        return symbols.field_maps(resource.name)
    if resource.kind is Kind.WAND:
        return symbols.wand_maps(resource.name)
    return symbols.predicate_maps(resource.name)


def location_trigger(resource: Resource, args: Args, cx: Context) -> Term:
    return tb.apply(maps_of(resource, cx).touched, *args)


def with_location_trigger(st: State, resource: Resource, args: Args, cx: Context) -> State:
    """Returns the state after looking at a location, where triggers may match it."""
    if resource not in cx.services.triggered or not args:
        return st
    return st.assume(location_trigger(resource, args, cx), FactKind.DEFINITION)


def is_location_trigger(fact: Term) -> bool:
    return (
        isinstance(fact, App)
        and isinstance(fact.symbol, Function)
        and fact.symbol.name.endswith(".touched")
    )
