"""Openings that a language has put around expressions, told as steps that were inferred.

A front end that leaves `opening ... in` to inference puts the node around an expression and gives
it the place of that expression; one that is written has a place that begins with its own word.
"""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.base.record import replace
from pitviper.driver.front.frontend import FrontEnd
from pitviper.program import expr as x
from pitviper.program import member as m
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants
from pitviper.results.ghost import GhostStep, Position
from pitviper.results.verdict import MemberOutcome
from pitviper.source.span import NO_SPAN, Span


def with_openings(front: FrontEnd, outcome: MemberOutcome) -> MemberOutcome:
    """The outcome of a member, whose inferred steps begin with what its expressions open."""
    program, language, name = front.program, front.language, outcome.name
    if program is None or language is None or not language.infers_ghosts:
        return outcome
    member = program.methods.get(name) or program.functions.get(name)
    found = tuple(dict.fromkeys(_openings(member or program.predicates.get(name))))
    return replace(outcome, inferred=(*found, *outcome.inferred)) if found else outcome


def _openings(member: m.Declaration | None) -> Iterator[GhostStep]:
    """From left to right, outer ones first; a method has those of its own text only."""
    for part in _parts(member):
        for node in descendants(part):
            if not isinstance(node, x.Unfolding) or not _is_put_in(node):
                continue
            if isinstance(member, m.Method) and not _inside(node.span, member.span):
                continue
            yield GhostStep(f"opening {_instance(node)}", node.span, Position.AROUND)


def _parts(member: m.Declaration | None) -> Iterator[Node]:
    match member:
        case m.Method():
            yield from (*member.preconditions, *member.postconditions)
        case m.Function():
            yield from (*member.preconditions, *member.postconditions)
    match member:
        case m.Method(body=body) | m.Function(body=body) | m.Predicate(body=body):
            if body is not None:
                yield body


def _is_put_in(node: x.Unfolding) -> bool:
    return node.span != NO_SPAN and node.span == node.body.span


def _inside(span: Span, outer: Span) -> bool:
    return span.file is outer.file and outer.start <= span.start and span.end <= outer.end


def _instance(node: x.Unfolding) -> str:
    whole = text_of(node.predicate)
    if node.amount == x.PermLit(x.PermConstant.WRITE):
        return whole
    return f"acc({whole}, {text_of(node.amount)})"
