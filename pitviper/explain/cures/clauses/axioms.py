"""Axioms that forget to count: a value is made of another one, and as large as that.

axiom { forall s: Stack, x: Int :: size(push(s, x)) == size(s) }    // size(s) + 1
"""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import Case, with_values
from pitviper.explain.cures.edit import Candidate, edited_in, never_called
from pitviper.explain.writing import replaced
from pitviper.program import expr as x
from pitviper.program.member import Axiom, Method
from pitviper.program.walk import descendants
from pitviper.results.wording import VIPER, wording_of


def one_more(case: Case) -> Iterator[Candidate]:
    """An equation that a claim needs, with one more."""
    method, part = case.member, with_values(case)
    if not isinstance(method, Method) or not isinstance(part, x.Equal | x.Compare):
        return
    if wording_of(method.span) is not VIPER:
        return
    used = {n.function for n in descendants(part) if isinstance(n, x.DomainApp)}
    for domain in case.program.domains.values():
        for axiom in domain.axioms:
            for side in _numbers(axiom, used):
                edit = replaced(side.right, f"{side.right.span.text} + 1")
                yield Candidate(
                    (edit,),
                    f"the axiom of line {side.span.line} does not count: write "
                    f"`{edited_in(side.span, edit)}` there",
                    within=False,
                    never=never_called(method, (edit,)),
                )


def _numbers(axiom: Axiom, used: set[str]) -> Iterator[x.Equal]:
    """Equations that say that a number stays as it is, of functions that a claim applies."""
    for node in descendants(axiom.body):
        match node:
            case x.Equal(x.DomainApp() as left, x.DomainApp()) if str(left.type) == "Int":
                applied = {n.function for n in descendants(left) if isinstance(n, x.DomainApp)}
                if len(applied) > 1 and applied <= used:
                    yield node
