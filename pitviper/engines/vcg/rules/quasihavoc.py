"""quasihavoc: the value of a location becomes unknown, the permission stays."""

from __future__ import annotations

from dataclasses import replace

from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.heap.entry import AnyEntry, Entry, Index
from pitviper.engines.vcg.heap.total import same_index, total
from pitviper.engines.vcg.rules import evaluate as ev
from pitviper.engines.vcg.state import State
from pitviper.program import stmt as ps
from pitviper.terms import build as tb
from pitviper.terms.term import Term


def exec_quasihavoc(st: State, s: ps.Quasihavoc, cx: Context) -> State:
    """Where the location is not held there is no effect."""
    cx = cx.proving("quasihavoc.failed", s.location)
    condition: Term = tb.TRUE
    if s.condition is not None:
        condition = ev.condition(st, s.condition, cx)
    if condition is tb.FALSE:
        return st
    kind, index = ev.locate(st.under(condition), s.location, cx)
    held = tb.greater(total(st, kind, index, cx), tb.NONE)
    meant = tb.conjoin(condition, held)
    value = cx.fresh(kind.name, kind.value)
    array = st.heap.array(kind)
    heap = st.heap.stored(kind, index, tb.ite(meant, value, kind.select(array, index)))
    entries = [_renewed(e, index, meant, value, cx) for e in heap.entries(kind)]
    return st.on(heap.holding(kind, tuple(entries)))


def _renewed(entry: AnyEntry, index: Index, meant: Term, value: Term, cx: Context) -> AnyEntry:
    if not isinstance(entry, Entry) or entry.value is None:
        return entry
    here = tb.conjoin(meant, same_index(entry.index, index, cx))
    return replace(entry, value=tb.ite(here, value, entry.value))
