"""A number in a body that is not the one a promise asks for: runs show which one would be.

f := c \\ 5 * 9 + 23      // ensures f * 5 == c * 9 + 160: 32
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from pitviper.base.record import replace
from pitviper.explain.advice.case import Case
from pitviper.explain.advice.runs.trial import holding
from pitviper.explain.cures.edit import Candidate
from pitviper.explain.cures.mutations import said_changed, steps_before
from pitviper.explain.writing import replaced
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Method
from pitviper.program.node import Node
from pitviper.program.walk import descendants, rewrite

MOST_LITERALS = 6
"""Numbers of a body that are doubted."""

FARTHEST = 100
"""How far the number that is meant is from the one that is written."""

RUNS = 24
"""Runs that have to go well."""

FEWEST = 3
"""Runs below which all of them may go well by accident."""


def other_number(case: Case) -> Iterator[Candidate]:
    """The nearest number with which the runs that are tried keep a promise of equality."""
    method = case.member
    if not isinstance(method, Method) or method.body is None or not isinstance(case.part, x.Equal):
        return
    if case.finding.error != "postcondition.violated":
        return
    doubted = [
        (node, number)
        for node in steps_before(method.body, case)
        if isinstance(node, s.LocalAssign | s.FieldAssign)
        for number in descendants(node.value)
        if isinstance(number, x.IntLit) and number.span.text.isdigit()
    ]
    for node, number in doubted[:MOST_LITERALS]:
        meant = _meant(case, method, number)
        if meant is not None:
            edit = replaced(number, str(meant))
            yield Candidate((edit,), said_changed(node, edit, ""), values=True)


def _meant(case: Case, method: Method, number: x.IntLit) -> int | None:
    nearest = [number.value + sign * by for by in range(1, FARTHEST + 1) for sign in (-1, 1)]
    return next((n for n in nearest if n > 0 and _does(case, method, number, n)), None)


def _does(case: Case, method: Method, number: x.IntLit, other: int) -> bool:
    """Whether all runs that are tried keep the promise with another number."""
    assert method.body is not None
    literal = replace(number, value=other)

    def exchanged(node: Node) -> Node | None:
        return literal if node is number else None

    member = replace(method, body=rewrite(method.body, exchanged))
    runs = holding(replace(case, member=member))
    first = list(islice(runs, FEWEST))
    return len(first) == FEWEST and all(first) and all(islice(runs, RUNS))
