"""What an instance of a wand remembers: a function from left-hand snapshots to right-hand ones.

NOTE(instances). Two wands with equal holes are different instances, and may give back different
values. So the values of wands are those of their entries; the array is never asked. Where it is not
known which entry is meant, the value is unknown, but the same as long as entries and array are:
whoever gives instances away and gets some back has another array.

    package acc(x.f) --* acc(x.f) && acc(x.g)      // remembers x.g == 1
    inhale acc(z.f) --* acc(z.f) && acc(z.g)       // remembers something else
    apply acc(y.f) --* acc(y.f) && acc(y.g)        // y is x or z: which instance goes is unknown
"""

from __future__ import annotations

from pitviper.base.record import record
from pitviper.encoding.symbols import WAND_SNAPSHOT
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
from pitviper.engines.vcg.heap.total import contribution, is_alone, near, own_entry
from pitviper.engines.vcg.state import Heap, State
from pitviper.terms import build as tb
from pitviper.terms.term import App, Term


def wand_value(st: State, heap: Heap, kind: Kind, index: Index, cx: Context) -> Term:
    """The value of the instance that is taken next."""
    own = own_entry(st, heap, kind, index, cx)
    if own is not None and own[1].value is not None and is_positive(own[1].amount, st.known):
        return own[1].value
    entries = list(near(st, heap, kind, index, cx))
    if len(entries) == 1 and isinstance(entries[0], QuantifiedEntry):
        value = _remembered(entries[0], kind, index)
        if value is not None:
            return value
    memo = cx.services.memo
    key = ("wand", kind, heap.entries(kind), heap.array(kind), index)
    found = memo.get(key)
    if not isinstance(found, App):
        found = memo[key] = cx.services.supply.constant("wand", WAND_SNAPSHOT)
    _identify(st, heap, Unknown(kind, index, found), cx)
    return found


@record
class Unknown:
    """The value of an instance of which it is not plain to see which one it is."""

    kind: Kind
    index: Index
    value: Term


def _identify(st: State, heap: Heap, unknown: Unknown, cx: Context) -> None:
    """NOTE(only one). If one entry has the index, and all others have nothing of it, then the
    instance is that of the entry. A debt may stand for any of them, so where there is one that may
    concern the index, nothing is known. With entries for `x` and `z`,

        x != z    an instance at `x` is that of the first entry;
        x == z    it is one of two instances, and nothing is said.

    Wands that came in by one quantifier differ in their indices, so the same holds of them."""
    entries = list(near(st, heap, unknown.kind, unknown.index, cx))
    if any(entry.sign is not Sign.PLUS for entry in entries):
        return
    parts = [contribution(entry, unknown.index, cx) for entry in entries]
    for at, entry in enumerate(entries):
        index = entry.index if isinstance(entry, Entry) else unknown.index
        value = _remembered(entry, unknown.kind, index)
        if value is not None:
            others = [tb.at_most(part, tb.NONE) for n, part in enumerate(parts) if n != at]
            only = tb.conjoin(tb.greater(parts[at], tb.NONE), *others)
            cx.learn(st, tb.implies(only, tb.equal(unknown.value, value)))


def _remembered(entry: AnyEntry, kind: Kind, index: Index) -> Term | None:
    """What the instance of an entry at an index remembers, if there is one and that is known."""
    if entry.sign is not Sign.PLUS:
        return None
    if isinstance(entry, Entry):
        return entry.value if entry.index == index else None
    return None if entry.values is None else kind.select(entry.values, index)


def remembered_together(heap: Heap, kind: Kind) -> Term | None:
    """The array of what the instances remember, if all there are came in by one quantifier."""
    entries = heap.entries(kind)
    if len(entries) != 1 or entries[0].sign is not Sign.PLUS:
        return None
    return entries[0].values if isinstance(entries[0], QuantifiedEntry) else None


def only_wand_value(st: State, heap: Heap, kind: Kind, index: Index, cx: Context) -> Term:
    """The value of an instance where there may be others: known only if there is no other."""
    if is_alone(st, heap, kind, index, cx):
        return wand_value(st, heap, kind, index, cx)
    return cx.fresh("wand", WAND_SNAPSHOT)


def newest_wand_value(heap: Heap, kind: Kind, index: Index, cx: Context) -> Term:
    """The value of the instance that came last."""
    for entry in reversed(heap.entries(kind)):
        if isinstance(entry, Entry) and entry.index == index and entry.value is not None:
            return entry.value
    return cx.fresh("wand", WAND_SNAPSHOT)
