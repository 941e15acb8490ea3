"""A short way to write universally quantified axioms with their triggers."""

from __future__ import annotations

from pitviper.terms.build import forall
from pitviper.terms.term import Term, Var


def axiom(
    name: str, variables: tuple[Var, ...], body: Term, *patterns: Term | tuple[Term, ...]
) -> Term:
    """`forall variables :: {pattern} {pattern} body`; a pattern is a term or several together."""
    triggers = tuple(p if isinstance(p, tuple) else (p,) for p in patterns)
    return forall(variables, body, triggers, name)
