"""Side conditions that the types do not express: the consistency errors of Viper.

A typed program comes in, diagnostics go out: below is the list of checks, in the order in which
Viper reports them. Read `formulas.py` first, then `declarations.py`. The typed program cannot
hold an impure formula in a pure place; lowering reports those itself. Imports no engine and no
logic.
"""

from __future__ import annotations

from pitviper.checking.options import CheckOptions
from pitviper.checking.wellformed.declarations import (
    Contracts,
    check_adt,
    check_domain,
    check_global_names,
    check_orders,
    check_predicate_instance,
    check_recursion,
    warn_of_order_names,
)
from pitviper.checking.wellformed.findings import Findings
from pitviper.checking.wellformed.formulas import Formulas
from pitviper.checking.wellformed.termination import check_clauses, check_postcondition_calls
from pitviper.program.member import Program
from pitviper.source.diagnostic import Diagnostic


def check_wellformed(
    program: Program, options: CheckOptions, *, free_names: bool = False
) -> list[Diagnostic]:
    """All consistency errors of a program, with warnings.

    What Viper leaves to its plugins is looked at only if there is no other error, as it does.
    With `free_names` names may be others than Viper can write: those of another language.
    """
    findings = Findings(free_names=free_names)
    formulas = Formulas(findings)
    exact = options.respect_function_perm_amounts
    contracts = Contracts(findings, formulas, exact_amounts=exact)
    _check_members(program, contracts)
    check_recursion(findings, program)
    if not findings.errors:
        check_clauses(findings, contracts.measures)
        check_postcondition_calls(findings, program)
        check_orders(findings, program, contracts.measures)
        check_predicate_instance(findings, program, formulas.predicate_instance)
    warn_of_order_names(findings, program)
    return findings.in_source_order()


def _check_members(program: Program, contracts: Contracts) -> None:
    findings = contracts.findings
    check_global_names(findings, program)
    for domain in program.domains.values():
        check_domain(findings, domain)
        contracts.domain(domain)
    for adt in program.adts.values():
        check_adt(findings, adt)
    for function in program.functions.values():
        contracts.function(function)
    for predicate in program.predicates.values():
        contracts.predicate(predicate)
    for method in program.methods.values():
        contracts.method(method)
