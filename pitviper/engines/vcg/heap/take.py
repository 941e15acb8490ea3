"""Giving up permission at one index: from its own entry if that can be, else as a negative one."""

from __future__ import annotations

from pitviper.base.record import replace
from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.heap.entry import (
    AnyEntry,
    Entry,
    Family,
    Kind,
    QuantifiedEntry,
    Sign,
    is_positive,
    sign_of,
)
from pitviper.engines.vcg.heap.entry import Request as Request
from pitviper.engines.vcg.heap.total import are_apart, covers, near, own_entry, same_index, total
from pitviper.engines.vcg.state import State
from pitviper.engines.vcg.wands.transfer import transfer
from pitviper.terms import build as tb
from pitviper.terms.term import Literal, Term

MAX_ALIASES = 6
"""Entries of other indices that are compared with the wanted one by asking the solver."""


def take(st: State, wanted: Request, cx: Context) -> State:
    """Prove that the permission is there, and give it up; `reading` only proves."""
    if cx.reading:
        _claim_some(st, wanted, cx)
        return st
    if cx.packaging is not None:
        st = transfer(st, wanted, cx)
    found = own_entry(st, st.held, wanted.kind, wanted.index, cx) or _alias(st, wanted, cx)
    if wanted.wildcard:
        return _take_some(st, wanted, found, cx)
    if found is not None:
        at, entry = found
        if covers(entry, wanted.amount):
            return _less(st, wanted.kind, at, entry, wanted.amount)
        enough = tb.at_least(entry.amount, wanted.amount)
        if not isinstance(entry.amount, Literal) or not isinstance(wanted.amount, Literal):
            alone = _only(st, wanted, at, cx)
            if alone or cx.proves(st, enough):
                _claim(st, enough, wanted, cx)
                return _less(st, wanted.kind, at, entry, wanted.amount)
    held = total(st, wanted.kind, wanted.index, cx)
    _claim(st, tb.at_least(held, wanted.amount), wanted, cx)
    return _owe(st, wanted, cx)


def _claim(st: State, goal: Term, wanted: Request, cx: Context) -> None:
    reason = "wand.not.found" if wanted.kind.what is Family.WAND else "insufficient.permission"
    cx.claim(st, goal, reason, wanted.node, wanted.node)


def _claim_some(st: State, wanted: Request, cx: Context) -> None:
    """Something must be held wherever something is wanted."""
    own = own_entry(st, st.held, wanted.kind, wanted.index, cx)
    if own is not None and is_positive(own[1].amount, st.known):
        return
    held = tb.greater(total(st, wanted.kind, wanted.index, cx), tb.NONE)
    some = tb.TRUE if wanted.wildcard else tb.greater(wanted.amount, tb.NONE)
    _claim(st, tb.implies(some, held), wanted, cx)


def _only(st: State, wanted: Request, at: int, cx: Context) -> bool:
    """Whether no entry but that at a place may say something about the index."""
    entries = list(near(st, st.held, wanted.kind, wanted.index, cx))
    return len(entries) == 1 and entries[0] == st.held.entries(wanted.kind)[at]


def _alias(st: State, wanted: Request, cx: Context) -> tuple[int, Entry] | None:
    """An entry whose index is provably the wanted one, among a few."""
    candidates = [
        (at, entry)
        for at, entry in enumerate(st.held.entries(wanted.kind))
        if isinstance(entry, Entry)
        and not are_apart(st, wanted.kind, entry, wanted.index, cx)
        and entry.index != wanted.index
    ]
    if len(candidates) > MAX_ALIASES:
        return None
    for at, entry in candidates:
        if cx.proves(st, same_index(entry.index, wanted.index, cx)):
            own = own_entry(st, st.held, wanted.kind, entry.index, cx)
            if own is not None and own[0] == at:
                return own
    return None


def _less(st: State, kind: Kind, at: int, entry: Entry, amount: Term) -> State:
    """Subtract from an entry that has at least the amount."""
    rest = tb.minus(entry.amount, amount)
    entries = list(st.held.entries(kind))
    if rest is tb.NONE:
        del entries[at]
    else:
        entries[at] = replace(entry, amount=rest, sign=Sign.PLUS)
    st = st.leaving(st.held.holding(kind, tuple(entries)))
    return st.knowing(tb.at_least(rest, tb.NONE))


def _owe(st: State, wanted: Request, cx: Context) -> State:
    """A negative entry: nothing near it speaks for itself from now on."""
    kept = [_without_value(st, e, wanted, cx) for e in st.held.entries(wanted.kind)]
    sign = Sign.MINUS if sign_of(wanted.amount, st.known) is Sign.PLUS else Sign.OPEN
    debt = Entry(wanted.index, tb.minus(tb.NONE, wanted.amount), sign)
    return st.leaving(st.held.holding(wanted.kind, (*kept, debt)))


def _without_value(st: State, entry: AnyEntry, wanted: Request, cx: Context) -> AnyEntry:
    if isinstance(entry, QuantifiedEntry):
        return replace(entry, values=None)
    if entry.value is None:
        return entry
    if entry.index != wanted.index and are_apart(st, wanted.kind, entry, wanted.index, cx):
        return entry
    return replace(entry, value=None)


def _take_some(st: State, wanted: Request, found: tuple[int, Entry] | None, cx: Context) -> State:
    """A part of what is there, small enough that something stays.

    The part is less than all that is held, not less than one entry, so an entry is enough only
    where no other may be about the index.
    """
    is_all = found is not None and _only(st, wanted, found[0], cx)
    if found is not None and is_all and is_positive(found[1].amount, st.known):
        at, entry = found
        st, rest = cx.some_amount(st, "rest")
        st = cx.assume(st, tb.less(rest, entry.amount))
        st = cx.assume(st, tb.equal(wanted.amount, tb.minus(entry.amount, rest)))
        entries = list(st.held.entries(wanted.kind))
        entries[at] = replace(entry, amount=rest, sign=Sign.PLUS)
        return st.leaving(st.held.holding(wanted.kind, tuple(entries)))
    held = total(st, wanted.kind, wanted.index, cx)
    _claim(st, tb.greater(held, tb.NONE), wanted, cx)
    st = cx.assume(st, tb.less(wanted.amount, held))
    return _owe(st, wanted, cx)
