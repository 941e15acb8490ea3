"""How much is held at an index: sums of entries under possible aliasing.

NOTE(clean). An entry speaks for its index alone only where no entry of unknown or negative sign may
have the same index. "Surely held", "covered" and the use of an entry's value all ask for that
first; elsewhere the whole sum is formed, and values are read from the array.
"""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.base.record import replace
from pitviper.encoding.operators import NULL, alike
from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.heap.entry import (
    AnyEntry,
    Entry,
    Index,
    Kind,
    QuantifiedEntry,
    Sign,
    is_positive,
)
from pitviper.engines.vcg.heap.entry import Family as Resource
from pitviper.engines.vcg.state import Heap, State
from pitviper.program.node import Node
from pitviper.terms import build as tb
from pitviper.terms import operators as op
from pitviper.terms.term import App, Literal, Term


def same_index(a: Index, b: Index, cx: Context) -> Term:
    symbols = cx.services.symbols
    return tb.conjoin(*[alike(x, y, symbols) for x, y in zip(a, b, strict=True)])


def amount_here(st: State, amount: Term) -> Term:
    """The amount without choices whose condition is known."""
    while isinstance(amount, App) and amount.symbol is op.ITE:
        condition = st.decided(amount.args[0])
        if condition is tb.TRUE:
            amount = amount.args[1]
        elif condition is tb.FALSE:
            amount = amount.args[2]
        else:
            break
    return amount


def are_apart(st: State, kind: Kind, entry: Entry, index: Index, cx: Context) -> bool:
    """Whether it is plain to see that an entry has another index."""
    if same_index(entry.index, index, cx) is tb.FALSE:
        return True
    if any(_differ(st, a, b) for a, b in zip(entry.index, index, strict=True)):
        return True
    if kind.is_field and index[0] is NULL:
        return is_positive(entry.amount, st.known)
    return False


def _differ(st: State, a: Term, b: Term) -> bool:
    """A new object differs from what was there before: see NOTE(ages)."""
    if a is b:
        return False
    if tb.differ(a, b) in st.known or tb.differ(b, a) in st.known:
        return True
    one, other = st.ages.get(a), st.ages.get(b)
    if one is None or other is None:
        return False
    if _is_new(a) and _is_new(b):
        return True
    return (_is_new(a) and other <= one) or (_is_new(b) and one <= other)


def _is_new(term: Term) -> bool:
    """Whether a term is the constant of a `new` statement."""
    return isinstance(term, App) and not term.args and term.symbol.name.startswith(NEW)


NEW = "new "
"""How the names of new objects begin; no identifier of a program has a space."""


def near(st: State, heap: Heap, kind: Kind, index: Index, cx: Context) -> Iterator[AnyEntry]:
    """The entries that may say something about an index."""
    for entry in heap.entries(kind):
        if (
            isinstance(entry, QuantifiedEntry)
            or entry.index == index
            or not are_apart(st, kind, entry, index, cx)
        ):
            yield entry


def contribution(entry: AnyEntry, index: Index, cx: Context) -> Term:
    if isinstance(entry, QuantifiedEntry):
        return entry.at(index)
    return entry.at(index, same_index(entry.index, index, cx))


def total_in(st: State, heap: Heap, kind: Kind, index: Index, cx: Context) -> Term:
    parts = [
        amount_here(st, contribution(entry, index, cx)) for entry in near(st, heap, kind, index, cx)
    ]
    return tb.total(parts)


def total(st: State, kind: Kind, index: Index, cx: Context) -> Term:
    """What is held right now, while exhaling also."""
    return total_in(st, st.held, kind, index, cx)


def held_anywhere(st: State, heap: Heap, kind: Kind, index: Index, cx: Context) -> Term:
    """What a heap and the frames of the loops around hold: as long as that is positive, nobody
    else changes the value."""
    return tb.total([total_in(st, h, kind, index, cx) for h in (heap, *st.frames)])


def own_entry(
    st: State, heap: Heap, kind: Kind, index: Index, cx: Context
) -> tuple[int, Entry] | None:
    """The entry that alone is known for an index, with its place; only where that is clean."""
    found: tuple[int, Entry] | None = None
    for at, entry in enumerate(heap.entries(kind)):
        if isinstance(entry, Entry) and entry.index == index:
            if entry.sign is not Sign.PLUS:
                return None
            found = found or (at, entry)
        elif entry.sign is not Sign.PLUS and (
            isinstance(entry, QuantifiedEntry) or not are_apart(st, kind, entry, index, cx)
        ):
            return None
    if found is None:
        return None
    return found[0], replace(found[1], amount=amount_here(st, found[1].amount))


def is_alone(st: State, heap: Heap, kind: Kind, index: Index, cx: Context) -> bool:
    """Whether at most one entry may say something about an index."""
    entries = near(st, heap, kind, index, cx)
    next(entries, None)
    return next(entries, None) is None


def covers(entry: Entry, amount: Term) -> bool:
    """Whether an entry plainly has at least an amount."""
    if entry.amount is amount:
        return True
    a, b = entry.amount, amount
    return isinstance(a, Literal) and isinstance(b, Literal) and a.value >= b.value


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
        replace(entry, value=None) if isinstance(entry, Entry) else replace(entry, values=None)
        for entry in heap.entries(kind)
    ]
    return heap.holding(kind, tuple(kept))
