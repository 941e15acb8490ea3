"""Merging states where branches end (paper, 6.1), so that n conditionals do not cost 2^n paths.

Two states are merged only if their heaps hold the same chunks with the same amounts, and differ at
most in values: then nothing is lost, and no amount becomes conditional.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pitviper.solver.session import Path
from pitviper.symbolic.chunk import Chunk
from pitviper.symbolic.heap import Heap
from pitviper.symbolic.outcomes import exported, guard_since
from pitviper.symbolic.state import State
from pitviper.terms import build as tb
from pitviper.terms.term import Term


def merged(states: Sequence[State]) -> list[State]:
    """As few states as possible that stand for the given ones."""
    result: list[State] = []
    for state in states:
        for at, other in enumerate(result):
            both = merge_two(other, state)
            if both is not None:
                result[at] = both
                break
        else:
            result.append(state)
    return result


def merge_two(a: State, b: State) -> State | None:
    """One state for both, or None if their heaps do not fit together."""
    if (a.old, a.frames, a.outers) != (b.old, b.frames, b.outers) or a.left is not b.left:
        return None
    base = common_part(a.path, b.path)
    condition = guard_since(base, a.path)
    if condition is tb.TRUE:
        return None  # nothing tells the two apart
    heap = _merge_heaps(condition, a.heap, b.heap)
    if heap is None:
        return None
    path = exported(base, base, a.path)
    path = exported(path, base, b.path)
    path = path.assume(tb.disjoin(condition, guard_since(base, b.path)))
    return State(
        _merge_stores(condition, a.store, b.store), heap, path, a.old, a.left, a.frames, a.outers
    )


def common_part(a: Path, b: Path) -> Path:
    """The longest path that both extend."""
    while a is not b:
        if a.length == b.length == 0:
            return a
        if a.length >= b.length:
            assert a.older is not None
            a = a.older
        else:
            assert b.older is not None
            b = b.older
    return a


def _merge_stores(condition: Term, a: Mapping[str, Term], b: Mapping[str, Term]) -> dict[str, Term]:
    """A variable that only one side knows is out of scope from here on."""
    return {name: tb.ite(condition, a[name], b[name]) for name in a if name in b}


def _merge_heaps(condition: Term, a: Heap, b: Heap) -> Heap | None:
    if a is b:
        return a
    if set(a.resources()) != set(b.resources()):
        return None
    if not _same_quantified(a, b):
        return None
    result = {}
    for resource in a.resources():
        mine, theirs = a.of(resource), b.of(resource)
        chunks = _merge_chunks(condition, mine, theirs)
        if chunks is None:
            return None
        result[resource] = chunks
    wide = {r: a.quantified(r) for r in a.quantified_resources()}
    return Heap(result, wide)


def _same_quantified(a: Heap, b: Heap) -> bool:
    """Quantified chunks must be the same: maps are not merged."""
    resources = a.quantified_resources()
    return set(resources) == set(b.quantified_resources()) and all(
        a.quantified(r) == b.quantified(r) for r in resources
    )


def _merge_chunks(
    condition: Term, mine: tuple[Chunk, ...], theirs: tuple[Chunk, ...]
) -> tuple[Chunk, ...] | None:
    if mine is theirs:
        return mine
    if len(mine) != len(theirs):
        return None
    remaining = list(theirs)
    result = []
    for chunk in mine:
        twin = next(
            (c for c in remaining if c.args == chunk.args and c.amount is chunk.amount), None
        )
        if twin is None:
            return None
        remaining.remove(twin)
        value = tb.ite(condition, chunk.value, twin.value)
        result.append(Chunk(chunk.resource, chunk.args, value, chunk.amount))
    return tuple(result)
