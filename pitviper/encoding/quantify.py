"""Statements for all values, with patterns that may mention further variables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from pitviper.encoding.triggers.sums import Pattern, for_all_matching
from pitviper.terms import build as tb
from pitviper.terms.build import forall
from pitviper.terms.sort import BOOL
from pitviper.terms.substitute import substitute
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


def looked_at(
    patterns: Patterns, variables: tuple[Var, ...], is_location: Callable[[Term], bool]
) -> Term:
    """The locations that all patterns have in common, as a premise for what is said of all values.

    Terms for locations are true; they say that somebody looks at one. With this premise, a value
    for which a statement is said to be false is one for which its locations are looked at.
    """
    common = set.intersection(*[set(pattern) for pattern in patterns]) if patterns else set()
    found = [t for t in (patterns[0] if patterns else ()) if t in common and is_location(t)]
    return tb.conjoin(*[t for t in found if not further_variables((t,), variables)])


def further_variables(pattern: Pattern, variables: tuple[Var, ...]) -> tuple[Var, ...]:
    mentioned = dict.fromkeys([v for term in pattern for v in term.free])
    return tuple([v for v in mentioned if v not in variables])


def axiom(
    name: str, variables: tuple[Var, ...], body: Term, *patterns: Term | tuple[Term, ...]
) -> Term:
    """`forall variables :: {pattern} {pattern} body`; a pattern is a term or several together."""
    triggers = tuple(p if isinstance(p, tuple) else (p,) for p in patterns)
    return forall(variables, body, triggers, name)


_MAX_CASES: Final = 4


def are_formals(
    args: tuple[Term, ...], xs: tuple[Term, ...], binding: dict[Term, Term], formals: Sequence[Var]
) -> Term:
    """The `args`, with the values of `binding` for `xs`, are the `formals`.

    Truth values are told apart, because the solver does not look at both cases of one by itself
    where it is an argument of a function.
    """

    def denote(values: dict[Term, Term]) -> Term:
        places = [substitute(arg, values) for arg in args]
        return tb.conjoin(*[tb.equal(p, r) for p, r in zip(places, formals, strict=True)])

    cases = [binding]
    for x in xs:
        if x.sort is BOOL and len(cases) < _MAX_CASES:
            cases = [{**case, x: value} for case in cases for value in (tb.TRUE, tb.FALSE)]
    if len(cases) == 1:
        return denote(binding)
    chosen = [
        tb.conjoin(denote(case), *[tb.equal(binding[x], case[x]) for x in xs]) for case in cases
    ]
    return tb.conjoin(denote(binding), tb.disjoin(*chosen))
