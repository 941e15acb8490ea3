"""A body along its control-flow graph, block by block; states are joined where flow meets."""

from __future__ import annotations

from pitviper.base.record import record, replace
from pitviper.engines.shared.judgement import takes_for_granted
from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.heap.add import bounded
from pitviper.engines.vcg.heap.entry import (
    AnyEntry,
    Entry,
    Family,
    Kind,
    Sign,
    is_positive,
    sign_of,
)
from pitviper.engines.vcg.ivl.language import Edge as Way
from pitviper.engines.vcg.rules import evaluate as ev
from pitviper.engines.vcg.rules import execute as statements
from pitviper.engines.vcg.rules.exhale import exhale_clauses
from pitviper.engines.vcg.rules.inhale import check_exhaled, inhale_clauses
from pitviper.engines.vcg.rules.join import join
from pitviper.engines.vcg.state import State
from pitviper.program import stmt as ps
from pitviper.program.cfg import BasicBlock, BlockId, Edge, FlowGraph, flow_graph, loop_targets
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


def enter_loop(st: State, graph: FlowGraph, block: BasicBlock, cx: Context) -> State:
    """Give up the invariant, set the rest aside, forget what is assigned, get the invariant.

    Whether the invariant makes sense is checked where it comes, with nothing else held. If it does
    not, nothing is known to hold in an iteration: what was missing is taken to be there. What is
    known by having given it up rests on its making sense, so that is not known where it comes.
    Where giving it up takes for granted what functions require, it is judged before, on a side.
    """
    invariants, known = block.invariants, st.known
    store = {**st.store, **_havocked(graph, block, st, cx)}
    check_exhaled(st.storing(store), invariants, cx)
    judged, coming = cx.trusting_contract(*invariants), cx
    if not judged.checking and takes_for_granted(invariants, cx.services.program):
        coming = judged
        with cx.aside(_head(st, st, store)) as inside:
            inhale_clauses(inside, invariants, None, "not.wellformed", cx)
    given = exhale_clauses(st, invariants, "invariant.not.established", None, judged)
    head = _head(replace(given, known=known), given, store)
    return inhale_clauses(head, invariants, None, "not.wellformed", coming)


def _head(st: State, entered: State, store: dict[str, Term]) -> State:
    """The head of a loop, before its invariant comes: what was held on entry is set aside."""
    framed = st.storing(store).framed((*entered.frames, entered.heap))
    return framed.on(entered.heap.emptied())


def end_iteration(st: State, head: BasicBlock, cx: Context) -> None:
    """Back at the head: the invariant must hold again, and the path ends."""
    judged = cx.trusting_contract(*head.invariants)
    exhale_clauses(st, head.invariants, "invariant.not.preserved", None, judged)


def leave_loop(st: State, cx: Context) -> State:
    """What was set aside at the head comes back.

    The bounds of sums hold when all of it is back: some of its entries may be debts.
    """
    frame = st.frames[-1]
    st = st.framed(st.frames[:-1])
    for kind, entries in frame.perms.items():
        for entry in entries:
            st = _restored(st, kind, entry, cx)
        for index in dict.fromkeys([e.index for e in entries if isinstance(e, Entry)]):
            st = bounded(st, kind, index, cx)
    return st


def _restored(st: State, kind: Kind, entry: AnyEntry, cx: Context) -> State:
    """The array is right for what the frame holds: entries come back as they were."""
    entries = list(st.heap.entries(kind))
    for at, other in enumerate(entries):
        if (
            isinstance(other, Entry)
            and isinstance(entry, Entry)
            and other.index == entry.index
            and kind.what is not Family.WAND
        ):
            entries[at] = _together(st, other, entry, cx)
            break
    else:
        entries.append(entry)
    return st.on(st.heap.holding(kind, tuple(entries)))


def _together(st: State, inner: Entry, frame: Entry, cx: Context) -> Entry:
    amount = tb.plus(inner.amount, frame.amount)
    sign = Sign.PLUS if inner.sign is frame.sign is Sign.PLUS else sign_of(amount, st.known)
    value = None
    if is_positive(frame.amount, st.known):
        value = frame.value
    elif is_positive(inner.amount, st.known):
        value = inner.value
    if inner.value is not None and frame.value is not None:
        both = tb.conjoin(tb.greater(inner.amount, tb.NONE), tb.greater(frame.amount, tb.NONE))
        if sign is Sign.PLUS:
            cx.learn(st, tb.implies(both, tb.equal(inner.value, frame.value)))
    return Entry(inner.index, amount, sign, value if sign is Sign.PLUS else None)


def _havocked(graph: FlowGraph, block: BasicBlock, st: State, cx: Context) -> dict[str, Term]:
    """New values for all variables that the loop may change."""
    return {
        name: cx.fresh(name, cx.services.symbols.sort(target.type))
        for name, target in loop_targets(graph, block.id).items()
        if name in st.store
    }
