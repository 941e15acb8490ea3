"""That elements of a set differ, where a claim counts them."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import Case, reads_heap
from pitviper.explain.advice.facts.elements import equal_elements
from pitviper.explain.cures.edit import Candidate, never_called
from pitviper.explain.cures.needs import at_the_start, facts_needed
from pitviper.explain.writing import requires
from pitviper.program.member import Function, Method
from pitviper.program.walk import free_vars


def different_elements(case: Case) -> Iterator[Candidate]:
    """`requires x != y` for `|Set(x, y)| == 2`."""
    member = case.member
    if not isinstance(member, Method | Function) or member.body is None:
        return
    for fact in facts_needed(case):
        early = at_the_start(case, fact)
        found = None if early is None else equal_elements(early)
        if early is None or found is None or reads_heap(early):
            continue
        if not free_vars(early) <= {param.name for param in member.params}:
            continue
        edits = requires(member, found[1])
        yield Candidate(
            edits,
            f"{found[0]}: ask that they differ, `requires {found[1]}`",
            within=False,
            never=never_called(member, edits),
        )
