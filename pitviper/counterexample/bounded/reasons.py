"""Why there is no instance at all: the facts that exclude it, and what the solver had missed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from pitviper.base.record import record
from pitviper.counterexample.bounded.lemmas import Lemma
from pitviper.counterexample.bounded.search import Fact, Search
from pitviper.solver.session import Path
from pitviper.terms.term import Term

T = TypeVar("T")

MOST = 80
"""Facts that are tried one by one; of more, halves are tried first."""


@record
class Contradiction:
    """Facts that contradict each other, and the lemmas that it takes to see it.

    Without `needs_goal` the state itself is impossible, whatever is claimed about it.
    """

    facts: tuple[Fact, ...]
    lemmas: tuple[Lemma, ...]
    needs_goal: bool


def contradiction(search: Search) -> Contradiction:
    """Returns a set of facts without instance of which none can be left out."""
    numbered = list(range(len(search.facts)))
    kept = _needed(numbered, lambda some: _excluded(search, some, search.lemmas))
    lemmas = _needed(search.lemmas, lambda some: _excluded(search, kept, some))
    facts = tuple([search.facts[i] for i in kept])
    goal = search.facts[-1] if search.problem.goal is not None else None
    return Contradiction(
        tuple([f for f in facts if f is not goal]), tuple(lemmas), any(f is goal for f in facts)
    )


def _excluded(search: Search, facts: Sequence[int], lemmas: Sequence[Lemma]) -> bool:
    """Whether these facts have no instance; a lemma counts only with the fact it comes from."""
    told = [term for i in facts for term in search.told[i]]
    available: set[Term] = {*told, *search.problem.definitions}
    available.update([fact.term for fact in search.problem.axioms])
    path = Path().assume_all(told)
    for lemma in lemmas:
        if lemma.source is None or lemma.source in available:
            available.add(lemma.term)
            path = path.assume(lemma.term)
    return search.excludes(path)


def _needed(items: Sequence[T], enough: Callable[[list[T]], bool]) -> list[T]:
    """What is left when everything that can be left out is left out."""
    kept = list(items)
    if not kept or not enough(kept):
        return kept
    size = max(1, len(kept) // 4) if len(kept) > MOST // 4 else 1
    while size:
        at = 0
        while at < len(kept):
            fewer = kept[:at] + kept[at + size :]
            if enough(fewer):
                kept = fewer
            else:
                at += size
        size //= 2
    return kept
