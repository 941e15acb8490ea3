"""What people write who come from other languages: shapes of tokens, with what to write instead.

A rule gets the token at which the parser stands and what the parser expected there; it returns
what to write, made of the program's own words where these are short, or None where the shape is
another one. Rules are asked about wrong programs only, so none of them changes what is accepted.
"""

from __future__ import annotations

from pitviper.syntax.parse.mistakes import (
    alone,
    binders,
    branches,
    calls,
    choices,
    expressions,
    formulas,
    instances,
    objects,
    permissions,
    quantifiers,
    signs,
    statements,
)
from pitviper.syntax.parse.mistakes.look import Look
from pitviper.syntax.parse.mistakes.members import bodies, declarations, domains, headers
from pitviper.syntax.parse.mistakes.values import kinds, literals, places
from pitviper.syntax.token import Tokens


def slip(tokens: Tokens, at: int, expected: str) -> str | None:
    """What to write instead, where the shape of the tokens tells what was meant."""
    look = Look(tokens)
    return next((said for rule in _RULES if (said := rule(look, at, expected)) is not None), None)


_RULES = (
    signs.single_sign, *binders.RULES, *instances.RULES, *permissions.RULES, *literals.RULES,
    *kinds.RULES, *branches.RULES, *quantifiers.RULES, *headers.RULES,
    *places.RULES, *calls.RULES, *domains.RULES,
    *bodies.RULES, *choices.RULES, *declarations.RULES, *objects.RULES, *formulas.RULES,
    *alone.RULES,
    *expressions.RULES, *statements.RULES,
)  # fmt: skip
"""In the order in which they are asked."""
