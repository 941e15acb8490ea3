"""Reading and writing locations; the entries of one heap are the only ones that count."""

from __future__ import annotations

from pitviper.base.record import replace
from pitviper.encoding.operators import NULL
from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.heap.entry import AnyEntry, Index, Kind, QuantifiedEntry, is_positive
from pitviper.engines.vcg.heap.total import covers, is_alone, own_entry, same_index, total_in
from pitviper.engines.vcg.state import Heap, State
from pitviper.program.node import Node
from pitviper.terms import build as tb
from pitviper.terms.term import Term


def lookup(st: State, kind: Kind, index: Index, cx: Context) -> Term:
    """The value at an index of the heap in which expressions are evaluated, unchecked."""
    return value_in(st, st.heap, kind, index, cx)


def value_in(st: State, heap: Heap, kind: Kind, index: Index, cx: Context) -> Term:
    own = own_entry(st, heap, kind, index, cx)
    if own is not None and own[1].value is not None:
        entry = own[1]
        if is_positive(entry.amount, st.known) or is_alone(st, heap, kind, index, cx):
            return own[1].value
    return kind.select(heap.array(kind), index)


def read(st: State, kind: Kind, index: Index, node: Node, cx: Context) -> Term:
    """The value at an index; some permission to it must be held."""
    if cx.checking:
        require_some(st, kind, index, node, cx)
    return lookup(st, kind, index, cx)


def require_some(st: State, kind: Kind, index: Index, node: Node, cx: Context) -> None:
    own = own_entry(st, st.heap, kind, index, cx)
    if own is not None and is_positive(own[1].amount, st.known):
        return
    held = total_in(st, st.heap, kind, index, cx)
    cx.check(st, tb.greater(held, tb.NONE), "insufficient.permission", node, node)
    _exists(st, kind, index, cx)


def _exists(st: State, kind: Kind, index: Index, cx: Context) -> None:
    """A field that is held is no field of null; entries for one location say so themselves."""
    if kind.is_field and any(isinstance(e, QuantifiedEntry) for e in st.heap.entries(kind)):
        cx.learn(st, tb.differ(index[0], NULL))


def write(st: State, kind: Kind, index: Index, value: Term, cx: Context) -> State:
    """Another value at an index to which full permission is held (the caller has checked that).

    Where one entry has it all, the others that hold something have other indices, and keep their
    values. Elsewhere those that may be meant get the value where they are.
    """
    heap = st.heap
    own = own_entry(st, heap, kind, index, cx)
    alone = own is not None and covers(own[1], tb.WRITE)
    entries = tuple([_written(e, index, value, cx, alone=alone) for e in heap.entries(kind)])
    return st.on(heap.stored(kind, index, value).holding(kind, entries))


def _written(entry: AnyEntry, index: Index, value: Term, cx: Context, *, alone: bool) -> AnyEntry:
    if isinstance(entry, QuantifiedEntry):
        return entry
    if entry.index == index:
        return replace(entry, value=value)
    if entry.value is None or alone:
        return entry
    same = same_index(entry.index, index, cx)
    return replace(entry, value=tb.ite(same, value, entry.value))


def require_all(st: State, kind: Kind, index: Index, node: Node, cx: Context) -> None:
    """Full permission, for a write."""
    own = own_entry(st, st.heap, kind, index, cx)
    if own is not None and covers(own[1], tb.WRITE):
        return
    held = total_in(st, st.heap, kind, index, cx)
    cx.check(st, tb.at_least(held, tb.WRITE), "insufficient.permission", node, node)
    _exists(st, kind, index, cx)
