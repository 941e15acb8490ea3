"""The terms without free variables that the solver was told about: they span an instance."""

from __future__ import annotations

from collections.abc import Iterable

from pitviper.terms.sort import Sort
from pitviper.terms.symbol import Function
from pitviper.terms.term import App, Literal, Quantified, Term


class GroundTerms:
    """Grows with the facts; every list is in the order of first occurrence."""

    def __init__(self) -> None:
        self._seen: set[Term] = set()
        self.by_sort: dict[Sort, list[Term]] = {}
        self.applications: dict[Function, list[App]] = {}
        self.all: list[App] = []

    def add(self, facts: Iterable[Term]) -> None:
        for fact in facts:
            self._add(fact)

    def _add(self, root: Term) -> None:
        """Arguments come before the terms they occur in; nothing inside a quantifier is ground."""
        stack = [(root, False)]
        while stack:
            term, visited = stack.pop()
            if visited:
                self._note(term)
            elif term not in self._seen and not isinstance(term, Quantified):
                self._seen.add(term)
                stack.append((term, True))
                stack.extend([(arg, False) for arg in reversed(term.args)])

    def _note(self, term: Term) -> None:
        if term.free:
            return
        if isinstance(term, App):
            self.all.append(term)
            if isinstance(term.symbol, Function):
                self.applications.setdefault(term.symbol, []).append(term)
        if isinstance(term, App | Literal):
            self.by_sort.setdefault(term.sort, []).append(term)
