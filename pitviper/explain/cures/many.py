"""Edits that say that objects of a quantified permission differ."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import Case
from pitviper.explain.advice.facts.defined import twice_of
from pitviper.explain.cures.edit import Candidate
from pitviper.explain.writing import axiom_of, inserted
from pitviper.program import expr as x
from pitviper.program.member import Function, Method
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import free_vars


def told_apart(case: Case) -> Iterator[Candidate]:
    """An axiom, where the objects are values of a domain's function; else a precondition."""
    found = twice_of(case)
    if found is None:
        return
    receiver = found.receiver
    if isinstance(receiver, x.DomainApp):
        yield from _by_axiom(case, receiver, found.variable)
    if not isinstance(case.member, Method | Function):
        return
    for clause in case.member.preconditions:
        if clause.span.encloses(found.quantifier.span):
            yield Candidate(
                (inserted(clause, f"{found.fact}\n  requires "),),
                f"say that no object comes twice, in front of this `requires`: `requires "
                f"{found.fact}`",
                within=False,
                further=True,
            )


def _by_axiom(case: Case, receiver: x.DomainApp, variable: x.Var) -> Iterator[Candidate]:
    """`loc(a, i) != loc(a, j)` for all `a`, as callers could not prove it."""
    domain = case.program.domains[receiver.domain]
    if domain.type_params or any(not isinstance(arg, x.Var) for arg in receiver.args):
        return
    names = [arg.name for arg in receiver.args if isinstance(arg, x.Var)]
    if names.count(variable.name) != 1 or not free_vars(receiver) <= set(names):
        return
    other = f"{variable.name}2"
    one = text_of(receiver)
    two = f"{receiver.function}({', '.join([other if n == variable.name else n for n in names])})"
    bound = [f"{arg.span.text}: {arg.type}" for arg in receiver.args]
    bound.append(f"{other}: {variable.type}")
    clause = (
        f"axiom {{ forall {', '.join(bound)} :: {{ {one}, {two} }} {variable.name} != {other} ==> "
        f"{one} != {two} }}"
    )
    yield Candidate(
        (axiom_of(domain, clause),),
        f"nothing says that `{receiver.function}` has different values for different "
        f"`{variable.name}`: add `{clause}` to `{domain.name}`",
        within=False,
        further=True,
    )
