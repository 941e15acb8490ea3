"""Small plug-ins of the search: each may keep parts of it from being searched."""

from __future__ import annotations

from typing import Protocol

from pitviper.explore.model.instruction import Constraint
from pitviper.explore.model.program import Model
from pitviper.explore.runtime.run import Decision, Kind, Site
from pitviper.source.span import Span


class Extension(Protocol):
    """Asked about every decision of every run."""

    def searches(self, decision: Decision, node: int) -> bool:
        """Whether the other side of the decision is worth a run."""
        ...


class Trusted:
    """Does not attack assertions that somebody else has proved."""

    def __init__(self, model: Model, proved: frozenset[Span]) -> None:
        self._sites: dict[Site, None] = {}
        for method in model.methods.values():
            for index, instruction in enumerate(method.instructions):
                if isinstance(instruction, Constraint) and instruction.blame is not None:
                    blame = instruction.blame
                    if blame.span in proved or blame.offending in proved:
                        self._sites[method.name, index] = None

    def searches(self, decision: Decision, node: int) -> bool:
        is_attack = decision.kind is Kind.ASSERT and decision.taken
        return not (is_attack and decision.site in self._sites)


class Bounded:
    """Goes round the same branch only so often: for loops that would be unrolled for ever."""

    def __init__(self, visits: int) -> None:
        self._visits = visits
        self._seen: dict[tuple[int, Site], int] = {}
        self.cut: dict[Site, None] = {}

    def searches(self, decision: Decision, node: int) -> bool:
        if decision.kind is not Kind.BRANCH:
            return True
        key = (node, decision.site)
        self._seen[key] = self._seen.get(key, 0) + 1
        if self._seen[key] > self._visits:
            self.cut[decision.site] = None
            return False
        return True
