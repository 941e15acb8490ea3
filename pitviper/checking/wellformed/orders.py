"""Measures and predicate instances need the domains that give them a meaning."""

from __future__ import annotations

from collections.abc import Iterable

from pitviper.checking.wellformed.findings import Findings
from pitviper.program.expr import PREDICATE_INSTANCE, DomainApp, PredicateInstance
from pitviper.program.member import Domain, Program
from pitviper.program.stmt import Decreases, DecreasesTuple
from pitviper.program.types import Type, TypeVar
from pitviper.program.walk import descendants


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


def warn_of_order_names(findings: Findings, program: Program) -> None:
    """A domain that orders a type under another name hides the order of the library."""
    if _ORDER not in program.domains:
        return
    for domain in program.domains.values():
        for ordered in _ordered_types(domain):
            if domain.name not in _order_names(ordered):
                message = (
                    f"Domain {domain.name} constrains the well-founded order of type {ordered}"
                )
                findings.warning(
                    "typechecker.warning",
                    domain.span,
                    f"{message} and should be named <Type>{_ORDER} instead.",
                )


def _ordered_types(domain: Domain) -> tuple[Type, ...]:
    """The types whose order the axioms of a domain talk about."""
    found: dict[Type, None] = {}
    for axiom in domain.axioms:
        for node in descendants(axiom.body):
            if isinstance(node, DomainApp) and node.domain == _ORDER:
                found.update(dict.fromkeys(node.type_args))
    return tuple([t for t in found if not isinstance(t, TypeVar)])


def _order_names(ordered: Type) -> tuple[str, ...]:
    name = str(ordered).partition("[")[0]
    return tuple([other + _ORDER for other in _OTHER_NAMES.get(name, (name,))])


_ORDER = "WellFoundedOrder"
_OTHER_NAMES = {
    "Perm": ("Perm", "Rational"),
    "Multiset": ("Multiset", "MultiSet"),
    PREDICATE_INSTANCE.name: ("PredicateInstances",),
}
"""Types whose library domains are not named after them."""


def check_predicate_instance(
    findings: Findings, program: Program, instance: PredicateInstance | None
) -> None:
    """`instance` is the first one of the program, if there is any."""
    if instance is not None and PREDICATE_INSTANCE.name not in program.domains:
        message = f"Domain {PREDICATE_INSTANCE.name} is required but not declared."
        findings.error(instance.span, message, help="import <predicateinstance/pi.vpr>")
