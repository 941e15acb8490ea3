"""Which facts stand on a path: looked up, not searched, where one question follows another.

Paths grow by a few facts from question to question, and may hold a fact for each pair of objects.
So what stood on the last one is kept, and only what is newer is looked at.
"""

from __future__ import annotations

from pitviper.solver.session import Path
from pitviper.terms.term import TRUE, Term


class KnownFacts:
    """The facts of the path that was asked about last; terms are interned, so they are told apart
    by identity. The path keeps them alive.
    """

    def __init__(self) -> None:
        self._path = Path()
        self._facts: set[int] = set()
        self.looked_at = 0
        """How many entries of paths were looked at so far, for statistics and tests."""

    def has(self, path: Path, goal: Term) -> bool:
        """Whether the goal is one of the facts; conjunctions of facts are left to the scopes."""
        if goal is TRUE:
            return True
        self._follow(path)
        return id(goal) in self._facts

    def _follow(self, path: Path) -> None:
        newer: list[int] = []
        node: Path | None = path
        while node is not None and node is not self._path:
            if node.length <= self._path.length:  # another branch: all is looked at again
                self._path, self._facts = Path(), set()
            if not node.length:
                break
            newer.append(id(node.fact))
            node = node.older
        self.looked_at += len(newer)
        self._path = path
        self._facts.update(newer)
