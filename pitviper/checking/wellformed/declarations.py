"""The consistency of declarations: names, domains, ADTs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pitviper.checking.wellformed import places
from pitviper.checking.wellformed.findings import Findings
from pitviper.checking.wellformed.formulas import Formulas
from pitviper.checking.wellformed.statements import Statements
from pitviper.checking.wellformed.termination import clause_groups
from pitviper.program.callgraph import call_graph, called_functions
from pitviper.program.expr import PREDICATE_INSTANCE, DomainApp, PredicateInstance, Var
from pitviper.program.member import Adt, Domain, Function, Method, Predicate, Program
from pitviper.program.stmt import Decreases, DecreasesTuple
from pitviper.program.types import Type, TypeVar
from pitviper.program.walk import descendants, free_variables
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
    if findings.free_names:
        return
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
        for axiom in domain.axioms:
            if axiom.name is not None:
                yield axiom.name, axiom.span
        for function in domain.functions:
            yield function.name, function.span
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


class Contracts:
    """Checks members; `measures` are the groups of decreases clauses seen so far."""

    __slots__ = ("_exact_amounts", "_formulas", "findings", "measures")

    def __init__(self, findings: Findings, formulas: Formulas, *, exact_amounts: bool) -> None:
        self.findings = findings
        self.measures: list[tuple[Decreases, ...]] = []
        self._formulas = formulas
        self._exact_amounts = exact_amounts

    def method(self, method: Method) -> None:
        check_parameters(self.findings, (*method.params, *method.returns))
        for precondition in method.preconditions:
            self._formulas.contract(precondition, places.METHOD_PRECONDITION)
        self._no_returns_in_preconditions(method)
        for postcondition in method.postconditions:
            self._formulas.contract(postcondition, places.METHOD_POSTCONDITION)
        self._decreases(method)
        self._formulas.take_labels()
        if method.body is not None:
            statements = Statements(self.findings, self._formulas, method)
            statements.check_body(method.body)
            self.measures += statements.measures

    def _no_returns_in_preconditions(self, method: Method) -> None:
        returns = {variable.name for variable in method.returns}
        if not returns:
            return
        for precondition in method.preconditions:
            for variable in free_variables(precondition):
                if variable.name in returns:
                    message = f"Return variable {variable.name} is not allowed in a precondition."
                    related = (Related(variable.span, "this one"),)
                    self.findings.error(precondition.span, message, related=related)

    def function(self, function: Function) -> None:
        check_parameters(self.findings, function.params)
        self._formulas.amounts_are_binary(binary=not self._exact_amounts)
        for precondition in function.preconditions:
            self._formulas.contract(precondition, places.FUNCTION_PRECONDITION)
        for postcondition in function.postconditions:
            self._formulas.contract(postcondition, places.FUNCTION_POSTCONDITION)
        if function.body is not None:
            self._formulas.contract(function.body, places.FUNCTION_BODY)
        self._decreases(function)
        self._formulas.amounts_are_binary(binary=False)

    def _decreases(self, member: Method | Function) -> None:
        for clause in member.decreases:
            self._formulas.contract(clause, places.METHOD_PRECONDITION)
        self.measures += clause_groups(member)

    def predicate(self, predicate: Predicate) -> None:
        check_parameters(self.findings, predicate.params)
        if predicate.body is not None:
            self._formulas.contract(predicate.body, places.PREDICATE_BODY)

    def domain(self, domain: Domain) -> None:
        for axiom in domain.axioms:
            self._formulas.contract(axiom.body, places.AXIOM)


def check_recursion(findings: Findings, program: Program) -> None:
    """A call in the precondition or measure of f must not lead back to f by any way.

    Such a call leads back exactly if the callee is in the strongly connected component of f.
    """
    graph = call_graph(program)
    for name, function in program.functions.items():
        called = called_functions([*function.preconditions, *function.decreases])
        cycle = graph.components[graph.heights[name]]
        if any(callee in cycle for callee in called):
            message = f"Function {name} recurses via its precondition"
            if len(cycle) > 1:
                message += f": the cycle contains the functions {', '.join(cycle)}"
            findings.error(function.span, message + ".")
