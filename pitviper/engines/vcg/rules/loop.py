"""Loops, cut at their heads: the invariant comes for everything that the loop may change.

At the head the permissions that the invariant does not take are set aside. Arrays stay: values of
what the frame holds are stable, because whoever forgets a value counts the frames as well.
"""

from __future__ import annotations

from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.heap.add import bounded
from pitviper.engines.vcg.heap.entry import (
    AnyEntry,
    Entry,
    Family,
    Kind,
    Sign,
    is_positive,
    sign_of,
)
from pitviper.engines.vcg.rules.exhale import exhale_clauses
from pitviper.engines.vcg.rules.inhale import inhale_clauses
from pitviper.engines.vcg.rules.wellformed import check_exhaled
from pitviper.engines.vcg.state import State
from pitviper.program.cfg import BasicBlock, FlowGraph, loop_targets
from pitviper.terms import build as tb
from pitviper.terms.term import Term


def enter_loop(st: State, graph: FlowGraph, block: BasicBlock, cx: Context) -> State:
    """Give up the invariant, set the rest aside, forget what is assigned, get the invariant.

    Whether the invariant makes sense is checked where it comes, with nothing else held. If it does
    not, nothing is known to hold in an iteration: what was missing is taken to be there.
    """
    invariants = block.invariants
    store = {**st.store, **_havocked(graph, block, st, cx)}
    check_exhaled(st.storing(store), invariants, cx)
    st = exhale_clauses(st, invariants, "invariant.not.established", None, cx.trusting())
    inside = st.storing(store).framed((*st.frames, st.heap)).on(st.heap.emptied())
    return inhale_clauses(inside, invariants, None, "not.wellformed", cx)


def end_iteration(st: State, head: BasicBlock, cx: Context) -> None:
    """Back at the head: the invariant must hold again, and the path ends."""
    exhale_clauses(st, head.invariants, "invariant.not.preserved", None, cx.trusting())


def leave_loop(st: State, cx: Context) -> State:
    """What was set aside at the head comes back."""
    frame = st.frames[-1]
    st = st.framed(st.frames[:-1])
    for kind, entries in frame.perms.items():
        for entry in entries:
            st = _restored(st, kind, entry, cx)
    return st


def _restored(st: State, kind: Kind, entry: AnyEntry, cx: Context) -> State:
    """The array is right for what the frame holds: entries come back as they were."""
    entries = list(st.heap.entries(kind))
    for at, other in enumerate(entries):
        if (
            isinstance(other, Entry)
            and isinstance(entry, Entry)
            and other.index == entry.index
            and kind.what is not Family.WAND
        ):
            entries[at] = _together(st, other, entry, cx)
            break
    else:
        entries.append(entry)
    st = st.on(st.heap.holding(kind, tuple(entries)))
    return bounded(st, kind, entry.index, cx) if isinstance(entry, Entry) else st


def _together(st: State, inner: Entry, frame: Entry, cx: Context) -> Entry:
    amount = tb.plus(inner.amount, frame.amount)
    sign = Sign.PLUS if inner.sign is frame.sign is Sign.PLUS else sign_of(amount, st.known)
    value = None
    if is_positive(frame.amount, st.known):
        value = frame.value
    elif is_positive(inner.amount, st.known):
        value = inner.value
    if inner.value is not None and frame.value is not None:
        both = tb.conjoin(tb.greater(inner.amount, tb.NONE), tb.greater(frame.amount, tb.NONE))
        if sign is Sign.PLUS:
            cx.learn(st, tb.implies(both, tb.equal(inner.value, frame.value)))
    return Entry(inner.index, amount, sign, value if sign is Sign.PLUS else None)


def _havocked(graph: FlowGraph, block: BasicBlock, st: State, cx: Context) -> dict[str, Term]:
    """New values for all variables that the loop may change."""
    return {
        name: cx.fresh(name, cx.services.symbols.sort(target.type))
        for name, target in loop_targets(graph, block.id).items()
        if name in st.store
    }
