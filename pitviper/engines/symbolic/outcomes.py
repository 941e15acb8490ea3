"""The control-flow combinators: sequences without deep stacks, branches, local joins."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.chunk import HeldTogether
from pitviper.engines.symbolic.provenance import BranchPoint
from pitviper.engines.symbolic.state import State
from pitviper.engines.symbolic.unrelated import is_unrelated
from pitviper.program.node import Node
from pitviper.solver.session import FactKind, Path
from pitviper.terms import build as tb
from pitviper.terms.sort import Sort
from pitviper.terms.term import Term

T = TypeVar("T")
S = TypeVar("S")


def in_order(start: S, items: Sequence[T], rule: Callable[[S, T], Iterator[S]]) -> Iterator[S]:
    """Apply `rule` to each item in turn, depth first, without deepening the Python stack."""
    running: list[Iterator[S]] = [iter((start,))]
    while running:
        current = next(running[-1], None)
        if current is None:
            running.pop()
        elif len(running) > len(items):
            yield current
        else:
            running.append(rule(current, items[len(running) - 1]))


def branch(st: State, condition: Term, node: Node, cx: Context) -> Iterator[tuple[State, bool]]:
    """The live sides of a condition, then first; one side is always kept."""
    if condition is tb.TRUE or condition is tb.FALSE:
        yield st, condition is tb.TRUE
        return
    other = tb.negate(condition)
    known = stated(st.path, condition, other)
    is_asked = known is None and not is_unrelated(st.path, condition)
    then_dead = known is other or (is_asked and cx.refutes(st, condition))
    else_dead = known is condition or (is_asked and not then_dead and cx.refutes(st, other))
    at, then, otherwise = cx.obligation.node, None, None
    if not then_dead:
        point = BranchPoint(node, at, taken=True, forced=else_dead)
        then = st.on(st.path.branch(condition, point))
    if not else_dead:
        point = BranchPoint(node, at, taken=False, forced=then_dead)
        otherwise = st.on(st.path.branch(other, point))
    if cx.services.recorder is not None:
        cx.services.recorder.branched(st, node, then, otherwise)
    if then is not None:
        yield then, True
    if otherwise is not None:
        yield otherwise, False


def stated(path: Path, *facts: Term) -> Term | None:
    """The fact that was stated last on the path, of those given: known without asking."""
    node: Path | None = path
    while node is not None:
        if node.fact in facts:
            return node.fact
        node = node.older
    return None


def guard_since(base: Path, inner: Path) -> Term:
    """The conjunction of the branch conditions that `inner` took since `base`."""
    return tb.conjoin(*[e.fact for e in inner.since(base) if e.kind is FactKind.BRANCH])


def exported(path: Path, base: Path, inner: Path, st: State | None = None) -> Path:
    """`path` with the facts `inner` learnt since `base`, under the branch conditions before them.

    Definitions hold in any case: they constrain only their own symbol. So do facts about chunks
    that are held together in the state to which they are brought.
    """
    guard: Term = tb.TRUE
    for entry in inner.since(base):
        if entry.kind is FactKind.BRANCH:
            guard = tb.conjoin(guard, entry.fact)
        elif entry.kind is FactKind.PLAIN and not _about_heaps(entry, st):
            path = path.assume(tb.implies(guard, entry.fact), entry.kind, entry.provenance)
        else:
            path = path.assume(entry.fact, entry.kind, entry.provenance)
    return path


def _about_heaps(entry: Path, st: State | None) -> bool:
    reason = entry.provenance
    if st is None or not isinstance(reason, HeldTogether):
        return False
    return (
        reason.in_heap(st.heap)
        or reason.in_heap(st.held)
        or any(reason.in_heap(heap) for heap in st.old.values())
    )


def returned(st: State, inner: State) -> State:
    """Back from a local evaluation in a branch: `st` with what was learnt there."""
    if inner.path is st.path:
        return st
    return st.on(exported(st.path, st.path, inner.path, st))


def join(
    st: State, outcomes: Sequence[tuple[State, Term]], sort: Sort, cx: Context
) -> tuple[State, Term]:
    """One value and one path from the outcomes of a local evaluation that began in `st`.

    No outcome: the path is dead, and says so from here on.
    """
    if not outcomes:
        return st.assume(tb.FALSE), cx.fresh("dead", sort)
    base = path = st.path
    guards = [guard_since(base, inner.path) for inner, _ in outcomes]
    for inner, _ in outcomes:
        path = exported(path, base, inner.path, st)
    path = path.assume(tb.disjoin(*guards))
    value = outcomes[-1][1]
    for guard, (_, other) in zip(guards[-2::-1], outcomes[-2::-1], strict=True):
        value = tb.ite(guard, other, value)
    return st.on(path), value
