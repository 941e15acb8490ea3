"""Which scopes of a solver a path needs: leads one session from path to path.

NOTE(scopes). Facts are asserted in the scope that is open. A new scope opens at a branch mark, and
where the path left another one before: such a point will probably be returned to. A return to the
middle of a scope gives the scope up, then asserts its remaining facts again in a scope of their
own, so it happens at most once per point. Duplicates on a path are not asserted.
"""

from __future__ import annotations

from typing import Protocol

from pitviper.solver.session import FactKind, Path
from pitviper.terms.operators import AND
from pitviper.terms.term import TRUE, App, Term


class Sink(Protocol):
    """The part of a solver that scopes drive."""

    def push(self) -> None: ...

    def pop(self, count: int) -> None: ...

    def add(self, fact: Term) -> None: ...


class Scopes:
    """What a session holds: a path, cut into scopes, and the set of its facts."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._held: list[Path] = []
        self._known: dict[Term, None] = {}
        self._starts: list[tuple[int, int]] = []  # lengths of held, known where a scope opened
        self._returned = True  # whether the next fact opens a scope

    def ahead(self, path: Path) -> list[Path]:
        """The entries of the path that the session does not hold, newest first."""
        fresh: list[Path] = []
        held, node = self._held, path
        while node.length > len(held) or (node.length and held[node.length - 1] is not node):
            fresh.append(node)
            assert node.older is not None
            node = node.older
        return fresh

    def move_to(self, path: Path) -> None:
        """Make the session hold exactly this path."""
        fresh = self.ahead(path)
        common = path.length - len(fresh)
        if common < len(self._held):
            self._return_to(common)
        for entry in reversed(fresh):
            if self._returned or entry.kind is FactKind.BRANCH:
                self._open()
            self._hold(entry)

    def holds(self, goal: Term) -> bool:
        """Whether the goal is true or one of the facts, or a conjunction of such."""
        if goal in self._known or goal is TRUE:
            return True
        if isinstance(goal, App) and goal.symbol is AND:
            return all(conjunct in self._known for conjunct in goal.args)
        return False

    def leave(self) -> None:
        """Hold nothing; for what must be said outside of all paths."""
        if self._starts:
            self._return_to(0)

    def _return_to(self, length: int) -> None:
        """Give up the scopes with facts beyond the length, but keep what they hold before it."""
        held, known = self._held, self._known
        start, known_start, scopes = len(held), len(known), 0
        while start > length:
            start, known_start = self._starts.pop()
            scopes += 1
        again = held[start:length]
        del held[start:]
        while len(known) > known_start:
            known.popitem()
        self._sink.pop(scopes)
        if again:
            self._open()
            for entry in again:
                self._hold(entry)
        self._returned = True

    def _open(self) -> None:
        self._starts.append((len(self._held), len(self._known)))
        self._sink.push()
        self._returned = False

    def _hold(self, entry: Path) -> None:
        fact = entry.fact
        if fact not in self._known:
            self._sink.add(fact)
            self._known[fact] = None
            if isinstance(fact, App) and fact.symbol is AND:
                self._known.update(dict.fromkeys(fact.args))
        self._held.append(entry)
