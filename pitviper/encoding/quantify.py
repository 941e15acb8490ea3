"""Statements for all values, with patterns that may mention further variables."""

from __future__ import annotations

from pitviper.encoding.triggers.patterns import Pattern
from pitviper.encoding.triggers.sums import for_all_matching
from pitviper.terms import build as tb
from pitviper.terms.build import forall
from pitviper.terms.term import Term, Var

Patterns = tuple[Pattern, ...]


def for_all(
    variables: tuple[Var, ...],
    body: Term,
    patterns: Patterns,
    name: str,
    weight: int | None = None,
) -> Term:
    """The body for all values. Patterns with further variables count only where there are no
    others; each of them then gets a quantifier of its own, over its variables as well."""
    plain = tuple([p for p in patterns if not further_variables(p, variables)])
    if plain or not patterns:
        return for_all_matching(variables, body, plain, name, weight)
    return tb.conjoin(
        *[
            for_all_matching(
                (*variables, *further_variables(p, variables)), body, (p,), name, weight
            )
            for p in patterns
        ]
    )


def further_variables(pattern: Pattern, variables: tuple[Var, ...]) -> tuple[Var, ...]:
    mentioned = dict.fromkeys([v for term in pattern for v in term.free])
    return tuple([v for v in mentioned if v not in variables])


def axiom(
    name: str, variables: tuple[Var, ...], body: Term, *patterns: Term | tuple[Term, ...]
) -> Term:
    """`forall variables :: {pattern} {pattern} body`; a pattern is a term or several together."""
    triggers = tuple(p if isinstance(p, tuple) else (p,) for p in patterns)
    return forall(variables, body, triggers, name)
