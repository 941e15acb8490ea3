"""Package and apply of magic wands.

NOTE(footprint). A package runs its script once, on a left-hand side of which nothing is known. What
the script and the right-hand side take from outside is the footprint. If no value of the left-hand
side had to be decided on the way, the footprint is the same for all left-hand sides, and the wand
keeps it together with the script. Otherwise the footprint cannot be computed by one run. To apply
the wand is to run the script again, now on the real left-hand side.
"""

from __future__ import annotations

from fractions import Fraction

from pitviper.base.record import replace
from pitviper.engines.concrete.heap.contents import add_chunk, content_key
from pitviper.engines.concrete.heap.heap import (
    EMPTY_HEAP,
    ONE,
    Chunk,
    Closure,
    Closures,
    Content,
    Heap,
    Packaged,
    Resource,
    Snapshot,
    part_of,
)
from pitviper.engines.concrete.outcome import Failed, Stop
from pitviper.engines.concrete.rules import consume as consume_rules
from pitviper.engines.concrete.rules import flow, shape
from pitviper.engines.concrete.rules import produce as produce_rules
from pitviper.engines.concrete.run import Run
from pitviper.engines.concrete.state import LHS, State
from pitviper.program.assertion import Wand
from pitviper.program.stmt import Block


def package_wand(st: State, wand: Wand, script: Block, run: Run) -> State:
    """The wand, for what its right-hand side needs beyond the left-hand side."""
    resource = shape.resource_of(st, wand, run)
    holes, decided = len(run.unknowns), len(run.decided)
    inner = replace(st, heap=EMPTY_HEAP, outer=(st.heap, *st.outer), exhaled=None)
    ended = _run_script(inner, wand, script, None, run)
    if any(hole.number >= holes for hole in run.decided[decided:]):
        run.cannot("the footprint of the wand may depend on its left-hand side", wand)
    outside = replace(st, heap=ended.state.outer[0], outer=ended.state.outer[1:])
    footprint = _difference((st.heap, *st.outer), ended.state.outer)
    packaged = Packaged(wand, script, footprint, st.store, st.old)
    closures = Closures((Closure(run.memo.next_wand(), packaged),))
    return add_chunk(outside, resource, Chunk(ONE, closures), run)


def _run_script(
    st: State, wand: Wand, script: Block, left: Snapshot | None, run: Run
) -> consume_rules.Consumed:
    """Left-hand side in, script, right-hand side out."""
    st = produce_rules.produce(st, wand.left, run, left)
    st = replace(st, old={**st.old, LHS: st.heap})
    st = flow.run_body(st, script, run)
    return consume_rules.consume(st, wand.right, run)


def _difference(before: tuple[Heap, ...], after: tuple[Heap, ...]) -> Heap:
    """What the heaps had before and have no longer."""
    chunks: dict[Resource, Chunk] = {}
    for old, new in zip(before, after, strict=True):
        for resource, chunk in old.chunks.items():
            gone = chunk.amount - new.amount(resource)
            if gone > 0:
                more = chunks.get(resource)
                amount = gone if more is None else gone + more.amount
                chunks[resource] = Chunk(amount, _joined(chunk, gone, more))
    return Heap(chunks)


def _joined(chunk: Chunk, gone: Fraction, more: Chunk | None) -> Content:
    content = part_of(chunk, gone)
    if isinstance(content, Closures) and more is not None and isinstance(more.content, Closures):
        return Closures((*more.content.items, *content.items))
    return content


def apply_wand(st: State, wand: Wand, run: Run) -> State:
    """Give up the wand and its left-hand side, get its right-hand side."""
    resource = shape.resource_of(st, wand, run)
    before = st.whole_heap()
    taken = consume_rules.take(st, resource, ONE, wand, run)
    closures = taken.content
    assert isinstance(closures, Closures)
    left = consume_rules.consume(taken.state, wand.left, run)
    right = _right_side(closures.items[-1], left.contents, run)
    given = replace(left.state, old={**st.old, LHS: before}, exhaled=None)
    gained = produce_rules.produce(given, wand.right, run, right)
    return replace(gained, old=st.old, exhaled=st.exhaled, assuming=st.assuming)


def _right_side(closure: Closure, given: dict[Resource, Content], run: Run) -> Snapshot:
    """What comes out of a wand depends on what is put in, and on nothing else."""
    contents = frozenset([(r, content_key(c, run)) for r, c in given.items()])
    key = (closure.number, contents)
    if key not in run.memo.wands:
        if closure.package is None:
            run.memo.wands[key] = run.snapshot()
        else:
            left = run.snapshots.holding(dict(given), run.objects.allocations)
            run.memo.wands[key] = _apply_packaged(closure.package, left, run)
    return run.memo.wands[key]


def _apply_packaged(packaged: Packaged, left: Snapshot, run: Run) -> Snapshot:
    """Nothing can fail that did not fail in the package, unless the footprint was another one."""
    st = State(packaged.store, packaged.footprint, packaged.old)
    with run.nested():
        ended = run.attempt(lambda: _run_script(st, packaged.wand, packaged.script, left, run))
    if isinstance(ended, Failed):
        run.cannot("the footprint of the wand depends on its left-hand side", packaged.wand)
    if not isinstance(ended, consume_rules.Consumed):
        raise Stop(ended)
    return run.snapshots.holding(ended.contents, run.objects.allocations)
