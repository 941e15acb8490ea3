"""Adding permission to a state: entries, the values that come with them, what holding means."""

from __future__ import annotations

from pitviper.encoding.operators import NULL
from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.heap.entry import (
    AnyEntry,
    Entry,
    Family,
    Index,
    Kind,
    Portion,
    QuantifiedEntry,
    Sign,
    is_positive,
    sign_of,
)
from pitviper.engines.vcg.heap.total import held_anywhere, own_entry, total_in
from pitviper.engines.vcg.state import State
from pitviper.terms import build as tb
from pitviper.terms.operators import STORE
from pitviper.terms.term import App, Term


def add(st: State, new: Portion, cx: Context) -> State:
    """Permission whose value is what the array has: nobody else changed it since it was lost."""
    if new.amount is tb.NONE:
        return st
    kind, index = new.kind, new.index
    value = _known_value(st, kind, index, cx)
    if value is None:
        value = here = cx.fresh(kind.name, kind.value)
        array = st.heap.array(kind)
        cx.lazily(st, lambda: (tb.equal(here, kind.select(array, index)),))
    return add_entry(st, kind, Entry(index, new.amount, sign_of(new.amount, st.known), value), cx)


def _known_value(st: State, kind: Kind, index: Index, cx: Context) -> Term | None:
    own = own_entry(st, st.heap, kind, index, cx)
    if own is not None and own[1].value is not None and is_positive(own[1].amount, st.known):
        return own[1].value
    array = st.heap.array(kind)
    if isinstance(array, App) and array.symbol is STORE and array.args[1:-1] == index:
        return array.args[-1]
    if not index or kind in cx.services.quantified:
        return kind.select(array, index)
    return None


def add_valued(st: State, new: Portion, value: Term, cx: Context) -> State:
    """Permission that comes with a value: where the location was held already, it is the same."""
    if new.amount is tb.NONE:
        return st
    kind, index, amount = new.kind, new.index, new.amount
    some = some_of(st, amount)
    if kind.what is not Family.WAND:
        _agree(st, new, value, cx)
    if some is not tb.TRUE:
        value = tb.ite(some, value, kind.select(st.heap.array(kind), index))
    st = st.on(st.heap.stored(kind, index, value))
    return add_entry(st, kind, Entry(index, amount, sign_of(amount, st.known), value), cx)


def some_of(st: State, amount: Term) -> Term:
    """Whether an amount is positive."""
    return tb.TRUE if is_positive(amount, st.known) else tb.greater(amount, tb.NONE)


def _agree(st: State, new: Portion, value: Term, cx: Context) -> None:
    """The value is the one that whoever held the location before knows."""
    heap, kind, index = st.heap, new.kind, new.index
    some = some_of(st, new.amount)
    own = own_entry(st, heap, kind, index, cx)
    if own is not None and own[1].value is not None and is_positive(own[1].amount, st.known):
        cx.learn(st, tb.implies(some, tb.equal(value, own[1].value)))
    elif any(h.entries(kind) for h in (heap, *st.frames)):
        old = kind.select(heap.array(kind), index)

        def build() -> tuple[Term, ...]:
            before = tb.greater(held_anywhere(st, heap, kind, index, cx), tb.NONE)
            return (tb.implies(tb.conjoin(some, before), tb.equal(value, old)),)

        cx.lazily(st, build)


def add_entry(st: State, kind: Kind, entry: Entry, cx: Context) -> State:
    """One more summand, merged with that of the same index; and the bounds that hold for sums."""
    st = _not_null(st, kind, entry, cx)
    entries = list(st.heap.entries(kind))
    for at, other in enumerate(entries):
        if _is_partner(other, entry, kind):
            assert isinstance(other, Entry)
            entries[at] = _merged(st, other, entry)
            break
    else:
        entries.append(entry)
    st = st.on(st.heap.holding(kind, tuple(entries)))
    return bounded(st, kind, index=entry.index, cx=cx)


def _is_partner(other: AnyEntry, entry: Entry, kind: Kind) -> bool:
    """Equal wands may be different instances: each has an entry of its own."""
    return isinstance(other, Entry) and other.index == entry.index and kind.what is not Family.WAND


def _merged(st: State, old: Entry, new: Entry) -> Entry:
    amount = tb.plus(old.amount, new.amount)
    sign = Sign.PLUS if old.sign is new.sign is Sign.PLUS else sign_of(amount, st.known)
    return Entry(old.index, amount, sign, new.value)


def _not_null(st: State, kind: Kind, entry: Entry, cx: Context) -> State:
    if not kind.is_field:
        return st
    fact = tb.implies(some_of(st, entry.amount), tb.differ(entry.index[0], NULL))
    return st if fact in st.known else cx.assume(st, fact)


def bounded(st: State, kind: Kind, index: Index, cx: Context) -> State:
    """No more than full permission to a field; lazily for what aliases may hold."""
    if not kind.is_field or cx.in_function:
        return st
    heap = st.heap
    own = own_entry(st, heap, kind, index, cx)
    if own is not None:
        st = cx.assume(st, tb.at_most(own[1].amount, tb.WRITE))
    entries = heap.entries(kind)
    if len(entries) > 1:
        if any(isinstance(e, QuantifiedEntry) for e in entries):
            return cx.assume(st, tb.at_most(total_in(st, heap, kind, index, cx), tb.WRITE))
        cx.lazily(st, lambda: (tb.at_most(total_in(st, heap, kind, index, cx), tb.WRITE),))
    return st
