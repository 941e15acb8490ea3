"""The consistency of members: their contracts, bodies and axioms."""

from __future__ import annotations

from pitviper.checking.wellformed import places
from pitviper.checking.wellformed.declarations import check_parameters
from pitviper.checking.wellformed.findings import Findings
from pitviper.checking.wellformed.formulas import Formulas
from pitviper.checking.wellformed.statements import Statements
from pitviper.checking.wellformed.termination import clause_groups
from pitviper.program.callgraph import call_graph, called_functions
from pitviper.program.member import Domain, Function, Method, Predicate, Program
from pitviper.program.stmt import Decreases
from pitviper.program.walk import free_variables
from pitviper.source.diagnostic import Related


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
