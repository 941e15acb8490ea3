"""Merging states where branches end (paper, 6.1), so that n conditionals do not cost 2^n paths.

Two states are merged if their heaps hold the same chunks with the same amounts, and differ at most
in values: then nothing is lost, and no amount becomes conditional.

NOTE(pressure). States whose heaps differ in what they hold stay apart as long as they are few:
amounts that depend on a condition make every later question about them harder. If more than `MANY`
remain, their number would double with each conditional to come, and they are merged all the same: a
chunk that only one of the two has is then held under its condition. Example:

    if (c) { exhale acc(x.f) }   // one state holds x.f, the other does not
    n := n + 1                   // few states: executed in each of them
    // with more than MANY of them: one state that holds `c ? none : write` of x.f

A member in which that happened once has many such conditionals: from then on `FEW` are enough.

NOTE(one of several). The two need not be all that got here: others may stay apart. That flow took
one of these two ways is a condition of the merged state, as those of its parts were: what it knows
holds under that condition, and it is told by it from the others when it meets them later. Example:

    if (a) { n := 1 } elseif (b) { n := 2 } else { exhale acc(x.f) }
    // the first two hold the same chunks: merged, with n = (a ? 1 : 2), on the condition `a || b`
    // the third stays apart, on the condition `!(a || b)`
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence

from pitviper.base.record import record
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.merge import (
    Merging,
    definitions_since,
    is_same_shape,
    merged_heap,
)
from pitviper.engines.symbolic.outcomes import exported
from pitviper.engines.symbolic.rules.conditions import either, exclude, ways_of
from pitviper.engines.symbolic.state import State
from pitviper.solver.session import FactKind, Path
from pitviper.terms import build as tb
from pitviper.terms.term import Term

MANY = 32
"""States at one place that are still kept apart."""

FEW = 8
"""The same, once there have been more than many."""


@record
class _Pair:
    """Two states, the path that both extend, the condition under which the first is meant, and the
    one under which any of the two is."""

    a: State
    b: State
    base: Path
    condition: Term
    either: Term


def merged(states: Sequence[State], cx: Context) -> list[State]:
    """As few states as possible that stand for the given ones."""
    result = _merged_where(states, cx, forced=False)
    log = cx.services.log
    if len(result) <= (FEW if log.crowded else MANY):
        return result
    log.crowded = True
    before = len(result) + 1
    while FEW < len(result) < before:
        before = len(result)
        result = _merged_where(result, cx, forced=True)
    return result


class _Walked:
    """What paths consist of; every path is walked once, whatever number it is paired with."""

    def __init__(self) -> None:
        self._entries: dict[Path, list[Path]] = {}
        self._branches: dict[Path, list[Path]] = {}

    def common_part(self, a: Path, b: Path) -> Path:
        """The longest path that both extend: from there on, no entry of one is one of the other."""
        ours, theirs = self._walk(a), self._walk(b)
        shared = range(min(len(ours), len(theirs)))
        parted = bisect_left(shared, 1, key=lambda at: int(ours[at] is not theirs[at]))
        return ours[parted - 1] if parted else Path()

    def branches_since(self, base: Path, path: Path) -> list[Term]:
        """The conditions of the branches after `base`, which is an older part of the path."""
        self._walk(path)
        found = self._branches[path]
        later = bisect_right(found, base.length, key=lambda entry: entry.length)
        return [entry.fact for entry in found[later:]]

    def _walk(self, path: Path) -> list[Path]:
        entries = self._entries.get(path)
        if entries is None:
            entries = self._entries[path] = list(path)
            self._branches[path] = [e for e in entries if e.kind is FactKind.BRANCH]
        return entries


def _merged_where(states: Sequence[State], cx: Context, *, forced: bool) -> list[State]:
    result: list[State] = []
    walked = _Walked()
    for state in states:
        for at, other in enumerate(result):
            both = _merge_two(other, state, walked, cx, forced=forced)
            if both is not None:
                result[at] = both
                break
        else:
            result.append(state)
    return result


def _merge_two(a: State, b: State, walked: _Walked, cx: Context, *, forced: bool) -> State | None:
    """One state for both, or None if they do not fit together."""
    if (a.old, a.frames, a.outers) != (b.old, b.frames, b.outers) or a.left is not b.left:
        return None
    alike = is_same_shape(a.heap, b.heap)
    if not alike and (not forced or a.outers):
        return None  # in a package, what is held conditionally would blur its footprint
    base = walked.common_part(a.path, b.path)
    merges = cx.services.merges
    taken = walked.branches_since(base, a.path)
    ours, theirs = ways_of(taken, merges), ways_of(walked.branches_since(base, b.path), merges)
    if ours is None or theirs is None or not exclude(ours, theirs):
        return None  # nothing tells the two apart
    any_of_both = either(ours, theirs, merges)
    condition = tb.conjoin(*taken)
    if not alike and any_of_both is not tb.TRUE:
        return None  # amounts depend on one decision, not on several
    return _merge(_Pair(a, b, base, condition, any_of_both), cx)


def _merge(pair: _Pair, cx: Context) -> State:
    a, b, base, condition = pair.a, pair.b, pair.base, pair.condition
    path = base if pair.either is tb.TRUE else base.branch(pair.either)
    path = exported(path, base, a.path)
    path = exported(path, base, b.path)
    merging = Merging(condition, a.on(path), cx, definitions_since(base, a.path, b.path))
    heap = merged_heap(merging, a.heap, b.heap)
    store = _merge_stores(merging, a.store, b.store)
    return State(store, heap, merging.state.path, a.old, a.left, a.frames, a.outers)


def _merge_stores(m: Merging, a: Mapping[str, Term], b: Mapping[str, Term]) -> dict[str, Term]:
    """A variable that only one side knows is out of scope from here on."""
    return {name: m.choice(a[name], b[name]) for name in a if name in b}
