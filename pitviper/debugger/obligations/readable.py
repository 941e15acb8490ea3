"""What the obligations of both engines share: words for terms, and the meaning of typed-in text."""

from __future__ import annotations

from abc import ABC, abstractmethod

from pitviper.debugger.obligations.obligation import Assumption, Desk, Fact, Read
from pitviper.debugger.reading import Reader
from pitviper.debugger.tree import Tree
from pitviper.explain.expression import TermExpressions
from pitviper.explain.final_expression import FinalExpressions
from pitviper.program.print.objects import with_class_names
from pitviper.results.debugging import ErrorView, Problem
from pitviper.results.wording import value_text
from pitviper.terms.term import Term


class ReadableObligation(ABC):
    """Half of `Obligation`; an engine gives the reader, the tree, and words for all other terms."""

    error: ErrorView

    @property
    @abstractmethod
    def _reader(self) -> Reader: ...

    @property
    @abstractmethod
    def _tree(self) -> Tree: ...

    @property
    @abstractmethod
    def _fallback(self) -> FinalExpressions: ...

    @property
    def words(self) -> TermExpressions:
        words = self._reader.words
        assert words is not None
        return words

    @property
    def assumptions(self) -> tuple[Assumption, ...]:
        return self._tree.roots

    @property
    def facts(self) -> tuple[Fact, ...]:
        return self._tree.facts

    def final(self, term: Term) -> str | None:
        return self._reader.text(term)

    def text(self, term: Term) -> str:
        found = self._reader.text(term)
        text = found if found is not None else self._fallback.text(term)
        return with_class_names(value_text(text, self.error.span), self.error.span)

    def read(self, text: str, desk: Desk) -> Read | Problem:
        return self._reader.read(text, desk)
