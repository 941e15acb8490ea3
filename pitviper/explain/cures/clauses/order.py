"""Clauses in the wrong order: one makes sense by another one that stands behind it."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import LONGEST, Case
from pitviper.explain.cures.edit import Candidate, nested
from pitviper.explain.writing import Edits, replaced
from pitviper.program import stmt as s
from pitviper.program.member import Function, Method
from pitviper.program.node import Node
from pitviper.results.wording import VIPER, wording_of

MOST = 4
"""Clauses behind the failing one that are tried in front of it."""


def said_later(case: Case) -> Iterator[Candidate]:
    """A clause that stands further down is put in front of the one that needs it."""
    member = case.member
    if case.finding.error != "not.wellformed" or not isinstance(member, Method | Function):
        return
    if wording_of(member.span) is not VIPER:
        return
    at = case.finding.offending or case.finding.span
    for word, clauses in _rows(member):
        own = [n for n, clause in enumerate(clauses) if clause.span.encloses(at)]
        for number in own:
            for later in range(number + 1, min(len(clauses), number + 1 + MOST)):
                yield _moved(word, clauses, number, later)


def _rows(member: Method | Function) -> Iterator[tuple[str, tuple[Node, ...]]]:
    """Clauses that are read in their order."""
    yield "requires", member.preconditions
    yield "ensures", member.postconditions
    for loop in [n for n in nested(member) if isinstance(n, s.While)]:
        yield "invariant", loop.invariants


def _moved(word: str, clauses: tuple[Node, ...], to: int, at: int) -> Candidate:
    """One clause goes up, all between go down by one."""
    row = clauses[to : at + 1]
    texts = [row[-1].span.text, *[clause.span.text for clause in row[:-1]]]
    edits: Edits = tuple([replaced(c, text) for c, text in zip(row, texts, strict=True)])
    moved = row[-1]
    text = f"`{word} {texts[0]}`" if len(texts[0]) <= LONGEST else f"`{word}` of it"
    return Candidate(
        edits,
        f"clauses are read in their order, and line {row[0].span.line} makes sense by what line "
        f"{moved.span.line} says: put that in front of it, {text}",
        within=word == "invariant",
    )
