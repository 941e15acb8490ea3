"""Execution of a body along its control-flow graph, with loops and merged states."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.ghost import hooks
from pitviper.engines.symbolic.ghost.hooks import before_loop, end_of_loop
from pitviper.engines.symbolic.heap.access import add
from pitviper.engines.symbolic.heap.chunk import EMPTY, Heap
from pitviper.engines.symbolic.outcomes import branch, in_order
from pitviper.engines.symbolic.provenance import MovesPermission, Step
from pitviper.engines.symbolic.quantified.access import add_quantified_chunk
from pitviper.engines.symbolic.rules.clauses import check_exhaled, produce_clauses
from pitviper.engines.symbolic.rules.merge import merged
from pitviper.engines.symbolic.state import State
from pitviper.program import stmt as ps
from pitviper.program.cfg import BasicBlock, Edge, FlowGraph, flow_graph, loop_targets
from pitviper.program.node import Node
from pitviper.terms.term import Term


def execute_body(st: State, body: ps.Block, cx: Context) -> list[State]:
    """The states in which flow leaves the body at its end.

    Blocks run in an order in which all edges but those back to a loop head go forward, so all
    states that reach a block are there when it runs, and can be merged.
    """
    graph = flow_graph(body)
    if graph.irreducible:
        cx.give_up(graph.irreducible[0], "flow enters this loop past its head")
        return []
    waiting: dict[int, list[State]] = {graph.entry: [st]}
    for name in graph.order:
        states = waiting.pop(name, [])
        if len(states) > 1 and cx.services.options.join:
            states = _merged(states, _first(graph.blocks[name], body), cx)
        if name == graph.exit:
            return states
        live = [s for s in states if s.outers or not s.is_over]
        is_head = graph.blocks[name].head is not None
        starts = enter_loop(live, graph, graph.blocks[name], cx) if is_head else iter(live)
        for start in starts:
            for target, after in _run_block(start, graph, graph.blocks[name], cx):
                waiting.setdefault(target, []).append(after)
    return []


def _merged(states: list[State], node: Node, cx: Context) -> list[State]:
    result = merged(states, cx)
    if cx.services.recorder is not None and len(result) < len(states):
        cx.services.recorder.merged(states, node, result)
    return result


def _first(block: BasicBlock, body: ps.Block) -> Node:
    """A place that stands for a block."""
    return block.head or (block.statements[0] if block.statements else body)


def _run_block(
    st: State, graph: FlowGraph, block: BasicBlock, cx: Context
) -> Iterator[tuple[int, State]]:
    for end in in_order(st, block.statements, lambda s1, s: _step(s1, s, cx)):
        yield from _follow_edges(end, graph, block, cx)


def _step(st: State, s: ps.Stmt, cx: Context) -> Iterator[State]:
    """A path that is over stays so; inside a package it still counts for what was moved in."""
    if st.is_over:
        return iter((st,)) if st.outers else iter(())
    cx.services.log.at = s
    states = hooks.execute_helped(st, s, cx)
    if cx.services.recorder is not None:
        states = cx.services.recorder.following("execute", st, s, states)
    return _remembered(st, s, states, cx) if isinstance(s, MovesPermission) else states


def _remembered(
    st: State, s: MovesPermission | ps.While | ps.Label, states: Iterator[State], cx: Context
) -> Iterator[State]:
    """The states after a statement, remembered in case some permission is missed later."""
    for after in states:
        cx.services.log.steps.append(Step(s, st.heap, after))
        yield after


def _follow_edges(
    st: State, graph: FlowGraph, block: BasicBlock, cx: Context
) -> Iterator[tuple[int, State]]:
    condition = block.edges[0].condition if block.edges else None
    if condition is None:
        for edge in block.edges:
            yield from _follow(st, graph, edge, cx)
        return
    cx.services.log.at = condition
    error = "while.failed" if isinstance(block.head, ps.While) else "if.failed"
    inner = cx.proving(error, condition)
    for s1, value in hooks.evaluate_helped(st, condition, block, inner):
        for s2, taken in branch(s1, value, condition, cx):
            for edge in block.edges:
                if edge.when is taken:
                    yield from _follow(s2, graph, edge, cx)


def _follow(st: State, graph: FlowGraph, edge: Edge, cx: Context) -> Iterator[tuple[int, State]]:
    for _ in edge.leaves:
        st = leave_loop(st, cx)
    if edge.back:
        _end_iteration(st, graph.blocks[edge.target], cx)
    else:
        yield edge.target, st


# ---------------------------------------------------------------- loops


def enter_loop(
    states: list[State], graph: FlowGraph, block: BasicBlock, cx: Context
) -> Iterator[State]:
    """Give up the invariant, set the rest aside, forget what the loop assigns, get the invariant.

    The resulting states are those at the head in any iteration. States that differed in what the
    invariant takes may be the same without it.
    """
    reported = cx.reported
    entered: list[State] = []
    for st in states:
        _head_states(st, graph, block, cx)
        ill_formed = cx.reported > reported
        entered += _established(st, block, cx)
        if ill_formed:
            return  # without a meaning it says nothing about an iteration
    if len(entered) > 1 and cx.services.options.join:
        entered = _merged(entered, block.head or block.invariants[0], cx)
    for st in entered:
        heads = iter(_head_states(st, graph, block, cx.trusting()))
        yield from heads if block.head is None else _remembered(st, block.head, heads, cx)


def _established(st: State, block: BasicBlock, cx: Context) -> list[State]:
    """The invariant holds on entry; what it does not take is left."""
    error = "invariant.not.established"
    clauses = hooks.Clauses(block.invariants, error, None, before_loop(block))
    judged = cx.trusting_contract(*block.invariants)
    return [s1.settled() for s1 in hooks.consume_helped(st, clauses, judged)]


def _head_states(st: State, graph: FlowGraph, block: BasicBlock, cx: Context) -> list[State]:
    """Any iteration: only what the invariant gives, and nothing known about what is assigned."""
    store = {**st.store, **_havocked(graph, block, st, cx)}
    inside = st.storing(store).framed((*st.frames, st.heap)).holding(EMPTY)
    inner = cx.assuming_from("loop invariant")
    check_exhaled(inside, block.invariants, "not.wellformed", inner)
    return list(produce_clauses(inside, block.invariants, None, "not.wellformed", inner))


def _end_iteration(st: State, head: BasicBlock, cx: Context) -> None:
    """Back at the head: the invariant must hold again, and the path ends."""
    error = "invariant.not.preserved"
    clauses = hooks.Clauses(head.invariants, error, None, end_of_loop(head))
    for _ in hooks.consume_helped(st, clauses, cx.trusting_contract(*head.invariants)):
        pass


def leave_loop(st: State, cx: Context) -> State:
    """What was set aside at the head comes back."""
    frame: Heap = st.frames[-1]
    st = st.framed(st.frames[:-1])
    for chunk in frame:
        st = add(st, chunk, cx)
    for many in frame.quantified_chunks():
        st = add_quantified_chunk(st, many, cx)
    return st


def _havocked(graph: FlowGraph, block: BasicBlock, st: State, cx: Context) -> dict[str, Term]:
    """New values for all variables that the loop may change."""
    return {
        name: cx.fresh(name, cx.services.symbols.sort(target.type))
        for name, target in loop_targets(graph, block.id).items()
        if name in st.store
    }
