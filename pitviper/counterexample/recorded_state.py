"""The door to symbolic execution: its rules at work on a state that was recorded.

Counterexample search asks the rules for the values of expressions in the state and for what is
inside the predicate instances that are held there, and for nothing else. Each request has a
solver session of its own, which knows no axioms, and makes its new symbols apart from all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice

from pitviper.base.record import record, replace
from pitviper.counterexample.question import Sought
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.chunk import Chunk, Heap, Kind
from pitviper.engines.symbolic.outcomes import guard_since
from pitviper.engines.symbolic.rules.clauses import produce_clauses
from pitviper.engines.symbolic.rules.evaluate import evaluate
from pitviper.engines.symbolic.state import State
from pitviper.engines.symbolic.verifier import context_for
from pitviper.program.expr import Expr
from pitviper.results.finding import Finding
from pitviper.solver.session import FactKind, Path
from pitviper.solver.z3.session import Z3Session
from pitviper.terms import build as tb
from pitviper.terms.supply import Supply
from pitviper.terms.term import Term

MOST_OUTCOMES = 8
MOST_INSTANCES = 12


@contextmanager
def _rules(sought: Sought, names: str) -> Iterator[Context]:
    """Gives the context of the recorded member, with fresh symbols that begin with `names`."""
    with Z3Session() as solver:
        cx = context_for(sought.run, sought.member, solver)
        yield replace(cx, services=replace(cx.services, supply=Supply(names)))


@record
class Evaluated:
    """The value of an expression, and the facts that its evaluation brought to light."""

    term: Term
    learnt: tuple[Term, ...]


def values_of(
    nodes: Sequence[Expr], sought: Sought, error: str, names: str
) -> tuple[Evaluated, ...] | Finding:
    """Returns the values of expressions in the state; a finding if one is not well-defined."""
    st, found = sought.state, list[Evaluated]()
    with _rules(sought, names) as cx:
        proving = cx.proving(error, sought.member)
        for node in nodes:
            base = st.path
            st, term = evaluate(st, node, proving)
            for finding in cx.services.log.findings.values():
                return finding
            found.append(Evaluated(term, tuple([e.fact for e in st.path.since(base)])))
    return tuple(found)


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


def contents(heap: Heap, sought: Sought, names: str) -> tuple[Inside, ...]:
    """Returns the insides of the instances that are held one by one and have a body.

    The verifier looks inside an instance only where the program unfolds it. A state that a reader
    is shown must make sense, so bodies are taken into account one level deep: what they say about
    their snapshots, and that their permissions count together with those held outside.
    """
    chunks = [c for c in heap if c.resource.kind is Kind.PREDICATE]
    with _rules(sought, names) as cx:
        found = [_inside(chunk, cx.trusting()) for chunk in chunks[:MOST_INSTANCES]]
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
