"""The door to symbolic execution: its rules at work on a state that was recorded.

Counterexample search asks the rules for the values of expressions in the state and for what is
inside the predicate instances that are held there, and for nothing else. Each request has a
solver session of its own, which knows no axioms, and makes its new symbols apart from all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import TypeAlias

from pitviper.base.record import record, replace
from pitviper.counterexample.question import Sought
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.chunk import Chunk, Heap, Kind, QuantifiedChunk, plain
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
MOST_INSTANCES = 24


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


Place: TypeAlias = tuple[int, ...]
"""Where an instance stands: which chunk of a heap, then which outcome and which chunk inside."""


@record
class Outcome:
    """One way in which a body can hold: if `guard`, then with these facts and chunks."""

    guard: Term
    facts: tuple[Term, ...]
    heap: Heap


@record
class Inside:
    """The instance that a chunk stands for, and all ways in which its body can hold.

    There is such an instance if `given`: what it stands inside of is there, its amount positive.
    """

    place: Place
    chunk: Chunk
    given: Term
    outcomes: tuple[Outcome, ...]

    def facts(self) -> Iterator[Term]:
        yield tb.implies(self.given, tb.disjoin(*[outcome.guard for outcome in self.outcomes]))
        for outcome in self.outcomes:
            for fact in outcome.facts:
                yield tb.implies(outcome.guard, fact)


@record
class Closed:
    """An instance whose body nobody looked at: there is one if `given`, and its content is free."""

    place: Place
    chunk: Chunk | QuantifiedChunk
    given: Term


@record
class Contents:
    """What is inside the instances of a heap, as far as it was looked at."""

    opened: tuple[Inside, ...] = ()
    closed: tuple[Closed, ...] = ()


def contents(
    heap: Heap, sought: Sought, names: str, depth: int = 1, given: Term = tb.TRUE
) -> Contents:
    """Returns the insides of the instances that are held one by one and have a body, if `given`.

    The verifier looks inside an instance only where the program unfolds it. A state that a reader
    is shown must make sense, so bodies are taken into account `depth` levels deep: what they say
    about their snapshots, and that their permissions count together with those held outside.
    """
    with _rules(sought, names) as cx:
        return _Opening(cx.trusting(), depth).of(heap, given)


class _Opening:
    """Looks inside the instances of one heap, those further outside first."""

    def __init__(self, cx: Context, depth: int) -> None:
        self._cx = cx
        self._depth = depth
        self._opened: list[Inside] = []
        self._closed: list[Closed] = []

    def of(self, heap: Heap, given: Term) -> Contents:
        todo = self._instances(heap, (), given)
        while todo:
            following: list[Closed] = []
            for closed in todo:
                inside = self._inside(closed)
                if inside is None:
                    self._closed.append(closed)
                    continue
                self._opened.append(inside)
                for number, outcome in enumerate(inside.outcomes):
                    place = (*closed.place, number)
                    following += self._instances(outcome.heap, place, outcome.guard)
            todo = following
        return Contents(tuple(self._opened), tuple(self._closed))

    def _instances(self, heap: Heap, place: Place, guard: Term) -> list[Closed]:
        """The instances with a body that a heap holds; of many at once it is left open which."""
        predicates, found = self._cx.services.program.predicates, list[Closed]()
        number = 0
        for chunk in (*heap, *map(plain, heap.quantified_chunks())):
            resource = chunk.resource
            if resource.kind is not Kind.PREDICATE or predicates[resource.name].body is None:
                continue
            there = tb.greater(chunk.amount, tb.NONE)
            if isinstance(chunk, QuantifiedChunk):
                there = tb.exists(chunk.formals, there)
            found.append(Closed((*place, number), chunk, tb.conjoin(guard, there)))
            number += 1
        return found

    def _inside(self, closed: Closed) -> Inside | None:
        chunk, predicates = closed.chunk, self._cx.services.program.predicates
        deep = len(closed.place) // 2 >= self._depth or len(self._opened) >= MOST_INSTANCES
        if deep or isinstance(chunk, QuantifiedChunk):
            return None
        predicate = predicates[chunk.resource.name]
        assert predicate.body is not None
        store = {p.name: arg for p, arg in zip(predicate.params, chunk.args, strict=True)}
        scaled = self._cx.in_modes(self._cx.modes.scaled(chunk.amount))
        states = produce_clauses(State(store), (predicate.body,), chunk.value, "internal", scaled)
        found = list(islice(states, MOST_OUTCOMES + 1))
        if len(found) > MOST_OUTCOMES:
            return None
        outcomes = tuple([_outcome(st, closed.given) for st in found])
        return Inside(closed.place, chunk, closed.given, outcomes)


def _outcome(st: State, given: Term) -> Outcome:
    entries = st.path.since(Path())
    facts = [e.fact for e in entries if e.kind is not FactKind.BRANCH]
    guard = tb.conjoin(given, guard_since(Path(), st.path))
    return Outcome(guard, tuple(facts), st.heap)
