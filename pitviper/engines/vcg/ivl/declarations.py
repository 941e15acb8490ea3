"""Which sorts and functions a program needs, in the order of their first use."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from pitviper.terms.sort import Sort, SortKind
from pitviper.terms.symbol import Function, FunctionKind
from pitviper.terms.term import App, Quantified, Term

SHORT: Final = 12
"""Terms with fewer symbols are repeated rather than named."""
LONG: Final = 200
"""Longer ones are named even if they occur once."""


@dataclass(slots=True)
class Declarations:
    """`shared` are closed compound terms that occur more than once or are long, arguments first."""

    sorts: dict[Sort, None] = field(default_factory=dict)
    functions: dict[Function, None] = field(default_factory=dict)
    constants: dict[Function, None] = field(default_factory=dict)
    sizes: dict[Term, int] = field(default_factory=dict)
    shared: dict[Term, None] = field(default_factory=dict)

    def add(self, terms: Iterable[Term]) -> None:
        """Look through terms."""
        for root in terms:
            self._visit(root)

    def _visit(self, root: Term) -> None:
        stack: list[tuple[Term, bool]] = [(root, False)]
        while stack:
            term, done = stack.pop()
            if done:
                self.sizes[term] = 1 + sum(self._size(arg) for arg in term.args)
                self._declare(term)
                if self.sizes[term] > LONG and not term.free:
                    self.shared.setdefault(term)
            elif term in self.sizes:
                if not term.free and self.sizes[term] >= SHORT:
                    self.shared.setdefault(term)
            else:
                stack.append((term, True))
                stack.extend((arg, False) for arg in reversed(term.args))

    def _size(self, term: Term) -> int:
        """The size of the text: what is shared counts as a name."""
        return 1 if term in self.shared else self.sizes[term]

    def _declare(self, term: Term) -> None:
        self.sort(term.sort)
        if isinstance(term, Quantified):
            for variable in term.variables:
                self.sort(variable.sort)
        if not isinstance(term, App) or not isinstance(term.symbol, Function):
            return
        symbol = term.symbol
        for sort in (*symbol.domain, symbol.range):
            self.sort(sort)
        if symbol.kind in (FunctionKind.DECLARED, FunctionKind.TEXT):
            (self.functions if symbol.domain else self.constants).setdefault(symbol)

    def sort(self, sort: Sort) -> None:
        if sort in self.sorts:
            return
        for part in sort.parts:
            self.sort(part)
        self.sorts[sort] = None
        if sort.kind is SortKind.DATATYPE:
            for constructor in sort.constructors:
                for _, field_sort in constructor.fields:
                    if field_sort is not None:
                        self.sort(field_sort)
