"""Wraps a session: keeps the axioms that it was told, for whoever wants to ask once more."""

from __future__ import annotations

from collections.abc import Sequence

from pitviper.solver.model import Model
from pitviper.solver.session import ASSERT, Answer, Path, Solver
from pitviper.solver.statistics import Statistics
from pitviper.terms.term import Term


class Declared:
    """Implements `Solver` by asking another one; `axioms` are those in force."""

    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self.axioms: list[Term] = []

    def entails(self, path: Path, goal: Term, limit: int = ASSERT, name: str = "") -> Answer:
        return self._solver.entails(path, goal, limit, name)

    def model(self, path: Path, goal: Term, limit: int = ASSERT) -> Model | None:
        return self._solver.model(path, goal, limit)

    def declare(self, axioms: Sequence[Term]) -> None:
        self.axioms += axioms
        self._solver.declare(axioms)

    def statistics(self) -> Statistics:
        return self._solver.statistics()
