"""Walks through the flow graph of a body: branches, jumps and loops."""

from __future__ import annotations

from pitviper.base.record import field, replace, struct
from pitviper.engines.concrete.heap.contents import add_heap
from pitviper.engines.concrete.heap.heap import EMPTY_HEAP
from pitviper.engines.concrete.options import Loops
from pitviper.engines.concrete.outcome import Obligation, Passed, Stop
from pitviper.engines.concrete.rules import consume as consume_rules
from pitviper.engines.concrete.rules import consume as contract
from pitviper.engines.concrete.rules import evaluate as rules
from pitviper.engines.concrete.rules import execute as execute_rules
from pitviper.engines.concrete.run import Run
from pitviper.engines.concrete.state import State
from pitviper.program.cfg import BasicBlock, BlockId, Edge, FlowGraph, jumped_over
from pitviper.program.stmt import Block, While
from pitviper.program.walk import assigned_variables


@struct
class Walk:
    """`frames` are the states that the loops under way have set aside, by their heads."""

    graph: FlowGraph
    run: Run
    frames: dict[BlockId, State] = field(default_factory=dict)

    def note(self, st: State) -> None:
        """A state between two statements."""
        self.run.note_state(st, [frame.heap for frame in self.frames.values()])


def run_body(st: State, body: Block, run: Run) -> State:
    """The state at the end of a body."""
    graph = run.facts.graph(body)
    if graph.irreducible:
        run.cannot("a jump into a loop", graph.irreducible[0])
    for variable in jumped_over(body):
        st = st.binding(variable.name, run.hole(variable.type, variable.name))
    walk = Walk(graph, run)
    block = graph.blocks[graph.entry]
    while True:
        for statement in block.statements:
            walk.note(st)
            st = execute_rules.execute(st, statement, run)
        walk.note(st)
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
        st = add_heap(st, walk.frames.pop(head).heap, walk.run)
    if edge.enters:
        return _enter_loop(st, walk.graph.blocks[edge.target], walk)
    if edge.back:
        return _come_back(st, walk.graph.blocks[edge.target], walk)
    return st


def _enter_loop(st: State, head: BasicBlock, walk: Walk) -> State:
    """The body gets what the invariant holds; the rest waits as the frame of the loop."""
    run = walk.run
    run.note_loss()
    if isinstance(head.head, While) and head.head.decreases:
        run.unchecked["decreases"] = None
    consumed = contract.exhale_clauses(st, head.invariants, "invariant.not.established", run)
    walk.frames[head.id] = consumed.state
    if run.options.loops is Loops.ITERATE:
        return _start_iteration(st, consumed, head, walk)
    run.forget_the_rest()
    inside = _havoc_variables(consumed.state.on(EMPTY_HEAP), head, walk)
    return contract.inhale_clauses(inside, head.invariants, None, run)


def _come_back(st: State, head: BasicBlock, walk: Walk) -> State:
    consumed = contract.exhale_clauses(st, head.invariants, "invariant.not.preserved", walk.run)
    if walk.run.options.loops is Loops.ARBITRARY:
        raise Stop(Passed(tuple(walk.run.unchecked)))
    return _start_iteration(st, consumed, head, walk)


def _start_iteration(
    st: State, consumed: consume_rules.Consumed, head: BasicBlock, walk: Walk
) -> State:
    """What the invariant held is there, nothing else; labels inside have not been passed."""
    walk.run.forget_the_rest()
    old = walk.frames[head.id].old
    start = replace(st, old=old, outer=consumed.state.outer)
    return contract.inhale_alone(start, head.invariants, consumed.contents, walk.run)


def _havoc_variables(st: State, head: BasicBlock, walk: Walk) -> State:
    """Variables that the loop assigns and does not declare get arbitrary values."""
    inside = [walk.graph.blocks[block] for block in walk.graph.loops[head.id]]
    body = Block(tuple([s for block in inside for s in block.statements]))
    for variable in assigned_variables(body):
        st = st.binding(variable.name, walk.run.hole(variable.type, variable.name))
    return st
