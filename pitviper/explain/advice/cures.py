"""Advice that can be applied: each clause or statement that advice names, with its place.

Rules that know a clause and whose it is return `Advice` instead of a sentence. Every function here
returns one cure, or none where `explain/writing.py` has no place for it.
"""

from __future__ import annotations

from typing import TypeAlias

from pitviper.base.record import record
from pitviper.explain.advice.case import Case, begins_inside, statement_around
from pitviper.explain.writing import (
    Edits,
    at_end_of,
    ensures,
    in_front_of,
    inserted,
    invariants,
    requires,
    without,
)
from pitviper.program import stmt as s
from pitviper.program.member import Function, Method
from pitviper.program.node import Node
from pitviper.program.walk import free_vars
from pitviper.results.wording import VIPER, wording_of
from pitviper.source.edit import Cure

Cures: TypeAlias = "tuple[Cure, ...]"


@record
class Advice:
    """What to do in words, and those parts of it that can be done at once.

    Advice that is `general` knows a kind of mistake, and not what to do about this one: an edit
    that was seen to work is better. `cause` is what is to be said of the mistake in any case.
    """

    text: str
    cures: Cures = ()
    general: bool = False
    cause: str | None = None


Said: TypeAlias = "str | Advice | None"
"""What a rule of advice answers."""


def in_general(text: str, cures: Cures = ()) -> Advice:
    """Advice that fits every mistake of its kind."""
    return Advice(text, cures, general=True)


def asks(member: Method | Function | None, formula: str) -> Cures:
    """`requires F`, behind all that a member asks for already."""
    if member is None:
        return ()
    return _cure(f"Add `requires {formula}` to {member.name}", formula, requires(member, formula))


def asks_for(case: Case, location: Node, formula: str) -> Cures:
    """A precondition with a location, where it can speak of it."""
    member = case.member
    if not isinstance(member, Method | Function):
        return ()
    known = {param.name for param in member.params}
    return asks(member, formula) if free_vars(location) <= known else ()


def promises(member: Method | Function | None, formula: str) -> Cures:
    """`ensures F`, behind all that a member says already."""
    if member is None:
        return ()
    return _cure(f"Add `ensures {formula}` to {member.name}", formula, ensures(member, formula))


def keeps(loop: s.While, formula: str) -> Cures:
    """`invariant F`, behind all that a loop keeps already."""
    title = f"Add `invariant {formula}` to the loop of line {loop.span.line}"
    return _cure(title, formula, invariants(loop, [formula]), harmless=True)


def writes_in_front(case: Case, statement: str) -> Cures:
    """A statement in front of the one that fails, within the braces around it."""
    if case.member is None or begins_inside(case):
        return ()
    around = statement_around(case.member, case.finding.span)
    if around is None or wording_of(around.span) is not VIPER:
        return ()
    title = f"Write `{statement}` before line {around.span.line}"
    return _cure(title, statement, (in_front_of(around, [statement]),), harmless=True)


def writes_at_end(case: Case, statement: str) -> Cures:
    """A statement at the end of the body of the failing method."""
    member = case.member
    if not isinstance(member, Method) or member.body is None:
        return ()
    span = member.body.span
    if wording_of(span) is not VIPER or not span.text.endswith("}"):
        return ()
    title = f"Write `{statement}` at the end of {member.name}"
    return _cure(title, statement, (at_end_of(member.body, [statement]),), harmless=True)


def leaves_out(node: s.Stmt) -> Cures:
    """A statement goes away."""
    if wording_of(node.span) is not VIPER:
        return ()
    title = f"Leave `{node.span.text}` of line {node.span.line} out"
    return _cure(title, node.span.text, (without(node),), harmless=True)


def writes_before(node: Node, text: str) -> Cures:
    """A conjunct in front of a part of a formula."""
    if wording_of(node.span) is not VIPER:
        return ()
    title = f"Write `{text}` before `{node.span.text}`"
    return _cure(title, text, (inserted(node, f"{text} "),))


def _cure(title: str, code: str, edits: Edits, *, harmless: bool = False) -> Cures:
    """One cure, where there is a place for it and its code is known in full."""
    if not edits or "..." in code or wording_of(edits[0].span) is not VIPER:
        return ()
    return (Cure(title, edits, harmless),)
