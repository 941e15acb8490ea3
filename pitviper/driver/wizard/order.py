"""Which checks of a member stand behind which others: what comes before may have ended the way."""

from __future__ import annotations

from pitviper.base.record import record
from pitviper.program.member import Function, Method, Program
from pitviper.program.stmt import Block, Goto, If, Stmt, While
from pitviper.program.walk import descendants
from pitviper.results.finding import Finding
from pitviper.source.span import Span

LATE = ("postcondition.violated", "invariant.not.preserved")
"""Checks that stand before the code that they are made behind."""


@record
class Check:
    """A check by its place and kind."""

    span: Span
    error: str


def failed_before(
    check: Check, findings: tuple[Finding, ...], member: str, program: Program
) -> bool:
    """Whether one of the findings of a member can lie on a way to the check.

    In a loop two findings may each lie before the other: neither of them is the other's reason.
    """
    found = program.methods.get(member) or program.functions.get(member)
    if found is None:
        return False
    own = [f for f in findings if _is_same(f, check)]
    before = [f for f in findings if f not in own and _is_behind(check, f, found)]
    return not all(any(_is_behind(_check(f), o, found) for o in own) for f in before)


def _check(finding: Finding) -> Check:
    return Check(finding.span, finding.error)


def _is_same(finding: Finding, check: Check) -> bool:
    apart = {"invariant.not.established", "invariant.not.preserved"}
    return _holds(check.span, finding.span) and {finding.error, check.error} != apart


def _is_behind(check: Check, finding: Finding, member: Method | Function) -> bool:
    """Whether a way can pass the finding, and then the check; each begins with the precondition."""
    if any(_holds(condition.span, finding.span) for condition in member.preconditions):
        return True
    if check.error == finding.error == "postcondition.violated":
        return _are_promised_in_order(finding.span, check.span, member)
    if isinstance(member, Function) or member.body is None:
        return check.error in LATE
    if any(isinstance(node, Goto) for node in descendants(member.body)):
        return True
    if check.error == "postcondition.violated":
        return True
    if finding.error == "postcondition.violated":
        return False
    return _in_order(finding, check, member.body)


def _are_promised_in_order(first: Span, second: Span, member: Method | Function) -> bool:
    """Whether a promise is looked at before another; where nobody knows, it may be."""
    found = []
    for place in (first, second):
        holding = [i for i, c in enumerate(member.postconditions) if _holds(c.span, place)]
        if not holding:
            return True
        found.append((holding[0], place.start))
    return found[0] < found[1]


def _in_order(finding: Finding, check: Check, block: Block) -> bool:
    """Follows both places down to the statement in which they part."""
    for statement in block.statements:
        first, second = _holds(statement.span, finding.span), _holds(statement.span, check.span)
        if first and second:
            return _inside(finding, check, statement)
        if first or second:
            return first
    return True


def _inside(finding: Finding, check: Check, statement: Stmt) -> bool:
    match statement:
        case Block():
            return _in_order(finding, check, statement)
        case If(then=then, otherwise=otherwise):
            for one, other in ((then, otherwise), (otherwise, then)):
                if _holds(one.span, finding.span):
                    if _holds(other.span, check.span):
                        return False
                    return _in_order(finding, check, one)
            return finding.span.start <= check.span.start
        case While():
            return check.error != "invariant.not.established"
        case _:
            return finding.span.start <= check.span.start


def _holds(outer: Span, inner: Span) -> bool:
    same = outer.file.path == inner.file.path
    return same and outer.start <= inner.start and inner.start < max(outer.end, outer.start + 1)
