"""Exhale of contracts: a clause that cannot stand on its own is not well-formed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pitviper.engines.concrete.heap.heap import EMPTY_HEAP, Content, Resource, Snapshot
from pitviper.engines.concrete.outcome import Failed, Obligation, Stop
from pitviper.engines.concrete.rules import consume as consume_rules
from pitviper.engines.concrete.rules import produce as produce_rules
from pitviper.engines.concrete.run import Run
from pitviper.engines.concrete.state import State
from pitviper.program.assertion import Assertion


def exhale_clauses(
    st: State, clauses: Sequence[Assertion], error: str, run: Run
) -> consume_rules.Consumed:
    """Exhale clauses of the current member.

    Verifiers check first that the clauses are well-formed with no other permissions. So if this
    exhale fails, and it is not because something is false, that is looked at before.
    """
    named = [(clause, clause_obligation(error, clause, run)) for clause in clauses]
    ended = run.attempt(lambda: consume_rules.consume_clauses(st, named, run))
    if isinstance(ended, consume_rules.Consumed):
        return ended
    if isinstance(ended, Failed) and ended.finding.reason != "assertion.false":
        contents = {resource: chunk.content for resource, chunk in st.heap.chunks.items()}
        framed = run.attempt(lambda: inhale_alone(st, clauses, contents, run))
        if isinstance(framed, Failed):
            raise Stop(framed)
    raise Stop(ended)


def clause_obligation(error: str, clause: Assertion, run: Run) -> Obligation:
    part = run.member if error == "postcondition.violated" else clause
    return Obligation(error, clause.span, run.member, (part,), run.obligation.origin)


def inhale_alone(
    st: State, clauses: Sequence[Assertion], contents: dict[Resource, Content], run: Run
) -> State:
    """A state with what the clauses hold, and nothing else."""
    source = run.snapshots.holding(contents, run.objects.allocations)
    return inhale_clauses(replace(st, heap=EMPTY_HEAP), clauses, source, run)


def inhale_clauses(
    st: State, clauses: Sequence[Assertion], source: Snapshot | None, run: Run
) -> State:
    """Inhale clauses of the current member."""
    for clause in clauses:
        with run.proving(clause_obligation("not.wellformed", clause, run)):
            st = produce_rules.produce(st, clause, run, source)
    return st
