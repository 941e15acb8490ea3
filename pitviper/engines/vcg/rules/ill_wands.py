"""Wands without a meaning are told once: in the contract of a member, and in its body.

That a wand makes sense is checked wherever it is mentioned, because it depends on what is known
there. What is found again, and that such a wand cannot be packaged or applied, says nothing new.
"""

from __future__ import annotations

from pitviper.encoding.symbols import Symbols
from pitviper.program.assertion import Wand
from pitviper.program.member import Function, Method, Predicate
from pitviper.program.node import Node
from pitviper.program.walk import descendants
from pitviper.results.finding import Finding
from pitviper.source.span import Span

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
        if finding.error in _USES and any(_inside(span, finding.span) for span in ill):
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


def _inside(span: Span, around: Span) -> bool:
    return span.file is around.file and around.start <= span.start and span.end <= around.end
