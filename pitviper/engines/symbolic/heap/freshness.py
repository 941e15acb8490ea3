"""What a new object differs from: every reference the state knows."""

from __future__ import annotations

from pitviper.encoding.freshness import ABSENT
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.state import State
from pitviper.terms import build as tb
from pitviper.terms.snapshot import SNAP
from pitviper.terms.sort import REF
from pitviper.terms.term import Term


def fresh_object(st: State, target: Term, cx: Context) -> State:
    """Assume that `target` differs from references in the store and in the heap.

    That holds for references, for elements of sets and sequences of them, in variables, arguments
    and values of chunks, also of what is inside predicate instances.
    """
    known: dict[Term, None] = dict.fromkeys(st.store.values())
    for heap in (st.heap, *st.frames):
        for chunk in heap:
            known.update(dict.fromkeys(chunk.args))
            known[chunk.value] = None
        for many in heap.quantified_chunks():
            if many.only is not None and many.value is not None:
                known.update(dict.fromkeys((*many.only, many.value)))
    symbols = cx.services.symbols
    sets = symbols.sets.get(REF)
    sequences = symbols.sequences.get(REF)
    for term in known:
        if term.sort is REF:
            st = st.assume(tb.differ(target, term))
        elif term.sort is SNAP:
            st = st.assume(tb.apply(ABSENT, target, term))
        elif sets is not None and term.sort is sets.sort:
            st = st.assume(tb.negate(tb.apply(sets.contains, target, term)))
        elif sequences is not None and term.sort is sequences.sort:
            st = st.assume(tb.negate(tb.apply(sequences.contains, term, target)))
    return st
