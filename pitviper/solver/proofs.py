"""Proofs that can be given again: what a session was told and what it proved, in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from pitviper.base.record import record
from pitviper.solver.model import Model
from pitviper.solver.session import ASSERT, Answer, Path, Solver, Statistics
from pitviper.terms.term import Term


@record
class Declared:
    """Axioms, true from here on."""

    axioms: tuple[Term, ...]


@record
class Proved:
    """A goal that follows from a path, and what its proof was allowed to cost."""

    path: Path
    goal: Term
    limit: int
    name: str


Step: TypeAlias = Declared | Proved
Proof: TypeAlias = list[Step]


class ProofRecording:
    """Implements `Solver` by asking another one; `proof` gets what that one proves.

    What was not proved is no part of a proof: no rule concludes anything from it.
    """

    def __init__(self, solver: Solver, proof: Proof) -> None:
        self._solver = solver
        self._proof = proof

    def entails(self, path: Path, goal: Term, limit: int = ASSERT, name: str = "") -> Answer:
        answer = self._solver.entails(path, goal, limit, name)
        if answer.proved:
            self._proof.append(Proved(path, goal, limit, name))
        return answer

    def model(self, path: Path, goal: Term, limit: int = ASSERT) -> Model | None:
        return self._solver.model(path, goal, limit)

    def declare(self, axioms: Sequence[Term]) -> None:
        self._proof.append(Declared(tuple(axioms)))
        self._solver.declare(axioms)

    def statistics(self) -> Statistics:
        return self._solver.statistics()


@record
class Again:
    """Of `asked` goals, those in `missed` were not proved again, those in `denied` are not true."""

    asked: int
    missed: tuple[Proved, ...] = ()
    denied: tuple[Proved, ...] = ()


def prove_again(proof: Proof, solver: Solver) -> Again:
    """What another session says about the goals of a proof; every goal was proved once."""
    asked, missed, denied = 0, list[Proved](), list[Proved]()
    for step in proof:
        if isinstance(step, Declared):
            solver.declare(step.axioms)
            continue
        asked += 1
        answer = solver.entails(step.path, step.goal, step.limit, step.name)
        if not answer.proved:
            missed.append(step)
            if answer.unknown is None:
                denied.append(step)
    return Again(asked, tuple(missed), tuple(denied))


def only(proof: Proof, wanted: Sequence[Proved]) -> Proof:
    """The part of a proof that is about some of its goals, with all axioms."""
    goals = set(map(id, wanted))
    return [step for step in proof if isinstance(step, Declared) or id(step) in goals]
