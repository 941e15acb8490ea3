"""The consistency of termination measures, which Viper checks after everything else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pitviper.checking.wellformed.findings import Findings
from pitviper.program import expr
from pitviper.program.assertion import Wand
from pitviper.program.callgraph import called_functions, strongly_connected
from pitviper.program.expr import FunctionApp
from pitviper.program.member import Function, Method, Program
from pitviper.program.node import Node
from pitviper.program.stmt import Decreases, DecreasesStar, DecreasesTuple, DecreasesWildcard
from pitviper.program.walk import children, descendants

_KINDS: tuple[tuple[type, str], ...] = (
    (DecreasesTuple, "tuple"),
    (DecreasesWildcard, "wildcard"),
    (DecreasesStar, "star"),
)


def clause_groups(member: Method | Function) -> list[tuple[Decreases, ...]]:
    """The clauses that stand among the preconditions and those that stand behind a postcondition.

    Each group may have one clause of each kind.
    """
    before: list[Decreases] = []
    behind: list[Decreases] = []
    starts = [post.span.start for post in member.postconditions]
    for clause in member.decreases:
        late = any(start < clause.span.start for start in starts)
        (behind if late else before).append(clause)
    return [tuple(group) for group in (before, behind) if group]


def check_clauses(findings: Findings, groups: Iterable[tuple[Decreases, ...]]) -> None:
    """At most one clause of each kind in a group; no wand and no `[A, B]` as a measure."""
    for group in groups:
        for kind, word in _KINDS:
            same = [clause for clause in group if isinstance(clause, kind)]
            if len(same) > 1:
                findings.error(same[0].span, f"Multiple decreases {word}.")
        for clause in group:
            if isinstance(clause, DecreasesTuple):
                for measure in clause.measures:
                    _check_measure(findings, measure)


def _check_measure(findings: Findings, measure: Node) -> None:
    """What decides between two measures, and what a measure opens, is no part of the measure."""
    todo = [measure]
    while todo:
        node = todo.pop()
        match node:
            case Wand():
                message = "Magic wand expressions are not allowed as termination measure."
                findings.error(node.span, message)
            case expr.InhaleExhaleExpr():
                message = "Inhale-exhale expressions are not allowed as termination measure."
                findings.error(node.span, message)
            case expr.Conditional():
                todo += (node.then, node.otherwise)
            case expr.Applying() | expr.Unfolding():
                todo.append(node.body)
            case expr.CurrentPerm():
                pass
            case _:
                todo += children(node)


def check_postcondition_calls(findings: Findings, program: Program) -> None:
    """A postcondition that calls its own function needs a proof that the recursion ends."""
    bodies = {
        name: called_functions([f.body]) if f.body is not None else ()
        for name, f in program.functions.items()
    }
    cycles = strongly_connected(bodies)
    cycle_of = {name: cycle for cycle in cycles for name in cycle}
    for function in program.functions.values():
        if not function.decreases:
            _check_postconditions(findings, function, cycle_of[function.name])


def _check_postconditions(findings: Findings, function: Function, cycle: Sequence[str]) -> None:
    for postcondition in function.postconditions:
        for node in descendants(postcondition):
            if not isinstance(node, FunctionApp):
                continue
            if node.function == function.name:
                _report_self_reference(findings, function, node)
            elif node.function in cycle:
                _report_mutual_reference(findings, function, node)


def _report_self_reference(findings: Findings, function: Function, app: FunctionApp) -> None:
    message = f"Function {function.name} has a self-reference in its postcondition"
    findings.error(
        app.span,
        f"{message} and must be proven to be well-founded.",
        help=_as_result(app) if app.args == function.params else _ADD_CLAUSE,
    )


def _report_mutual_reference(findings: Findings, function: Function, app: FunctionApp) -> None:
    message = f"Function {function.name} calls the mutually recursive function {app.function}"
    findings.error(
        app.span,
        f"{message} in its postcondition and must be proven to be well-founded.",
        help=_ADD_CLAUSE,
    )


def _as_result(app: FunctionApp) -> str:
    """Its own value has a name in a postcondition."""
    return f"a postcondition calls the value `result`: write `result` for `{app.span.text}`"


_ADD_CLAUSE = "write a `decreases` clause, which says why the calls come to an end"
