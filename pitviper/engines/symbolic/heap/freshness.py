"""What a new object differs from: every reference the state knows."""

from __future__ import annotations

from pitviper.encoding.freshness import ABSENT
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.state import State
from pitviper.terms import build as tb
from pitviper.terms.snapshot import SNAP, UNIT
from pitviper.terms.sort import REF
from pitviper.terms.term import Term


def fresh_object(st: State, target: Term, cx: Context) -> State:
    """Assume that `target` differs from references in the store and in the heap.

    That holds for references, for elements of sets and sequences of them, in variables, arguments
    and values of chunks, also of what is inside predicate instances. A chunk of nothing does not
    count: its arguments may be values of functions that no object had so far.
    """
    for term, held in _known(st).items():
        if term.sort is SNAP:  # a condition inside: nothing is asked about a snapshot of nothing
            st = st.assume(tb.apply(ABSENT, target, tb.ite(held, term, UNIT)))
        else:
            st = st.assume(tb.implies(held, _differs(target, term, cx)))
    return st


def _known(st: State) -> dict[Term, Term]:
    """What can be seen, and where: variables, arguments and values of chunks of which something is
    held."""
    known: dict[Term, Term] = dict.fromkeys(st.store.values(), tb.TRUE)
    for heap in (st.heap, *st.frames):
        held = [((*chunk.args, chunk.value), chunk.amount) for chunk in heap]
        for many in heap.quantified_chunks():
            if many.only is not None and many.value is not None:
                held.append(((*many.only, many.value), many.amount_at(many.only)))
        for terms, amount in held:
            some = tb.greater(amount, tb.NONE)
            for term in terms:
                known[term] = tb.disjoin(known.get(term, tb.FALSE), some)
    return known


def _differs(target: Term, term: Term, cx: Context) -> Term:
    symbols = cx.services.symbols
    sets, sequences = symbols.sets.get(REF), symbols.sequences.get(REF)
    if term.sort is REF:
        return tb.differ(target, term)
    if sets is not None and term.sort is sets.sort:
        return tb.negate(tb.apply(sets.contains, target, term))
    if sequences is not None and term.sort is sequences.sort:
        return tb.negate(tb.apply(sequences.contains, term, target))
    return tb.TRUE
