"""Axioms that contradict each other, whether or not a trigger brings that to light.

A verifier sees a contradiction only where terms of the program make the axioms meet; here they are
asked about by themselves, and the solver looks for a model. Advice and certificates depend on the
answer, and with `--strict` whether the program is accepted; no other verdict does.
"""

from __future__ import annotations

from pitviper.base.record import replace
from pitviper.engines.explore.options import ModelOptions
from pitviper.engines.explore.search.engine import SHORT, START
from pitviper.engines.explore.viper.axioms import all_axioms
from pitviper.program.member import Axiom, Program
from pitviper.solver.z3.options import Z3Options
from pitviper.solver.z3.session import Z3Session
from pitviper.source.diagnostic import Diagnostic, Related, Severity
from pitviper.terms.term import FALSE


def contradictory(program: Program) -> tuple[Axiom, ...]:
    """The fewest axioms that have no model together; none where nothing is seen.

    One question, where there are axioms; where they contradict each other, one more for each.
    """
    found = [axiom for domain in program.domains.values() for axiom in domain.axioms]
    if not found or not _has_no_model(program, found):
        return ()
    for axiom in list(found):
        fewer = [one for one in found if one is not axiom]
        if fewer and _has_no_model(program, fewer):
            found = fewer
    return tuple(found)


def about_axioms(program: Program) -> tuple[Diagnostic, ...]:
    """With `--strict`: an error where axioms contradict each other, as everything follows then."""
    found = contradictory(program)
    if not found:
        return ()
    message = f"{contradiction(found)}: everything follows from them"
    first, *others = [axiom.span for axiom in found]
    related = tuple([Related(span, "this one, too") for span in others])
    cure = "without `--strict` they are believed"
    return (Diagnostic("consistency.error", Severity.ERROR, first, message, related, help=cure),)


def contradiction(axioms: tuple[Axiom, ...]) -> str:
    """Says that these axioms have no model."""
    *some, last = [
        f"{f'`{axiom.name}` ' if axiom.name else ''}in line {axiom.span.line}" for axiom in axioms
    ]
    if not some:
        return f"the axiom {last} contradicts itself"
    return f"the axioms {', '.join(some)} and {last} contradict each other"


def _has_no_model(program: Program, axioms: list[Axiom]) -> bool:
    kept = {id(axiom) for axiom in axioms}
    domains = {
        domain.name: replace(domain, axioms=tuple([a for a in domain.axioms if id(a) in kept]))
        for domain in program.domains.values()
    }
    facts = all_axioms(replace(program, domains=domains), ModelOptions())
    with Z3Session(Z3Options(models=True)) as judge:
        judge.declare(facts)
        return judge.entails(START, FALSE, SHORT).proved
