"""Clauses without a meaning: whether it says something that they do not hold either.

A clause that reads what it has no permission to is reported as such. What it reads may be inside a
predicate instance that is held; that it could not be proved without opening that says nothing.
"""

from __future__ import annotations

from typing import TypeAlias

from pitviper.encoding.symbols import Symbols
from pitviper.program import expr as pe
from pitviper.program.assertion import FieldLocation, PredicateLocation, Wand
from pitviper.program.member import Function, Method, Predicate, Program
from pitviper.program.node import Node
from pitviper.program.stmt import Label, MethodCall, While
from pitviper.program.walk import descendants
from pitviper.results.finding import Finding
from pitviper.source.span import Span

Member: TypeAlias = Function | Predicate | Method

_MEANINGLESS = (
    "seq.index.length",
    "seq.index.negative",
    "map.key.contains",
    "division.by.zero",
    "negative.permission",
)
_CLAIMS = ("invariant.not.established", "invariant.not.preserved", "postcondition.violated")


def without_consequences(
    findings: tuple[Finding, ...], member: Member, program: Program
) -> tuple[Finding, ...]:
    findings = tuple(
        [
            f
            for f in findings
            if not _is_in_body_of_nothing(f, findings, member)
            and not _is_about_nothing(f, findings)
            and not _rests_on_failure(f, findings)
            and not _was_judged(f, findings)
        ]
    )
    ill = {finding.span for finding in findings if finding.error == "not.wellformed"}
    if not any(finding.error in _CLAIMS and finding.span in ill for finding in findings):
        return findings
    hidden = {clause.span for clause in _clauses(member) if _may_be_hidden(clause, member, program)}
    return tuple([f for f in findings if f.error not in _CLAIMS or f.span not in ill & hidden])


def _is_in_body_of_nothing(finding: Finding, findings: tuple[Finding, ...], member: Member) -> bool:
    """Whether the body of a function is blamed whose contract has no meaning: it starts nowhere."""
    return (
        isinstance(member, Function)
        and finding.error in ("function.not.wellformed", "postcondition.violated")
        and any(other.error == "not.wellformed" for other in findings)
    )


def _is_about_nothing(finding: Finding, findings: tuple[Finding, ...]) -> bool:
    """Whether a resource without a meaning is said to be denoted twice, or one of which just that
    was said when its clause was judged."""
    resource = finding.offending
    if finding.reason != "qp.not.injective" or resource is None:
        return False
    if finding.error != "not.wellformed" and any(
        (other.error, other.reason, other.offending) == ("not.wellformed", finding.reason, resource)
        for other in findings
    ):
        return True
    return finding.error == "not.wellformed" and any(
        other.error == finding.error
        and other.span == finding.span
        and other.reason in _MEANINGLESS
        and other.offending is not None
        and resource.start <= other.offending.start
        and other.offending.end <= resource.end
        for other in findings
    )


def _was_judged(finding: Finding, findings: tuple[Finding, ...]) -> bool:
    """Whether just this was said about a clause when it was judged on its own."""
    return finding.error in _CLAIMS and any(
        other.error == "not.wellformed"
        and (other.reason, other.offending) == (finding.reason, finding.offending)
        for other in findings
    )


def _rests_on_failure(finding: Finding, findings: tuple[Finding, ...]) -> bool:
    """Whether a claim is said not to hold some part of which has no meaning there: its value rests
    on something that is not there."""
    claim = finding.offending
    if finding.reason != "assertion.false" or claim is None:
        return False
    return any(
        other.reason != finding.reason
        and (other.error, other.span) == (finding.error, finding.span)
        and other.offending is not None
        and claim.encloses(other.offending)
        for other in findings
    )


def _clauses(member: Member) -> list[Node]:
    if not isinstance(member, Method):
        return []
    found: list[Node] = list(member.postconditions)
    if member.body is not None:
        for node in descendants(member.body):
            if isinstance(node, While | Label):
                found.extend(node.invariants)
    return found


def _may_be_hidden(clause: Node, member: Member, program: Program) -> bool:
    nodes = list(descendants(clause))
    if any(isinstance(node, pe.FunctionApp) for node in nodes):
        return True
    read = {node.field for node in nodes if isinstance(node, pe.FieldRead)}
    mentioned = _mentioned(member, program)
    return any(isinstance(node, Wand) for node in mentioned) or any(
        _holds(node.predicate, read, program, set())
        for node in mentioned
        if isinstance(node, PredicateLocation)
    )


def _mentioned(member: Member, program: Program) -> list[Node]:
    """All nodes of a member, and of the contracts of the methods that it calls."""
    nodes = list(descendants(member))
    called = [program.methods[node.method] for node in nodes if isinstance(node, MethodCall)]
    for method in dict.fromkeys([method.name for method in called]):
        contract = program.methods[method]
        for clause in (*contract.preconditions, *contract.postconditions):
            nodes.extend(descendants(clause))
    return nodes


def _holds(predicate: str, fields: set[str], program: Program, seen: set[str]) -> bool:
    """Whether an instance may hold one of the fields, at any depth."""
    seen.add(predicate)
    body = program.predicates[predicate].body
    if body is None:
        return bool(fields)
    nodes = list(descendants(body))
    if any(isinstance(node, FieldLocation) and node.field in fields for node in nodes):
        return True
    inner = [n.predicate for n in nodes if isinstance(n, PredicateLocation)]
    return any(_holds(name, fields, program, seen) for name in inner if name not in seen)


_ERROR = "wand.not.wellformed"
_USES = ("package.failed", "apply.failed")


def told_once(
    findings: tuple[Finding, ...], member: Function | Predicate | Method, symbols: Symbols
) -> tuple[Finding, ...]:
    ill = [finding.span for finding in findings if finding.error == _ERROR]
    if not ill:
        return findings
    shapes = _shapes(member, symbols)
    first: dict[str, Span] = {}
    kept: list[Finding] = []
    for finding in findings:
        if finding.error == _ERROR:
            place = shapes.get(finding.span, "")
            if first.setdefault(place, finding.span) != finding.span:
                continue
        if finding.error in _USES and any(finding.span.encloses(span) for span in ill):
            continue
        kept.append(finding)
    return tuple(kept)


def _shapes(member: Function | Predicate | Method, symbols: Symbols) -> dict[Span, str]:
    """Where which shape is mentioned, apart for the body of a method."""
    found: dict[Span, str] = {}
    body = member.body if isinstance(member, Method) else None
    parts: list[tuple[str, Node]] = [("contract", member)]
    if body is not None:
        parts.append(("body", body))
    for part, node in parts:
        for inner in descendants(node):
            if isinstance(inner, Wand):
                found[inner.span] = f"{part}: {symbols.shape(inner).name}"
    return found
