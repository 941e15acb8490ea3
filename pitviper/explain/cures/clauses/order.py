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
                yield _moved_down(word, clauses[number : later + 1])
                if later > number + 1:
                    yield _moved_up(word, clauses[number : later + 1])


def _rows(member: Method | Function) -> Iterator[tuple[str, tuple[Node, ...]]]:
    """Clauses that are read in their order."""
    yield "requires", member.preconditions
    yield "ensures", member.postconditions
    for loop in [n for n in nested(member) if isinstance(n, s.While)]:
        yield "invariant", loop.invariants


def _moved_down(word: str, row: tuple[Node, ...]) -> Candidate:
    """The first clause goes behind the last one, all others go up by one."""
    return Candidate(
        _written(row, (*row[1:], row[0])),
        f"clauses are read in their order, and {_clause(row[0], row)} makes sense by what is said "
        f"after it: put it after {_clause(row[-1], row)}",
        within=word == "invariant",
    )


def _moved_up(word: str, row: tuple[Node, ...]) -> Candidate:
    """The last clause goes in front of the first one, all others go down by one."""
    return Candidate(
        _written(row, (row[-1], *row[:-1])),
        f"clauses are read in their order, and {_clause(row[0], row)} makes sense by what is said "
        f"after it: put {_clause(row[-1], row)} before it",
        within=word == "invariant",
    )


def _clause(clause: Node, row: tuple[Node, ...]) -> str:
    """A clause by its text and line, a long one by its line where it is alone there."""
    text, line = clause.span.text, clause.span.line
    if len(text) > LONGEST and [other.span.line for other in row].count(line) == 1:
        return f"line {line}"
    return f"`{text}` (line {line})"


def _written(row: tuple[Node, ...], meant: tuple[Node, ...]) -> Edits:
    return tuple([replaced(c, other.span.text) for c, other in zip(row, meant, strict=True)])
