"""Permission of which a part is held, and more is needed."""

from __future__ import annotations

import re
from fractions import Fraction

from pitviper.explain.advice.case import (
    LONGEST,
    Case,
    asked,
    conjuncts,
    in_front,
    lacking_of,
    place_and_amount,
    substituted,
)
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Function, Method
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants


def more_than_all(case: Case, location: a.FieldLocation | a.PredicateLocation) -> str | None:
    """An amount that nobody can hold of a field."""
    if not isinstance(location, a.FieldLocation) or case.member is None:
        return None
    for node in descendants(case.member):
        if not isinstance(node, a.Access) or node.location.span != location.span:
            continue
        match node.amount:
            case x.PermArith(x.PermOp.FRACTION, x.IntLit(top), x.IntLit(bottom)) if top > bottom:
                place = text_of(location)
                return (
                    f"`{node.amount.span.text}` is more than the whole permission, which nobody "
                    f"holds of a field: write `acc({place})` for all of it, or a part of at most "
                    f"1, such as `acc({place}, 1/2)`"
                )
    return None


def asks_for_too_much(case: Case) -> str | None:
    """A callee asks for more of a field than there is: no caller can hold that."""
    location = lacking_of(case)
    callee = _callee_of(case)
    if callee is None or not isinstance(location, a.FieldLocation):
        return None
    parts = [part for clause in callee.preconditions for part in conjuncts(clause)]
    same = [
        part
        for part in parts
        if isinstance(part, a.Access) and text_of(part.location) == text_of(location)
    ]
    amounts = [fraction_of(part.amount) for part in same]
    known = [amount for amount in amounts if amount is not None]
    if not callee.span.encloses(location.span) or sum(known) <= 1:
        return None
    told = " and ".join([f"`{part.span.text}`" for part in same])
    return (
        f"line {location.span.line} asks for {told}, which is {sum(known)} of the permission, and "
        f"there is 1: nobody can call `{callee.name}`, so ask for less there, `acc("
        f"{text_of(location)})` or a part of it"
    )


def _callee_of(case: Case) -> Method | Function | None:
    match case.construct:
        case s.MethodCall(name) if case.finding.error == "call.precondition":
            return case.program.methods.get(name)
        case x.FunctionApp(name) if case.finding.error == "application.precondition":
            return case.program.functions.get(name)
        case _:
            return None


def fraction_of(amount: x.Expr) -> Fraction | None:
    """An amount of permission that is written as a number."""
    match amount:
        case x.PermArith(x.PermOp.FRACTION, x.IntLit(top), x.IntLit(bottom)) if bottom:
            return Fraction(top, bottom)
        case x.PermLit(x.PermConstant.WRITE):
            return Fraction(1)
        case _:
            return None


def _is_read(case: Case) -> bool:
    """Whether a contract reads a field, for which any amount is enough that is not nothing."""
    return case.finding.error == "not.wellformed" and isinstance(case.part, x.FieldRead)


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
        inside = _part_of_a_body(case, wanted)
        asked = inside or _asked_in_part(case, wanted)
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
    if part is not None and _is_unfolding(case):
        return f"only a part is held: open that part, `unfolding {part} in ...`"
    asks_more = case.finding.error not in READING and not _is_read(case)
    if part is not None and asks_more and _is_computed(part):
        return _how_much(case, part)
    if part is not None and asks_more:
        more = _asked_in_part(case, wanted)
        ask = f": hold all of it, `acc({wanted})` in place of `{more}`" if more else ""
        if case.finding.error == "postcondition.violated":
            ask = f": ask for all of it, `requires acc({wanted})`, or promise `ensures {part}`"
        if case.finding.error == "call.precondition" and more:
            ask += ", or let the callee ask for less"
        return f"only a part of the permission is held, `{part}`, and more is needed here{ask}"
    if part is not None:
        amount = part[len(f"acc({wanted}, ") : -1]
        return (
            f"is the amount positive? Reading needs more than `none`, and `{part}` may be nothing: "
            f"say `{amount} > none`"
        )
    return None


_NAME = re.compile(r"[A-Za-z_]\w*")


def _is_computed(held: str) -> bool:
    """Whether an amount depends on values, as in `acc(credit(), cost(n))`."""
    amount = place_and_amount(held)[1]
    return not {"wildcard", "earlier"} & set(words := _NAME.findall(amount)) and bool(words)


def _how_much(case: Case, held: str) -> str:
    """An amount that is computed: what is needed may be more, and nothing says that it is not."""
    amount = place_and_amount(held)[1]
    called = _NAME.match(amount)
    function = None if called is None else case.program.functions.get(called[0])
    promise = ""
    if function is not None and amount.endswith(")"):
        promise = f", or let `{function.name}` promise it, `ensures result >= ...`"
    return (
        f"`{held}` is held, and whether that is enough is not known: say first how large "
        f"`{amount}` is at least{promise}"
    )


def _asked_in_part(case: Case, wanted: str) -> str | None:
    """What the precondition, or the loop around, asks for a location: once, and a part of it."""
    if not isinstance(case.member, Method):
        return None
    at = case.finding.span
    loops = [
        node
        for node in descendants(case.member)
        if isinstance(node, s.While) and node.span.start <= at.start and at.end <= node.span.end
    ]
    clauses = loops[-1].invariants if loops else case.member.preconditions
    found = [
        node
        for clause in clauses
        for node in descendants(clause)
        if isinstance(node, a.Access) and text_of(node.location) == wanted
    ]
    if len(found) != 1 or text_of(found[0].amount) == "write":
        return None
    return found[0].span.text if len(found[0].span.text) <= LONGEST else None


def _is_unfolding(case: Case) -> bool:
    """Whether the missing permission is that to an instance that an expression opens."""
    return case.construct is not None and any(
        isinstance(node, x.Unfolding) and any(inner is case.part for inner in descendants(node))
        for node in descendants(case.construct)
    )


def _part_of_a_body(case: Case, wanted: str) -> str | None:
    """The part that the body of an opened predicate has, with its line."""
    if not isinstance(case.member, Method) or case.member.body is None:
        return None
    for node in in_front(case.member.body, case.finding.span.start):
        if not isinstance(node, s.Unfold):
            continue
        predicate = case.program.predicates[node.predicate.predicate]
        for inner in () if predicate.body is None else descendants(predicate.body):
            if not isinstance(inner, a.Access) or text_of(inner.amount) == "write":
                continue
            place = substituted(inner.location, predicate.params, node.predicate.args)
            if text_of(place) == wanted:
                return f"{inner.span.text}` in `{predicate.name}"
    return None


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
