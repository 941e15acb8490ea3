"""Measures and predicate instances need the domains that give them a meaning."""

from __future__ import annotations

from collections.abc import Iterable

from pitviper.checking.wellformed.findings import Findings
from pitviper.program.expr import PREDICATE_INSTANCE, PredicateInstance
from pitviper.program.member import Program
from pitviper.program.stmt import Decreases, DecreasesTuple


def check_orders(
    findings: Findings, program: Program, groups: Iterable[tuple[Decreases, ...]]
) -> None:
    """Measures are compared by functions that the program declares, usually by an import."""
    declared = {f.name for domain in program.domains.values() for f in domain.functions}
    for clause in [clause for group in groups for clause in group]:
        if isinstance(clause, DecreasesTuple):
            for function in _required(clause):
                if function not in declared:
                    message = f'Function "{function}" is required but not declared.'
                    help_text = "import <decreases/all.vpr>"
                    findings.error(clause.span, message, help=help_text)


def _required(clause: DecreasesTuple) -> list[str]:
    if not clause.measures:
        return []
    nested = any(isinstance(measure, PredicateInstance) for measure in clause.measures)
    return ["decreasing", "bounded", "nestedPredicates"] if nested else ["decreasing", "bounded"]


def check_predicate_instance(
    findings: Findings, program: Program, instance: PredicateInstance | None
) -> None:
    """`instance` is the first one of the program, if there is any."""
    if instance is not None and PREDICATE_INSTANCE.name not in program.domains:
        message = f"Domain {PREDICATE_INSTANCE.name} is required but not declared."
        findings.error(instance.span, message, help="import <predicateinstance/pi.vpr>")
