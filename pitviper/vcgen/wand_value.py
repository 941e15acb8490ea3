"""What an instance of a wand remembers: a function from left-hand snapshots to right-hand ones.

NOTE(instances). Two wands with equal holes are different instances, and may give back different
values. So the values of wands are those of their entries; the array is never asked. Where it is not
known which entry is meant, the value is unknown, but the same as long as entries and array are:
whoever gives instances away and gets some back has another array.
"""

from __future__ import annotations

from pitviper.encoding.symbols import WAND_SNAPSHOT
from pitviper.terms.term import App, Term
from pitviper.vcgen.context import Context
from pitviper.vcgen.entry import Entry, Index, Kind, is_positive
from pitviper.vcgen.state import Heap, State
from pitviper.vcgen.total import is_alone, own_entry


def wand_value(st: State, heap: Heap, kind: Kind, index: Index, cx: Context) -> Term:
    """The value of the instance that is taken next."""
    own = own_entry(st, heap, kind, index, cx)
    if own is not None and own[1].value is not None and is_positive(own[1].amount, st.known):
        return own[1].value
    memo = cx.services.memo
    key = ("wand", kind, heap.entries(kind), heap.array(kind), index)
    found = memo.get(key)
    if not isinstance(found, App):
        found = memo[key] = cx.services.supply.constant("wand", WAND_SNAPSHOT)
    return found


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
