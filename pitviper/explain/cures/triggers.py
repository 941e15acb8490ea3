"""Facts that are not used because their trigger occurs nowhere: another trigger for them."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import Case
from pitviper.explain.cures.edit import Candidate
from pitviper.explain.writing import replaced
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Function, Method
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants, free_vars
from pitviper.results.wording import VIPER, wording_of

MOST = 6
"""Other triggers that are tried."""


def other_trigger(case: Case) -> Iterator[Candidate]:
    """`{ f(i) }` for `{ f(f(i)) }`, where the failing formula speaks of `f`."""
    if case.part is None or wording_of(case.finding.span) is not VIPER:
        return
    wanted = {_function(node) for node in descendants(case.part)} - {None}
    found = 0
    for fact in _facts(case):
        for trigger in fact.triggers:
            if len(fact.triggers) != 1 or len(trigger.terms) != 1:
                continue
            for term in _terms(fact, wanted):
                text = f"{{ {term} }}"
                if found == MOST or text_of(trigger.terms[0]) == term:
                    continue
                found += 1
                yield Candidate(
                    (replaced(trigger, text),),
                    f"line {fact.span.line} is used only where its trigger "
                    f"`{trigger.span.text}` occurs, and nothing here has that form: write "
                    f"`{text}` in place of it",
                    within=False,
                )


def _function(node: Node) -> str | None:
    return node.function if isinstance(node, x.FunctionApp | x.DomainApp) else None


def _facts(case: Case) -> Iterator[x.Forall]:
    """Quantified facts that are known at the failing place."""
    member = case.member
    if not isinstance(member, Method | Function):
        return
    known: list[Node] = [*member.preconditions]
    known += [axiom for domain in case.program.domains.values() for axiom in domain.axioms]
    if isinstance(member, Method) and member.body is not None:
        for node in descendants(member.body):
            match node:
                case s.Inhale(fact):
                    known.append(fact)
                case s.While():
                    known += node.invariants
                case s.MethodCall(method):
                    known += case.program.methods[method].postconditions
    for formula in known:
        for inner in descendants(formula):
            if isinstance(inner, x.Forall) and inner.triggers:
                yield inner


def _terms(fact: x.Forall, wanted: set[str | None]) -> Iterator[str]:
    """Applications in a fact that mention all of its variables, those of the claim first."""
    names = {variable.name for variable in fact.variables}
    kinds = (x.FunctionApp, x.DomainApp, x.SeqIndex)
    terms = [
        node
        for node in descendants(fact.body)
        if isinstance(node, kinds) and names <= free_vars(node)
        if not any(isinstance(inner, x.IntArith) for inner in descendants(node))
    ]
    terms.sort(key=lambda node: (_function(node) not in wanted, len(text_of(node))))
    yield from dict.fromkeys([text_of(node) for node in terms])
