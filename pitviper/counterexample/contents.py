"""What is inside the predicate instances of a state: their bodies, one level deep.

The verifier looks inside an instance only where the program unfolds it. An instance that a reader
is shown must make sense, so its body is taken into account: what it says about its snapshot, and
that its permissions count together with those that are held outside of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from pitviper.base.record import record, replace
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.chunk import Chunk, Heap, Kind
from pitviper.engines.symbolic.outcomes import guard_since
from pitviper.engines.symbolic.rules.clauses import produce_clauses
from pitviper.engines.symbolic.state import State
from pitviper.engines.symbolic.verifier import Member, Run, context_for
from pitviper.solver.session import FactKind, Path
from pitviper.solver.z3.session import Z3Session
from pitviper.terms import build as tb
from pitviper.terms.supply import Supply
from pitviper.terms.term import Term

MOST_OUTCOMES = 8
MOST_INSTANCES = 12


@record
class Outcome:
    """One way in which a body can hold: if `guard`, then with these facts and chunks."""

    guard: Term
    facts: tuple[Term, ...]
    heap: Heap


@record
class Inside:
    """The instance that a chunk stands for, and all ways in which its body can hold."""

    chunk: Chunk
    outcomes: tuple[Outcome, ...]

    def facts(self) -> Iterator[Term]:
        yield tb.disjoin(*[outcome.guard for outcome in self.outcomes])
        for outcome in self.outcomes:
            for fact in outcome.facts:
                yield tb.implies(outcome.guard, fact)


def contents(heap: Heap, run: Run, member: Member, name: str) -> tuple[Inside, ...]:
    """Of the instances that are held one by one and whose predicates have bodies."""
    chunks = [c for c in heap if c.resource.kind is Kind.PREDICATE]
    with Z3Session() as solver:
        cx = context_for(run, member, solver)
        cx = replace(cx, services=replace(cx.services, supply=Supply(name))).trusting()
        found = [_inside(chunk, cx) for chunk in chunks[:MOST_INSTANCES]]
    return tuple([inside for inside in found if inside is not None])


def _inside(chunk: Chunk, cx: Context) -> Inside | None:
    predicate = cx.services.program.predicates[chunk.resource.name]
    if predicate.body is None:
        return None
    store = {p.name: arg for p, arg in zip(predicate.params, chunk.args, strict=True)}
    scaled = cx.in_modes(cx.modes.scaled(chunk.amount))
    states = produce_clauses(State(store), (predicate.body,), chunk.value, "internal", scaled)
    found = list(islice(states, MOST_OUTCOMES + 1))
    if len(found) > MOST_OUTCOMES:
        return None
    return Inside(chunk, tuple([_outcome(st) for st in found]))


def _outcome(st: State) -> Outcome:
    entries = st.path.since(Path())
    facts = [e.fact for e in entries if e.kind is not FactKind.BRANCH]
    return Outcome(guard_since(Path(), st.path), tuple(facts), st.heap)
