"""Consolidation: merge chunks of one location, infer what holding several chunks implies."""

from __future__ import annotations

from itertools import combinations

from pitviper.encoding.operators import NULL
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.chunk import Chunk, Heap, Kind, Resource
from pitviper.engines.symbolic.state import State
from pitviper.terms import build as tb
from pitviper.terms.term import Literal, Term

MAX_COMPARED = 16
"""Chunks that a new one is compared with at once; consolidation compares it with all."""


def consolidated(st: State, resource: Resource, cx: Context) -> State:
    """The state with the chunks of a resource merged, and with the facts that follow from them.

    The same object if there was nothing to learn.
    """
    st, heap = _consolidate(st, st.heap, resource, cx)
    if st.left is None:
        return st if heap is st.heap else st.holding(heap)
    st, left = _consolidate(st, st.left, resource, cx)
    if heap is st.heap and left is st.left:
        return st
    return State(st.store, heap, st.path, st.old, left, st.frames, st.outers)


def consolidate_all(st: State, cx: Context) -> State:
    for resource in st.heap.resources():
        st = consolidated(st, resource, cx)
    return st


def _consolidate(st: State, heap: Heap, resource: Resource, cx: Context) -> tuple[State, Heap]:
    chunks = heap.of(resource)
    if len(chunks) < 2 or resource.kind is Kind.WAND:
        return st, heap
    st, fewer = _merge_equal(st, chunks, cx)
    if resource.kind is Kind.FIELD:
        for chunk in fewer:
            st = assume_bounds(st, chunk, cx)
            st = _limit_sum(st, chunk, fewer, cx)
    for a, b in combinations(fewer, 2):
        st = _equate_values(st, a, b)
    return st, heap if fewer == chunks else heap.replacing(resource, fewer)


def _merge_equal(
    st: State, chunks: tuple[Chunk, ...], cx: Context
) -> tuple[State, tuple[Chunk, ...]]:
    """To a fixpoint: merging equates values, and that may make further arguments equal."""
    while True:
        result: list[Chunk] = []
        for chunk in chunks:
            at = _position(st, result, chunk, cx)
            if at is None:
                result.append(chunk)
                continue
            other = result[at]
            st, value = merged_value(st, other, chunk, cx)
            amount = tb.plus(other.amount, chunk.amount)
            result[at] = Chunk(other.resource, other.args, value, amount)
        if len(result) == len(chunks):
            return st, chunks
        chunks = tuple(result)


def _position(st: State, chunks: list[Chunk], chunk: Chunk, cx: Context) -> int | None:
    """Nobody asks about chunks that together are more than all there is: they are of different
    objects, which is assumed anyway."""
    for at, other in enumerate(chunks):
        if other.args == chunk.args:
            return at
        if not _exclude_each_other(other, chunk, cx) and cx.may_prove(
            st, same_args(other.args, chunk.args)
        ):
            return at
    return None


def _exclude_each_other(a: Chunk, b: Chunk, cx: Context) -> bool:
    if a.resource.kind is not Kind.FIELD or cx.modes.ignores_amounts:
        return False
    return tb.at_most(tb.plus(a.amount, b.amount), tb.WRITE) is tb.FALSE


def same_args(a: tuple[Term, ...], b: tuple[Term, ...]) -> Term:
    return tb.conjoin(*[tb.equal(x, y) for x, y in zip(a, b, strict=True)])


def merged_value(st: State, a: Chunk, b: Chunk, cx: Context) -> tuple[State, Term]:
    """The value of a location held in two parts: a part shows it only if its amount is positive.

    The value of the first part is kept if it can be, for its term is known.
    """
    if a.value is b.value:
        return st, a.value
    for one, other in ((a, b), (b, a)):
        positive = tb.greater(one.amount, tb.NONE)
        if cx.may_prove(st, positive):
            agree = tb.implies(tb.greater(other.amount, tb.NONE), tb.equal(one.value, other.value))
            return st.assume(positive).assume(agree), one.value
    if cx.packages:  # only definitions remain known behind a package
        shown = tb.ite(tb.greater(a.amount, tb.NONE), a.value, b.value)
        st, value = cx.named(st, a.resource.name, shown)
        agree = tb.equal(value, b.value)
        return st.assume(tb.implies(tb.greater(b.amount, tb.NONE), agree)), value
    value = cx.fresh(a.resource.name, a.value.sort)
    for part in (a, b):
        shown = tb.equal(value, part.value)
        st = st.assume(tb.implies(tb.greater(part.amount, tb.NONE), shown))
    return st, value


def assume_bounds(st: State, chunk: Chunk, cx: Context) -> State:
    """Amounts are not negative; a field is held at most once, by an object that exists."""
    amount = chunk.amount
    if not isinstance(amount, Literal):
        st = st.assume(tb.at_least(amount, tb.NONE))
    if chunk.resource.kind is not Kind.FIELD:
        return st
    if not cx.modes.ignores_amounts:
        st = st.assume(tb.at_most(amount, tb.WRITE))
    exists = tb.differ(chunk.args[0], NULL)
    return st.assume(tb.implies(tb.greater(amount, tb.NONE), exists))


def too_much_for_one(st: State, chunk: Chunk, cx: Context) -> State:
    """A new chunk is of another object than those with which it would be more than all there is.

    Said at once, as an amount may be given away again before anybody asks. Amounts that are no
    numbers are compared where they are known.
    """
    if chunk.resource.kind is not Kind.FIELD or cx.modes.ignores_amounts:
        return st
    for other in st.heap.of(chunk.resource)[:MAX_COMPARED]:
        if other.args == chunk.args:
            continue
        fits = tb.at_most(tb.plus(chunk.amount, other.amount), tb.WRITE)
        if fits is not tb.TRUE:
            st = st.assume(tb.implies(same_args(chunk.args, other.args), fits))
    return st


def _limit_sum(st: State, chunk: Chunk, chunks: tuple[Chunk, ...], cx: Context) -> State:
    """All chunks that may be of the object of one of them together are not more than all of it."""
    if cx.modes.ignores_amounts:
        return st
    parts = []
    for other in chunks:
        same = same_args(other.args, chunk.args)
        if other is not chunk and _exclude_each_other(other, chunk, cx):
            st = st.assume(tb.negate(same))
        else:
            parts.append(tb.ite(same, other.amount, tb.NONE))
    return st.assume(tb.at_most(tb.total(parts), tb.WRITE))


def _equate_values(st: State, a: Chunk, b: Chunk) -> State:
    """If two chunks are parts of one location, they have one value; if not, they are of two."""
    same = same_args(a.args, b.args)
    if same is tb.FALSE:
        return st
    both = tb.conjoin(tb.greater(a.amount, tb.NONE), tb.greater(b.amount, tb.NONE))
    return st.assume(tb.implies(tb.conjoin(same, both), tb.equal(a.value, b.value)))
