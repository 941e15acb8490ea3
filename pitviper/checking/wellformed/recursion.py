"""Functions must not recurse through their own preconditions."""

from __future__ import annotations

from pitviper.checking.wellformed.findings import Findings
from pitviper.program.callgraph import call_graph, called_functions
from pitviper.program.member import Program


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
