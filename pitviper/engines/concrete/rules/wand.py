"""Package and apply of magic wands.

NOTE(footprint). A package runs its script once, on a left-hand side of which nothing is known. What
the script and the right-hand side take from outside is the footprint. If no value of the left-hand
side had to be decided on the way, the footprint is the same for all left-hand sides, and the wand
keeps it together with the script. Otherwise the footprint cannot be computed by one run. To apply
the wand is to run the script again, now on the real left-hand side.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from pitviper.base.record import names_of, replace
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
    WandAt,
    part_of,
)
from pitviper.engines.concrete.outcome import Failed, Stop
from pitviper.engines.concrete.rules import consume as consume_rules
from pitviper.engines.concrete.rules import evaluate as rules
from pitviper.engines.concrete.rules import flow
from pitviper.engines.concrete.rules import produce as produce_rules
from pitviper.engines.concrete.run import Run
from pitviper.engines.concrete.state import LHS, State
from pitviper.engines.shared.values import Value
from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program.assertion import Wand
from pitviper.program.member import Program
from pitviper.program.node import Node
from pitviper.program.stmt import Block
from pitviper.program.walk import children, descendants


def package_wand(st: State, wand: Wand, script: Block, run: Run) -> State:
    """The wand, for what its right-hand side needs beyond the left-hand side."""
    resource = resource_of(st, wand, run)
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


def apply_wand(st: State, wand: Wand, run: Run, *, is_kept: bool = True) -> State:
    """Give up the wand and its left-hand side, get its right-hand side.

    `is_kept` where that is only supposed.
    """
    resource = resource_of(st, wand, run)
    before = st.whole_heap()
    taken = consume_rules.take(st, resource, ONE, wand, run)
    closures = taken.content
    assert isinstance(closures, Closures)
    if not is_kept and run.moment is not None and not st.outer:
        run.applied[closures.items[-1].number] = run.moment
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


_BINDERS = (pe.Forall, pe.Exists, pe.ForPerm, pa.QuantifiedPermission)
_LETS = (pe.Let, pa.Binding)
_NO_VALUE = (
    pa.Access, pa.Wand, pa.Star, pa.Guarded, pa.Choice, pa.QuantifiedPermission, pa.Binding,
    pa.InhaleExhale, pa.FieldLocation, pa.PredicateLocation, pe.Trigger,
)  # fmt: skip
_ON_HEAP = (
    pe.FieldRead, pe.CurrentPerm, pe.ForPerm, pe.Unfolding, pe.Applying, pe.Asserting,
)  # fmt: skip
_PERMISSIONS = (pa.Access, pa.QuantifiedPermission)


def resource_of(st: State, wand: pa.Wand, run: Run) -> WandAt:
    """The largest parts that depend neither on the heap nor on bound variables become gaps."""
    maker = _ShapeMaker(st, run)
    shape = maker.shape(wand, {})
    assert isinstance(shape, pa.Wand)
    return WandAt(shape, tuple(maker.values))


class _ShapeMaker:
    def __init__(self, st: State, run: Run) -> None:
        self.st = st
        self.run = run
        self.values: list[Value] = []

    def shape(self, node: Node, bound: Mapping[str, str]) -> Node:
        if isinstance(node, pe.Var) and node.name in bound:
            return replace(node, name=bound[node.name])
        if not isinstance(node, _NO_VALUE) and self.is_gap(node, bound):
            return self.gap(node)  # type: ignore[arg-type]  # what has a value is an expression
        return self.inside(node, bound)

    def is_gap(self, node: Node, bound: Mapping[str, str]) -> bool:
        if isinstance(node, pe.PermLit):
            return node.value is not pe.PermConstant.WILDCARD
        return self.run.facts.free(node).isdisjoint(bound) and not _on_heap(node, self.run.program)

    def gap(self, e: pe.Expr) -> Node:
        """A value that is not defined is none of the wand's business before it is applied."""
        found = self.run.attempt(lambda: self.values.append(rules.evaluate(self.st, e, self.run)))
        if isinstance(found, Failed):
            self.run.cannot("a part of a wand is not well-defined", e)
        if found is not None:
            raise Stop(found)
        return pe.Var("", e.type)

    def inside(self, node: Node, bound: Mapping[str, str]) -> Node:
        if isinstance(node, _BINDERS):
            bound = {
                **bound,
                **{v.name: f"@{len(bound) + i}" for i, v in enumerate(node.variables)},
            }
        elif isinstance(node, _LETS):
            bound = {**bound, node.variable.name: f"@{len(bound)}"}
        values = {name: self.part(getattr(node, name), bound) for name in names_of(node)}
        if "triggers" in values:
            values["triggers"] = ()
        return type(node)(**values)  # type: ignore[arg-type]  # its own fields, rebuilt

    def part(self, value: object, bound: Mapping[str, str]) -> object:
        if isinstance(value, Node):
            return self.shape(value, bound)
        if isinstance(value, tuple):
            return tuple([self.part(item, bound) for item in value])
        return value


def _on_heap(node: Node, program: Program) -> bool:
    """Whether a value depends on the current heap; old heaps do not change."""
    todo = [node]
    while todo:
        inner = todo.pop()
        if _is_on_heap(inner, program):
            return True
        if not isinstance(inner, pe.Old):
            todo.extend(children(inner))
    return False


def _is_on_heap(node: Node, program: Program) -> bool:
    match node:
        case pe.FunctionApp(name):
            needed = program.functions[name].preconditions
            return any(isinstance(n, _PERMISSIONS) for p in needed for n in descendants(p))
        case pe.Old(label):
            return label == LHS
        case _:
            return isinstance(node, _ON_HEAP)
