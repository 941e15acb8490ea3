"""The consistency of declarations: names, domains, ADTs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pitviper.checking.wellformed.findings import Findings
from pitviper.program.expr import Var
from pitviper.program.member import Adt, Domain, Program
from pitviper.source.diagnostic import Related
from pitviper.source.span import Span
from pitviper.syntax.token import KEYWORDS

_IDENTIFIER = re.compile(r"[A-Za-z$_][A-Za-z0-9$_'@]*")
"""Wider than what the parser accepts: tools may put ' and @ into names of their own."""

SOLVER_KEY = "SMTLIB"
"""The interpretation that our engines use."""


def check_global_names(findings: Findings, program: Program) -> None:
    """One name space for everything that is not inside a member."""
    first: dict[str, Span] = {}
    for name, span in _global_names(program):
        check_name(findings, name, span)
        if name in first:
            related = (Related(first[name], "the first one"),)
            findings.error(span, f"Duplicate identifier {name} found.", related=related)
        first.setdefault(name, span)


def check_name(findings: Findings, name: str, span: Span) -> None:
    if not _IDENTIFIER.fullmatch(name):
        findings.error(span, f"{name} is not a valid identifier.")
    elif name in KEYWORDS:
        findings.error(span, f"{name} is a reserved name.")


def check_parameters(findings: Findings, variables: Iterable[Var]) -> None:
    """Names of parameters and returns: valid, each once."""
    seen: set[str] = set()
    for variable in variables:
        check_name(findings, variable.name, variable.span)
        if variable.name in seen:
            findings.error(variable.span, f"Duplicate identifier {variable.name} found.")
        seen.add(variable.name)


def _global_names(program: Program) -> Iterator[tuple[str, Span]]:
    for table in (program.fields, program.methods, program.functions, program.predicates):
        for member in table.values():
            yield member.name, member.span
    for domain in program.domains.values():
        yield domain.name, domain.span
        for function in domain.functions:
            yield function.name, function.span
        for axiom in domain.axioms:
            if axiom.name is not None:
                yield axiom.name, axiom.span
    for adt in program.adts.values():
        yield adt.name, adt.span
        for constructor in adt.constructors:
            yield constructor.name, constructor.span


def check_domain(findings: Findings, domain: Domain) -> None:
    """Interpretations and unique functions; the axioms are formulas and checked as such."""
    if domain.interpretations is not None:
        if domain.type_params:
            message = f"Domain {domain.name} has an interpretation and must not be generic."
            findings.error(domain.span, message)
        if SOLVER_KEY not in [key for key, _ in domain.interpretations]:
            message = f"Domain {domain.name} has no interpretation for {SOLVER_KEY}."
            findings.error(domain.span, message, help=f'add {SOLVER_KEY}: "..."')
    for function in domain.functions:
        check_parameters(findings, function.params)
        if function.unique and function.params:
            message = "Only constants, i.e. nullary domain functions can be unique."
            findings.error(function.span, message)


def check_adt(findings: Findings, adt: Adt) -> None:
    if not adt.constructors:
        findings.error(adt.span, f"ADT {adt.name} must have at least one constructor.")
