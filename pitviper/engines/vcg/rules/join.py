"""Joins: one state from two, by the condition that separates them."""

from __future__ import annotations

from pitviper.base.record import replace
from pitviper.engines.vcg.heap.entry import AnyEntry, Entry, Index, Kind, QuantifiedEntry, Sign
from pitviper.engines.vcg.state import Heap, LabelRecord, State
from pitviper.terms import build as tb
from pitviper.terms.term import Term

Entries = tuple[AnyEntry, ...]


def choose(condition: Term, then: State, other: State, base: State) -> State:
    """Back from the two arms of a condition inside an assertion: `base` with what became of the
    heap in either."""
    heap = join_heaps(condition, then.heap, other.heap)
    left = None
    if then.left is not None and other.left is not None:
        left = join_heaps(condition, then.left, other.left)
    known = (then.known & other.known) | base.known | then.lasting | other.lasting
    transferred = _join_transferred(condition, then, other)
    return replace(base, heap=heap, left=left, known=known, transferred=transferred)


def join(condition: Term, then: State, other: State) -> State:
    """One state where flow meets; variables that only one of them has are gone."""
    store = {
        name: tb.ite(condition, value, other.store[name])
        for name, value in then.store.items()
        if name in other.store
    }
    frames = tuple(
        [join_heaps(condition, a, b) for a, b in zip(then.frames, other.frames, strict=True)]
    )
    labels = {
        name: _join_labels(condition, then.labels.get(name), other.labels.get(name))
        for name in {**then.labels, **other.labels}
    }
    ages = {
        term: max(age, other.ages[term]) for term, age in then.ages.items() if term in other.ages
    }
    return State(
        store,
        join_heaps(condition, then.heap, other.heap),
        None,
        labels,
        tb.TRUE,
        then.known & other.known,
        _common(then.decisions, other.decisions),
        frames,
        ages,
        _join_transferred(condition, then, other),
    )


def _join_transferred(condition: Term, a: State, b: State) -> dict[tuple[Kind, Index], Term]:
    return {
        place: tb.ite(
            condition, a.transferred.get(place, tb.NONE), b.transferred.get(place, tb.NONE)
        )
        for place in {**a.transferred, **b.transferred}
    }


def _common(a: tuple[Term, ...], b: tuple[Term, ...]) -> tuple[Term, ...]:
    size = 0
    while size < len(a) and size < len(b) and a[size] is b[size]:
        size += 1
    return a[:size]


def _join_labels(condition: Term, a: LabelRecord | None, b: LabelRecord | None) -> LabelRecord:
    if a is b and a is not None:
        return a
    if b is None:
        assert a is not None
        return LabelRecord(a.heap, tb.conjoin(condition, a.passed))
    if a is None:
        return LabelRecord(b.heap, tb.conjoin(tb.negate(condition), b.passed))
    heap = join_heaps(condition, a.heap, b.heap)
    return LabelRecord(heap, tb.ite(condition, a.passed, b.passed))


# ---------------------------------------------------------------- heaps


def join_heaps(condition: Term, a: Heap, b: Heap) -> Heap:
    """One heap from two; where a cut stands on one of the ways, they begin with other values.

    Then kinds that neither knows have any values, named after both: an execution takes one way, so
    that wherever heaps of these two beginnings meet, it is the same one that counts.
    """
    if a is b:
        return a
    base, kinds = a.base, [*a.values, *b.values]
    if a.base != b.base:
        base, kinds = f"{a.base} or {b.base}", [*kinds, *a.perms, *b.perms]
    values: dict[Kind, Term] = {}
    for kind in dict.fromkeys(kinds):
        values[kind] = tb.ite(condition, a.array(kind), b.array(kind))
    perms: dict[Kind, Entries] = {}
    for kind in {**a.perms, **b.perms}:
        perms[kind] = join_entries(condition, a.entries(kind), b.entries(kind))
    return Heap(base, values, perms)


def join_entries(condition: Term, ours: Entries, theirs: Entries) -> Entries:
    """Entries that both sides have come first, so that sums share their beginning."""
    if ours is theirs:
        return ours
    size = 0
    while size < len(ours) and size < len(theirs) and ours[size] == theirs[size]:
        size += 1
    rest = list(theirs[size:])
    joined: list[AnyEntry] = list(ours[:size])
    for entry in ours[size:]:
        partner = _partner(entry, rest)
        if partner is None:
            joined.append(entry.when(condition))
        else:
            rest.remove(partner)
            joined.append(_merged(condition, entry, partner))
    negated = tb.negate(condition)
    joined.extend([entry.when(negated) for entry in rest])
    return tuple(joined)


def _partner(entry: AnyEntry, others: list[AnyEntry]) -> AnyEntry | None:
    if entry in others:
        return entry
    if isinstance(entry, QuantifiedEntry):
        return None
    for other in others:
        if isinstance(other, Entry) and other.index == entry.index:
            return other
    return None


def _merged(condition: Term, a: AnyEntry, b: AnyEntry) -> AnyEntry:
    if a == b or isinstance(a, QuantifiedEntry) or isinstance(b, QuantifiedEntry):
        return a
    amount = tb.ite(condition, a.amount, b.amount)
    sign = a.sign if a.sign is b.sign else Sign.OPEN
    value = None
    if a.value is not None and b.value is not None:
        value = tb.ite(condition, a.value, b.value)
    return Entry(a.index, amount, sign, value)
