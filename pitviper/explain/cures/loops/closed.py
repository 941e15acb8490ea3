"""Instances that a loop makes anew in each iteration: its invariants have to keep them."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import Case, lacking_of, with_arguments
from pitviper.explain.cures.edit import Candidate, words_for_front
from pitviper.explain.writing import at_end_of, in_front_of, invariants
from pitviper.program import assertion as a
from pitviper.program import stmt as s
from pitviper.program.member import Method
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import assigned_variables, descendants, free_vars
from pitviper.results.wording import VIPER, wording_of


def kept_closed(case: Case) -> Iterator[Candidate]:
    """`invariant list(r)` for a promised `list(r)`, where the loop assigns `r`."""
    method, location = case.member, lacking_of(case)
    if not isinstance(method, Method) or method.body is None:
        return
    if case.finding.error not in ("postcondition.violated", "unfold.failed"):
        return
    if not isinstance(location, a.PredicateLocation):
        return
    if wording_of(case.finding.span) is not VIPER:
        return
    wanted = [text_of(with_arguments(case, location))]
    for loop in [n for n in descendants(method.body) if isinstance(n, s.While)]:
        has = {text_of(n) for clause in loop.invariants for n in descendants(clause)}
        made = {variable.name for variable in assigned_variables(loop)}
        opened = [text_of(n.predicate) for n in descendants(loop.body) if isinstance(n, s.Unfold)]
        promised = [
            text_of(n)
            for clause in method.postconditions
            for n in descendants(clause)
            if isinstance(n, a.PredicateLocation) and free_vars(n) & made
        ]
        if not free_vars(location) & made or wanted[0] in has:
            continue
        added = [text for text in dict.fromkeys([*opened, *promised, *wanted]) if text not in has]
        closed = [text for text in added if text not in opened]
        if not closed or len(added) > _MOST:
            continue
        clauses = " and ".join([f"`invariant {text}`" for text in added])
        folds = [f"fold {text}" for text in closed]
        words = " and ".join([f"`{step}`" for step in folds])
        lead = f"after the loop of line {loop.span.line} only its invariants are known"
        kept, front = invariants(loop, added), in_front_of(loop, folds)
        end = at_end_of(loop.body, folds)
        yield Candidate((*kept, end), f"{lead}: add {clauses}, and {words} at the end of its body")
        yield Candidate(
            (front, *kept, end),
            f"{lead}: add {clauses}, with {words} {words_for_front(loop)} and at the end of its "
            "body",
        )


_MOST = 3
"""Instances that are kept by one loop."""
