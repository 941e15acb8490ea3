"""A solver for tests of rules: answers from a table, needs no Z3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from pitviper.solver.model import Model
from pitviper.solver.session import ASSERT, PROVED, Answer, Path, Statistics
from pitviper.terms.operators import AND
from pitviper.terms.term import TRUE, App, Term

UNKNOWN: Final = Answer(proved=False, unknown="(incomplete quantifiers)")
EXHAUSTED: Final = Answer(proved=False, unknown="canceled", exhausted=True)


class Replies:
    """Proves what stands on the path or among the axioms, otherwise looks into the table.

    `asked` lists the goals for which it had to look, in order. Without a table it is the solver
    that knows nothing.
    """

    def __init__(self, table: Mapping[Term, Answer] | None = None) -> None:
        self._table: Final = dict(table or {})
        self._axioms: set[Term] = set()
        self._statistics = Statistics()
        self.asked: list[Term] = []

    def entails(self, path: Path, goal: Term, limit: int = ASSERT, name: str = "") -> Answer:
        self._statistics.queries += 1
        known = self._axioms | {entry.fact for entry in path}
        if goal is TRUE or goal in known or (_conjuncts(goal) and _conjuncts(goal) <= known):
            return PROVED
        self.asked.append(goal)
        return self._table.get(goal, UNKNOWN)

    def model(self, path: Path, goal: Term, limit: int = ASSERT) -> Model | None:
        return None if self.entails(path, goal, limit).proved else Model()

    def declare(self, axioms: Sequence[Term]) -> None:
        self._axioms.update(axioms)

    def statistics(self) -> Statistics:
        return self._statistics


def _conjuncts(goal: Term) -> set[Term]:
    return set(goal.args) if isinstance(goal, App) and goal.symbol is AND else set()
