"""Clauses without a meaning: whether it says something that they do not hold either.

A clause that reads what it has no permission to is reported as such. What it reads may be inside a
predicate instance that is held; that it could not be proved without opening that says nothing.
"""

from __future__ import annotations

from pitviper.program import expr as pe
from pitviper.program.assertion import FieldLocation
from pitviper.program.member import Function, Method, Predicate, Program
from pitviper.program.node import Node
from pitviper.program.stmt import Label, While
from pitviper.program.walk import descendants
from pitviper.results.finding import Finding

_CLAIMS = ("invariant.not.established", "invariant.not.preserved", "postcondition.violated")


def without_consequences(
    findings: tuple[Finding, ...], member: Function | Predicate | Method, program: Program
) -> tuple[Finding, ...]:
    findings = tuple([f for f in findings if not _is_about_nothing(f, findings)])
    ill = {finding.span for finding in findings if finding.error == "not.wellformed"}
    if not any(finding.error in _CLAIMS and finding.span in ill for finding in findings):
        return findings
    hidden = {clause.span for clause in _clauses(member) if _may_be_hidden(clause, program)}
    return tuple([f for f in findings if f.error not in _CLAIMS or f.span not in ill & hidden])


def _is_about_nothing(finding: Finding, findings: tuple[Finding, ...]) -> bool:
    """Whether a resource without a meaning is said to be denoted twice."""
    resource = finding.offending
    if finding.reason != "qp.not.injective" or resource is None:
        return False
    return any(
        other.error == finding.error
        and other.span == finding.span
        and other.reason != finding.reason
        and other.offending is not None
        and resource.start <= other.offending.start
        and other.offending.end <= resource.end
        for other in findings
    )


def _clauses(member: Function | Predicate | Method) -> list[Node]:
    if not isinstance(member, Method):
        return []
    found: list[Node] = list(member.postconditions)
    if member.body is not None:
        for node in descendants(member.body):
            if isinstance(node, While | Label):
                found.extend(node.invariants)
    return found


def _may_be_hidden(clause: Node, program: Program) -> bool:
    nodes = list(descendants(clause))
    if any(isinstance(node, pe.FunctionApp) for node in nodes):
        return True
    read = {node.field for node in nodes if isinstance(node, pe.FieldRead)}
    for predicate in program.predicates.values():
        if predicate.body is None:
            return bool(read)
        inside = descendants(predicate.body)
        if any(isinstance(node, FieldLocation) and node.field in read for node in inside):
            return True
    return False
