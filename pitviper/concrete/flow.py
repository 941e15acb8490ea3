"""Walks through the flow graph of a body: branches, jumps and loops."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pitviper.concrete import consume as consume_rules
from pitviper.concrete import evaluate as rules
from pitviper.concrete import execute as execute_rules
from pitviper.concrete import produce as produce_rules
from pitviper.concrete.heap import EMPTY_HEAP, Content, Heap, Resource
from pitviper.concrete.obligation import Obligation
from pitviper.concrete.options import Loops
from pitviper.concrete.outcome import Passed, Stop
from pitviper.concrete.ownership import add_heap
from pitviper.concrete.run import Run
from pitviper.concrete.state import State
from pitviper.program.assertion import Assertion
from pitviper.program.cfg import BasicBlock, BlockId, Edge, FlowGraph
from pitviper.program.free_vars import assigned_variables
from pitviper.program.stmt import Block, Label, While


@dataclass(slots=True)
class Walk:
    """`frames` are the heaps that the loops under way have set aside, by their heads."""

    graph: FlowGraph
    run: Run
    frames: dict[BlockId, Heap] = field(default_factory=dict)


def run_body(st: State, body: Block, run: Run) -> State:
    """The state at the end of a body."""
    graph = run.facts.graph(body)
    if graph.irreducible:
        run.cannot("a jump into a loop", graph.irreducible[0])
    walk = Walk(graph, run)
    block = graph.blocks[graph.entry]
    while True:
        for statement in block.statements:
            st = execute_rules.execute(st, statement, run)
        if block.id == graph.exit:
            return st
        edge = _next_edge(st, block, run)
        st = _cross(st, edge, walk)
        block = graph.blocks[edge.target]


def _next_edge(st: State, block: BasicBlock, run: Run) -> Edge:
    run.tick()
    condition = block.edges[0].condition
    if condition is None:
        return block.edges[0]
    is_loop = isinstance(block.head, While)
    error = "while.failed" if is_loop else "if.failed"
    with run.proving(Obligation(error, condition.span, run.member)):
        holds = rules.boolean(st, condition, run)
    return next(edge for edge in block.edges if edge.when == holds)


def _cross(st: State, edge: Edge, walk: Walk) -> State:
    """Loops that are left give back what they had set aside."""
    for head in edge.leaves:
        st = add_heap(st, walk.frames.pop(head), walk.run)
    if edge.enters:
        return _enter_loop(st, walk.graph.blocks[edge.target], walk)
    if edge.back:
        return _come_back(st, walk.graph.blocks[edge.target], walk)
    return st


def _enter_loop(st: State, head: BasicBlock, walk: Walk) -> State:
    """The body gets what the invariant holds; the rest waits as the frame of the loop."""
    run = walk.run
    _note_measures(head.head, run)
    consumed = _exhale_invariants(st, head, "invariant.not.established", run)
    walk.frames[head.id] = consumed.state.heap
    inside = replace(st, heap=EMPTY_HEAP, outer=consumed.state.outer)
    if run.options.loops is Loops.ITERATE:
        return _inhale_invariants(inside, head, consumed.contents, run)
    return _inhale_invariants(_havoc_variables(inside, head, walk), head, None, run)


def _note_measures(head: While | Label | None, run: Run) -> None:
    if isinstance(head, While) and head.decreases:
        run.unchecked["decreases"] = None


def _come_back(st: State, head: BasicBlock, walk: Walk) -> State:
    consumed = _exhale_invariants(st, head, "invariant.not.preserved", walk.run)
    if walk.run.options.loops is Loops.ARBITRARY:
        raise Stop(Passed(tuple(walk.run.unchecked)))
    inside = replace(st, heap=EMPTY_HEAP, outer=consumed.state.outer)
    return _inhale_invariants(inside, head, consumed.contents, walk.run)


def _exhale_invariants(st: State, head: BasicBlock, error: str, run: Run) -> consume_rules.Consumed:
    clauses = [(clause, _about(error, clause, run)) for clause in head.invariants]
    return consume_rules.consume_clauses(st, clauses, run)


def _about(error: str, clause: Assertion, run: Run) -> Obligation:
    return Obligation(error, clause.span, run.member, (clause,), run.obligation.origin)


def _inhale_invariants(
    st: State, head: BasicBlock, contents: dict[Resource, Content] | None, run: Run
) -> State:
    source = None
    if contents is not None:
        source = run.snapshots.holding(contents, run.objects.allocations)
    for clause in head.invariants:
        with run.proving(_about("not.wellformed", clause, run)):
            st = produce_rules.produce(st, clause, run, source)
    return st


def _havoc_variables(st: State, head: BasicBlock, walk: Walk) -> State:
    """Variables that the loop assigns and does not declare get arbitrary values."""
    inside = [walk.graph.blocks[block] for block in walk.graph.loops[head.id]]
    body = Block(tuple([s for block in inside for s in block.statements]))
    for variable in assigned_variables(body):
        st = st.binding(variable.name, walk.run.hole(variable.type, variable.name))
    return st
