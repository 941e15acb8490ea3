"""Finding, reading, taking and adding chunks: greedy first, summarising where that fails.

NOTE(greedy-first). The greedy rules look at one chunk. Where they fail the heap is consolidated and
they are tried again; then the summarising rules consider all chunks of the resource at once, under
possible aliasing. Bounded questions decide only how to go on; the last one of a rule has no bound.
"""

from __future__ import annotations

from pitviper.encoding.operators import alike
from pitviper.encoding.symbols import WAND_SNAPSHOT
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.chunk import Chunk, Kind, Resource
from pitviper.engines.symbolic.heap.consolidate import (
    assume_bounds,
    consolidated,
    merged_value,
    same_args,
    too_much_for_one,
)
from pitviper.engines.symbolic.heap.request import Request, snapshot_of
from pitviper.engines.symbolic.quantified.access import (
    add_quantified,
    amount_at,
    enriched,
    read_quantified,
    take_quantified,
)
from pitviper.engines.symbolic.state import State
from pitviper.program.node import Node
from pitviper.solver.session import SPLIT, Answer
from pitviper.terms import build as tb
from pitviper.terms.operators import ITE
from pitviper.terms.snapshot import SNAP, UNIT, wrap_leaf
from pitviper.terms.sort import Sort
from pitviper.terms.term import App, Term


def find_chunk(
    st: State, chunks: tuple[Chunk, ...], args: tuple[Term, ...], cx: Context
) -> Chunk | None:
    """A chunk with identical arguments, else the first one with provably equal ones."""
    for chunk in chunks:
        if chunk.args == args:
            return chunk
    symbols = cx.services.symbols
    for chunk in chunks:
        pairs = zip(chunk.args, args, strict=True)
        if cx.may_prove(st, tb.conjoin(*[alike(a, b, symbols) for a, b in pairs])):
            return chunk
    return None


def value_sort(resource: Resource, cx: Context) -> Sort:
    if resource.kind is Kind.PREDICATE:
        return SNAP
    if resource.kind is Kind.WAND:
        return WAND_SNAPSHOT
    return cx.services.symbols.sort(cx.services.program.fields[resource.name].type)


# ---------------------------------------------------------------- reading


def read(
    st: State, resource: Resource, args: tuple[Term, ...], node: Node, cx: Context
) -> tuple[State, Term]:
    """Figure 5, e.f: a chunk for the receiver must be held; its value is the result."""
    recorder = cx.services.recorder
    if recorder is None:
        return _read(st, resource, args, node, cx)
    return recorder.during("evaluate", st, node, lambda: _read(st, resource, args, node, cx))


def _read(
    st: State, resource: Resource, args: tuple[Term, ...], node: Node, cx: Context
) -> tuple[State, Term]:
    if resource in cx.services.quantified:
        return read_quantified(st, resource, args, node, cx)
    chunk = find_chunk(st, st.heap.of(resource), args, cx)
    if chunk is not None and _shows_value(st, chunk, cx):
        return st, chunk.value
    if not cx.modes.checking:
        return _read_unchecked(st, resource, args, cx)
    return _read_summarised(st, resource, args, node, cx)


def _shows_value(st: State, chunk: Chunk, cx: Context) -> bool:
    """Whether the value of a chunk is that of its location: only a positive amount says so, also
    where nothing is checked. Nobody keeps the value of a chunk up to date of which nothing is held.
    """
    some = tb.greater(chunk.amount, tb.NONE)
    return cx.proves(st, some) if cx.modes.checking else cx.may_prove(st, some)


def _read_unchecked(
    st: State, resource: Resource, args: tuple[Term, ...], cx: Context
) -> tuple[State, Term]:
    """Some chunk is meant, or the value is of no interest."""
    chunks = st.heap.of(resource)
    if chunks and cx.modes.claiming:
        return _summary(st, chunks, args, cx)
    return st, cx.fresh(resource.name, value_sort(resource, cx))


def _read_summarised(
    st: State, resource: Resource, args: tuple[Term, ...], node: Node, cx: Context
) -> tuple[State, Term]:
    """The value that all chunks that may be meant agree on, if one of them must be meant."""
    st = enriched(st, cx)
    chunks = st.heap.of(resource)
    held = tb.total([tb.ite(same_args(c.args, args), c.amount, tb.NONE) for c in chunks])
    answer = cx.ask(st, tb.greater(held, tb.NONE))
    if answer.proved and chunks:
        return _summary(st, chunks, args, cx)
    some = tb.greater(held, tb.NONE)
    lacking = cx.lacks(resource, args).about(some)
    lacking.report(answer, st, "insufficient.permission", node, node)
    value = cx.fresh(resource.name, value_sort(resource, cx))
    return st.assume(some), value


def _summary(
    st: State, chunks: tuple[Chunk, ...], args: tuple[Term, ...], cx: Context
) -> tuple[State, Term]:
    """Chunks of one location agree on its value; wands do not: the first one is meant."""
    wands = chunks[0].resource.kind is Kind.WAND
    for chunk in chunks[:1] if wands else chunks:
        if cx.may_prove(
            st, tb.conjoin(same_args(chunk.args, args), tb.greater(chunk.amount, tb.NONE))
        ):
            return st, chunk.value
    value = cx.fresh(chunks[0].resource.name, chunks[0].value.sort)
    earlier: Term = tb.FALSE
    for chunk in chunks:
        meant = tb.conjoin(same_args(chunk.args, args), tb.greater(chunk.amount, tb.NONE))
        first = tb.conjoin(meant, tb.negate(earlier))
        st = st.assume(tb.implies(first, tb.equal(value, chunk.value)))
        if wands:
            earlier = tb.disjoin(earlier, meant)
    return st, value


# ---------------------------------------------------------------- taking


def take(st: State, request: Request, cx: Context) -> tuple[State, Term]:
    """Figure 7, acc: remove an amount from what is left; the result is its snapshot."""
    if st.outers and not cx.modes.reading:
        from pitviper.engines.symbolic.wands.transfer import transfer_missing  # in packages only

        st = transfer_missing(st, request, cx)
        if st.is_over:
            return st, cx.fresh("snapshot", SNAP)
    if request.resource in cx.services.quantified:
        return take_quantified(st, request, cx)
    if cx.modes.reading:
        return _look(st, request, cx)
    outcome = _take_greedy(st, request, cx)
    if outcome is None:
        st = consolidated(st, request.resource, cx)
        outcome = _take_greedy(st, request, cx)
    if outcome is None:
        st = enriched(st, cx)
        outcome = _take_greedy(st, request, cx)
    if outcome is None:
        return _take_summarised(st, request, cx)
    s1, value = outcome
    return s1, snapshot_of(s1, value, request, cx)


def _look(st: State, request: Request, cx: Context) -> tuple[State, Term]:
    """In functions amounts matter only as positive or none, and nothing is removed."""
    resource, args = request.resource, request.args
    wanted = tb.TRUE if request.wildcard else tb.greater(request.amount, tb.NONE)
    chunk = find_chunk(st, st.held.of(resource), args, cx)
    if chunk is not None and cx.proves(st, tb.implies(wanted, tb.greater(chunk.amount, tb.NONE))):
        return st, snapshot_of(st, chunk.value, request, cx)
    st = enriched(st, cx)
    chunks = st.held.of(resource)
    held = tb.total([tb.ite(same_args(c.args, args), c.amount, tb.NONE) for c in chunks])
    enough = tb.implies(wanted, tb.greater(held, tb.NONE))
    answer = cx.ask(st, enough)
    if not answer.proved:
        return _missing(st, request, enough, answer, cx)
    if not chunks:
        return st, UNIT
    st, value = _summary(st, chunks, args, cx)
    return st, snapshot_of(st, value, request, cx)


def _take_greedy(st: State, request: Request, cx: Context) -> tuple[State, Term] | None:
    chunks = st.held.of(request.resource)
    chunk = find_chunk(st, chunks, request.args, cx)
    if chunk is None:
        return None
    if request.wildcard:
        return _take_wildcard(st, chunk, request, cx)
    if cx.may_prove(st, tb.at_most(request.amount, chunk.amount)):
        rest = tb.minus(chunk.amount, request.amount)
        return _replace(st, chunk, rest, cx), chunk.value
    return None


def _take_wildcard(
    st: State, chunk: Chunk, request: Request, cx: Context
) -> tuple[State, Term] | None:
    """Some positive amount, less than what is held: what the chunk holds, if that is all.

    A wildcard is less than all that is held of a location, not less than one chunk of it. Where
    another chunk may be about the location, all of them give something (`_take_summarised`).
    """
    if not cx.may_prove(st, tb.greater(chunk.amount, tb.NONE)):
        return None
    others = [c for c in st.held.of(chunk.resource) if c is not chunk]
    if not all(cx.may_prove(st, tb.negate(same_args(c.args, request.args))) for c in others):
        return None
    st = st.assume(tb.greater(request.amount, tb.NONE)).assume(
        tb.less(request.amount, chunk.amount)
    )
    return _replace(st, chunk, tb.minus(chunk.amount, request.amount), cx), chunk.value


def _replace(st: State, chunk: Chunk, rest: Term, cx: Context) -> State:
    """The chunk with another amount; gone if nothing of it is left."""
    held = st.held
    chunks = list(held.of(chunk.resource))
    at = chunks.index(chunk)
    if rest is tb.NONE or cx.may_prove(st, tb.equal(rest, tb.NONE)):
        del chunks[at]
    else:
        st, rest = _named_amount(st, rest, cx)
        chunks[at] = Chunk(chunk.resource, chunk.args, chunk.value, rest)
    return st.leaving(held.replacing(chunk.resource, tuple(chunks)))


def _named_amount(st: State, amount: Term, cx: Context) -> tuple[State, Term]:
    """Amounts that are more than a small sum get a name, or they nest without end."""
    if isinstance(amount, App) and amount.symbol is ITE and not cx.binders:
        return cx.named(st, "rest", amount)
    return st, amount


def _take_summarised(st: State, request: Request, cx: Context) -> tuple[State, Term]:
    """All chunks that may be meant give what they can, in order, until enough is taken."""
    chunks = st.held.of(request.resource)
    if request.wildcard:
        return _take_wildcard_summarised(st, chunks, request, cx)
    need, kept, enough = request.amount, list[Chunk](), False
    for chunk in chunks:
        if enough:
            kept.append(chunk)
            continue
        meant = same_args(chunk.args, request.args)
        taken = tb.ite(meant, tb.minimum(chunk.amount, need), tb.NONE)
        st, taken = cx.named(st, "taken", taken)
        need = tb.minus(need, taken)
        rest = tb.minus(chunk.amount, taken)
        if not cx.may_prove(st, tb.at_most(rest, tb.NONE), SPLIT):
            kept.append(Chunk(chunk.resource, chunk.args, chunk.value, rest))
        enough = cx.may_prove(st, tb.equal(need, tb.NONE), SPLIT)
    if not enough:
        answer = cx.ask(st, tb.at_most(need, tb.NONE))
        if not answer.proved:
            return _missing(st, request, tb.at_most(need, tb.NONE), answer, cx)
    after = st.leaving(st.held.replacing(request.resource, tuple(kept)))
    if not chunks:
        return after, UNIT
    after, value = _summary(after, chunks, request.args, cx)
    return after, snapshot_of(after, value, request, cx)


def _missing(
    st: State, request: Request, enough: Term, answer: Answer, cx: Context
) -> tuple[State, Term]:
    """Report, then go on as if there had been enough; where there is none at all, the path ends."""
    resource = request.resource
    reason = "wand.not.found" if resource.kind is Kind.WAND else "insufficient.permission"
    lacking = cx.lacks(resource, request.args).about(enough)
    lacking.report(answer, st, reason, request.node, request.node)
    chunk = find_chunk(st, st.held.of(resource), request.args, cx)
    st = cx.granted(st, enough)
    if chunk is None or not cx.modes.claiming:
        return st, wrap_leaf(cx.fresh(resource.name, value_sort(resource, cx)))
    kept = tuple([c for c in st.held.of(resource) if c is not chunk])
    return st.leaving(st.held.replacing(resource, kept)), wrap_leaf(chunk.value)


def _take_wildcard_summarised(
    st: State, chunks: tuple[Chunk, ...], request: Request, cx: Context
) -> tuple[State, Term]:
    """Every chunk that is meant gives less than it holds; together they give something."""
    held = tb.total([tb.ite(same_args(c.args, request.args), c.amount, tb.NONE) for c in chunks])
    answer = cx.ask(st, tb.greater(held, tb.NONE))
    if not answer.proved:
        return _missing(st, request, tb.greater(held, tb.NONE), answer, cx)
    if not chunks:  # nothing is more than nothing: the state is inconsistent
        return st, wrap_leaf(cx.fresh(request.resource.name, value_sort(request.resource, cx)))
    kept, parts = [], []
    for chunk in chunks:
        part = cx.fresh("part", tb.WRITE.sort)
        meant = tb.conjoin(same_args(chunk.args, request.args), tb.greater(chunk.amount, tb.NONE))
        some = tb.conjoin(tb.less(tb.NONE, part), tb.less(part, chunk.amount))
        st = st.assume(tb.ite(meant, some, tb.equal(part, tb.NONE)))
        kept.append(Chunk(chunk.resource, chunk.args, chunk.value, tb.minus(chunk.amount, part)))
        parts.append(part)
    st = st.assume(tb.equal(request.amount, tb.total(parts)))
    st = st.assume(tb.greater(request.amount, tb.NONE))
    st, value = _summary(st, chunks, request.args, cx)
    return st.leaving(st.held.replacing(request.resource, tuple(kept))), wrap_leaf(value)


# ---------------------------------------------------------------- adding


def add(st: State, chunk: Chunk, cx: Context) -> State:
    """Produce a chunk: merge it with one of the same location, and assume what holding it means."""
    if chunk.resource in cx.services.quantified:
        return add_quantified(st, chunk, cx)
    if chunk.amount is tb.NONE:
        return st
    st = assume_bounds(st, chunk, cx)
    for at, other in enumerate(st.heap.of(chunk.resource)):
        if other.args == chunk.args and chunk.resource.kind is not Kind.WAND:
            return _merge_into(st, at, other, chunk, cx)
    st = too_much_for_one(st, chunk, cx)
    return st.holding(st.heap.adding(chunk))


def add_new(st: State, chunk: Chunk, cx: Context) -> State:
    """A chunk of an object that was just allocated: there can be no other."""
    if chunk.resource in cx.services.quantified:
        return add_quantified(st, chunk, cx)
    return st.holding(st.heap.adding(chunk))


def _merge_into(st: State, at: int, other: Chunk, chunk: Chunk, cx: Context) -> State:
    st, value = merged_value(st, other, chunk, cx)
    both = Chunk(other.resource, other.args, value, tb.plus(other.amount, chunk.amount))
    chunks = list(st.heap.of(chunk.resource))
    chunks[at] = both
    st = st.holding(st.heap.replacing(chunk.resource, tuple(chunks)))
    return too_much_for_one(assume_bounds(st, both, cx), both, cx)


def permission_amount(st: State, resource: Resource, args: tuple[Term, ...]) -> Term:
    """`perm(r)`: the sum of what all chunks hold that may be meant."""
    chunks = st.held.of(resource)
    plain = tb.total([tb.ite(same_args(c.args, args), c.amount, tb.NONE) for c in chunks])
    return tb.plus(plain, amount_at(st.held.quantified(resource), args))
