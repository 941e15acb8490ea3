"""Permission of which a part is held, and more is needed."""

from __future__ import annotations

from pitviper.explain.advice.case import (
    LONGEST,
    Case,
    asked,
    in_front,
    lacking_of,
    substituted,
)
from pitviper.program import assertion as a
from pitviper.program import stmt as s
from pitviper.program.member import Method
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants


def in_part(case: Case) -> str | None:
    location = lacking_of(case)
    if location is None:
        return None
    wanted = text_of(location)
    part = next((h for h in case.finding.held if h.startswith(f"acc({wanted}, ")), None)
    opened = _opened_in_part(case, wanted)
    if opened is not None and (part is not None or case.finding.containing is None):
        return opened
    if part is not None and isinstance(case.part, s.FieldAssign):
        asked = _asked_in_part(case, wanted)
        return (
            f"only a part of the permission is held, which is enough to read: writing needs all of "
            f"it, `acc({wanted})`"
        ) + (f" in place of `{asked}`" if asked else "")
    if part is not None and isinstance(case.construct, s.Unfold):
        return (
            f"only a part is held: open that part, `unfold {part}`, or ask for the whole, "
            f"`acc({wanted})`"
        )
    asked = _asked_in_part(case, wanted) if case.finding.error == "postcondition.violated" else None
    if part is not None and asked is not None:
        return (
            f"only a part of the permission is there, and more is promised: ask for all of it, "
            f"`requires acc({wanted})` in place of `{asked}`, or promise "
            + (f"that part, `ensures {asked}`" if asked == part else "less")
        )
    if part is not None and case.finding.error not in READING:
        return f"only a part of the permission is held, `{part}`, and more is needed here"
    if part is not None:
        amount = part[len(f"acc({wanted}, ") : -1]
        return (
            f"is the amount positive? Reading needs more than `none`, and `{part}` may be nothing: "
            f"say `{amount} > none`"
        )
    return None


def _asked_in_part(case: Case, wanted: str) -> str | None:
    """What the precondition asks for a location, if that is once, and a part of it."""
    if not isinstance(case.member, Method):
        return None
    found = [
        node
        for clause in case.member.preconditions
        for node in descendants(clause)
        if isinstance(node, a.Access) and text_of(node.location) == wanted
    ]
    if len(found) != 1 or text_of(found[0].amount) == "write":
        return None
    return found[0].span.text if len(found[0].span.text) <= LONGEST else None


def _opened_in_part(case: Case, wanted: str) -> str | None:
    """A part of an instance was opened, so a part is held of what is inside."""
    if not isinstance(case.member, Method) or case.member.body is None:
        return None
    if case.finding.error in READING and not isinstance(case.part, s.FieldAssign):
        return None
    opened = None
    for node in in_front(case.member.body, case.finding.span.start):
        if isinstance(node, s.Unfold) and text_of(node.amount) != "write":
            predicate = case.program.predicates[node.predicate.predicate]
            if predicate.body is None:
                continue
            body = substituted(predicate.body, predicate.params, node.predicate.args)
            opened = node if asked([body], wanted) else opened
    if opened is None:
        return None
    instance = text_of(opened.predicate)
    wanted_part = _asked_in_part(case, instance)
    lead = (
        f"line {opened.span.line} opens a part of `{instance}`, so a part of `{wanted}` is held, "
        "and more is needed here"
    )
    if wanted_part is None:
        return f"{lead}: hold all of `{instance}`, and `unfold {instance}`"
    return f"{lead}: `requires {instance}` in place of `{wanted_part}`, and `unfold {instance}`"


READING = ("assignment.failed", "assert.failed", "if.failed", "while.failed", "inhale.failed")
"""Constructs that read fields; others give permissions away."""
