"""Values that an inverse function gives denote the location it was asked about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pitviper.terms import build as tb
from pitviper.terms.sort import BOOL
from pitviper.terms.substitute import substitute
from pitviper.terms.term import Term, Var

_MAX_CASES: Final = 4


def back_home(
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
