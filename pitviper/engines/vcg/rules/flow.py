"""A body along its control-flow graph, block by block; states are joined where flow meets."""

from __future__ import annotations

from dataclasses import replace

from pitviper.base.record import record
from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.ivl.language import Edge as Way
from pitviper.engines.vcg.rules import evaluate as ev
from pitviper.engines.vcg.rules import execute as statements
from pitviper.engines.vcg.rules.join import join
from pitviper.engines.vcg.rules.loop import end_iteration, enter_loop, leave_loop
from pitviper.engines.vcg.state import State
from pitviper.program import stmt as ps
from pitviper.program.cfg import BasicBlock, BlockId, Edge, FlowGraph, flow_graph
from pitviper.program.expr import Expr
from pitviper.program.print.expressions import text_of
from pitviper.results.finding import Condition
from pitviper.terms import build as tb
from pitviper.terms.term import Term


@record
class Arrival:
    """A state that reaches a block, and the way of the procedure that it comes along."""

    state: State
    way: Way


def execute_body(st: State, body: ps.Block, cx: Context) -> State | None:
    """The state in which flow leaves the body at its end; None if it never does."""
    graph = flow_graph(body)
    if graph.irreducible:
        why = "Jumps into a loop past its head have no invariant to go by."
        cx.unsupported(st, graph.irreducible[0], "Irreducible control flow", why)
        return None
    start = Arrival(st, Way(cx.services.emitter.current))
    arrivals: dict[BlockId, list[Arrival]] = {graph.entry: [start]}
    for name in graph.order:
        arriving = arrivals.pop(name, [])
        if not arriving:
            continue
        st = _arrive(arriving, f"block{name}", cx)
        if name == graph.exit:
            return st
        for target, arrival in _run(st, graph, graph.blocks[name], cx):
            arrivals.setdefault(target, []).append(arrival)
    return None


def _arrive(arriving: list[Arrival], hint: str, cx: Context) -> State:
    """Open a block for what comes from several places, or under a condition."""
    emitter = cx.services.emitter
    first = arriving[0].way
    if len(arriving) > 1 or first.source != emitter.current or first.condition is not tb.TRUE:
        emitter.open_block(emitter.label(hint), tuple([a.way for a in arriving]))
    return joined([a.state for a in arriving])


def _run(
    st: State, graph: FlowGraph, block: BasicBlock, cx: Context
) -> list[tuple[BlockId, Arrival]]:
    if block.ignored is not None:
        cx.warn(block.ignored, "invariants of a label that heads no loop are ignored")
    if block.head is not None:
        st = enter_loop(st, graph, block, cx)
    for statement in block.statements:
        st = statements.execute(st, statement, cx)
    condition = block.edges[0].condition if block.edges else None
    value: Term = tb.TRUE
    if condition is not None:
        error = "while.failed" if isinstance(block.head, ps.While) else "if.failed"
        value = ev.condition(st, condition, cx.proving(error, condition))
        if value.args:  # its terms may wake up triggers, also where the ways meet again
            cx.services.emitter.name("condition", value)
    source = cx.services.emitter.current
    found: list[tuple[BlockId, Arrival]] = []
    for edge in block.edges:
        literal = value if edge.when else tb.negate(value)
        if literal is not tb.FALSE:
            arrival = _decided(st, source, literal, condition, when=edge.when)
            found.extend(_follow(arrival, graph, edge, cx))
    return found


def _decided(
    st: State, source: str, literal: Term, condition: Expr | None, *, when: bool
) -> Arrival:
    """The state behind a decision, where it is no foregone one."""
    if literal is tb.TRUE or condition is None:
        return Arrival(st, Way(source))
    decision = Condition(text_of(condition), condition.span, when)
    after = replace(st.knowing(literal), decisions=(*st.decisions, literal))
    return Arrival(after, Way(source, literal, decision))


def _follow(
    arrival: Arrival, graph: FlowGraph, edge: Edge, cx: Context
) -> list[tuple[BlockId, Arrival]]:
    """Along an edge; one that leaves or repeats a loop has a block of its own."""
    if not edge.leaves and not edge.back:
        return [(edge.target, arrival)]
    st = _arrive([arrival], "back" if edge.back else "exit", cx)
    for _ in edge.leaves:
        st = leave_loop(st, cx)
    if edge.back:
        end_iteration(st, graph.blocks[edge.target], cx)
        return []
    return [(edge.target, Arrival(st, Way(cx.services.emitter.current)))]


# ---------------------------------------------------------------- joins


def joined(states: list[State]) -> State:
    """One state from several: those that parted last are joined first."""
    states = list(states)
    while len(states) > 1:
        a, b = _parted_last(states)
        one, other = states[a], states[b]
        states[a] = _joined_pair(one, other)
        del states[b]
    return states[0]


def _parted_last(states: list[State]) -> tuple[int, int]:
    best, at = -1, (0, 1)
    for a in range(len(states)):
        for b in range(a + 1, len(states)):
            shared = _shared(states[a].decisions, states[b].decisions)
            if shared > best:
                best, at = shared, (a, b)
    return at


def _shared(a: tuple[Term, ...], b: tuple[Term, ...]) -> int:
    size = 0
    while size < len(a) and size < len(b) and a[size] is b[size]:
        size += 1
    return size


def _joined_pair(one: State, other: State) -> State:
    """By the decision where they parted. Flow takes one way only, so that what one way decided is
    enough to tell it from the other."""
    shared = _shared(one.decisions, other.decisions)
    ours, theirs = one.decisions[shared:], other.decisions[shared:]
    if not ours or not theirs:
        raise ValueError("states meet that never parted")
    way, other_way = tb.conjoin(*ours), tb.conjoin(*theirs)
    condition = ours[0] if tb.negate(ours[0]) is theirs[0] else way
    either = tb.disjoin(way, other_way)
    decisions = one.decisions[:shared]
    if either is not tb.TRUE:
        decisions = (*decisions, either)
    return replace(join(condition, one, other), decisions=decisions)
