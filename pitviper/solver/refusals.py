"""Wraps a session: keeps the questions that were not proved, by the name they were asked under."""

from __future__ import annotations

from pitviper.solver.declared import Declared
from pitviper.solver.session import ASSERT, Answer, Path, Solver
from pitviper.terms.term import Term


class Refusals(Declared):
    """`refused` has the last question of each name that was not proved: what was known, and what
    was to be proved."""

    def __init__(self, solver: Solver) -> None:
        super().__init__(solver)
        self.refused: dict[str, tuple[Path, Term]] = {}

    def entails(self, path: Path, goal: Term, limit: int = ASSERT, name: str = "") -> Answer:
        answer = super().entails(path, goal, limit, name)
        if name and not answer.proved:
            self.refused[name] = path, goal
        return answer
