"""Values of point entries where only the array is looked at from now on."""

from __future__ import annotations

from pitviper.base.record import replace
from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.heap.entry import AnyEntry, Entry, Kind
from pitviper.engines.vcg.heap.entry import Family as Resource
from pitviper.engines.vcg.state import Heap, State
from pitviper.terms import build as tb


def link_values(st: State, kind: Kind, cx: Context) -> None:
    """The array has the values of all entries: said where only the array is looked at from now on.

    Where an entry speaks for its index, see NOTE(clean), its value is that of the array. That of a
    wand never is: see NOTE(instances).
    """
    if kind.what is Resource.WAND:
        return
    array = st.heap.array(kind)
    for entry in st.heap.entries(kind):
        if isinstance(entry, Entry) and entry.value is not None:
            some = tb.greater(entry.amount, tb.NONE)
            same = tb.equal(kind.select(array, entry.index), entry.value)
            cx.learn(st, tb.implies(some, same))


def without_values(st: State, kind: Kind, cx: Context) -> Heap:
    """The heap, with values in the array only."""
    link_values(st, kind, cx)
    return unvalued(st.heap, kind)


def unvalued(heap: Heap, kind: Kind) -> Heap:
    kept: list[AnyEntry] = [
        replace(entry, value=None) if isinstance(entry, Entry) else entry
        for entry in heap.entries(kind)
    ]
    return heap.holding(kind, tuple(kept))
