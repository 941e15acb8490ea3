"""Instances of predicates that a `fold` has to make, or has made already."""

from __future__ import annotations

from pitviper.explain.advice.case import (
    EARLIER,
    Case,
    asked,
    in_front,
    in_front_of_it,
    lacking_of,
    place_and_amount,
    quote,
    with_arguments,
)
from pitviper.explain.advice.cures import (
    Advice,
    Said,
    asks_for,
    in_general,
    leaves_out,
    writes_in_front,
)
from pitviper.explain.advice.permissions.given import folds
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Method
from pitviper.program.print.expressions import text_of
from pitviper.program.rooms import room_of, seen_from
from pitviper.program.walk import descendants
from pitviper.results.wording import VIPER, wording_of


def closed_already(case: Case) -> Said:
    """A `fold` of an instance that is held, and not open, on the failing path."""
    if not isinstance(case.construct, s.Fold) or case.finding.error != "fold.failed":
        return None
    instance = text_of(case.construct.predicate)
    if instance not in (case.finding.containing or ()) or not isinstance(case.member, Method):
        return None
    opened = [
        node
        for node in descendants(case.member)
        if isinstance(node, s.Unfold)
        and text_of(node.predicate) == instance
        and node.span.end <= case.finding.span.start
    ]
    if case.finding.conditions and opened:
        return (
            f"`{instance}` was not opened on this path, only where line {opened[-1].span.line} "
            f"runs: put this `fold` into that branch, after what needs `{instance}` open"
        )
    return Advice(
        f"`{instance}` is closed already: leave this `fold` out", leaves_out(case.construct)
    )


def linked_to_another(case: Case) -> str | None:
    """A `fold` needs the instance of what a field points to, which was assigned in front."""
    location = lacking_of(case)
    if not isinstance(location, a.PredicateLocation) or case.finding.error != "fold.failed":
        return None
    if not isinstance(case.member, Method) or case.member.body is None:
        return None
    needed = with_arguments(case, location)
    wanted = quote(needed)
    reads = {text_of(node) for node in descendants(needed) if isinstance(node, x.FieldRead)}
    assigned = None
    for node in in_front(case.member.body, case.finding.span.start):
        match node:
            case s.FieldAssign(receiver, field) if f"{text_of(receiver)}.{field}" in reads:
                assigned = node
            case s.Fold(instance) if text_of(instance) == wanted:
                assigned = None
    if assigned is None or not wanted:
        return None
    place = f"{text_of(assigned.receiver)}.{assigned.field}"
    return (
        f"line {assigned.span.line} assigns `{place}`, so `{wanted}` is another instance than the "
        f"one before: `fold {wanted}` after line {assigned.span.line}, with all that its body "
        "asks for, or get it from a call or the precondition"
    )


def endless(case: Case) -> str | None:
    """An instance whose body asks for another one in every case: no finite structure has it."""
    location = lacking_of(case)
    if not isinstance(location, a.PredicateLocation) or case.finding.error != "fold.failed":
        return None
    predicate = case.program.predicates.get(location.predicate)
    body = None if predicate is None else predicate.body
    parts = body.conjuncts if isinstance(body, a.Star) else (body,)
    own = [
        part.location
        for part in parts
        if isinstance(part, a.Access)
        and isinstance(part.location, a.PredicateLocation)
        and part.location.predicate == location.predicate
    ]
    reads = [arg for place in own for arg in place.args if isinstance(arg, x.FieldRead)]
    if predicate is None or not reads or wording_of(predicate.span) is not VIPER:
        return None
    places = " and ".join([f"`{text_of(place)}`" for place in own])
    ends = [
        f"`({text_of(arg)} != null ==> {text_of(place)})`"
        for place in own
        for arg in place.args
        if isinstance(arg, x.FieldRead)
    ]
    return (
        f"the body of `{predicate.name}` (line {predicate.span.line}) asks for {places} in every "
        f"case, so it never ends: let it, by {' and '.join(ends)}"
    )


def folded_without(case: Case) -> Said:
    location = lacking_of(case)
    if location is None or case.finding.error != "fold.failed" or case.finding.history:
        return None
    wanted = quote(with_arguments(case, location))
    if not wanted:
        return None
    return in_general(
        f"a `fold` needs all that the body of the predicate holds: `acc({wanted})` is missing"
    )


def fold_at_the_end(case: Case) -> Said:
    """An instance is promised that was never made."""
    location = lacking_of(case)
    if not isinstance(location, a.PredicateLocation) or case.finding.history:
        return None
    predicate = case.program.predicates.get(location.predicate)
    if predicate is None or predicate.body is None or not isinstance(case.member, Method):
        return None
    wanted = text_of(with_arguments(case, location))
    seen = seen_from(case.program, room_of(case.member.name)).predicates[location.predicate]
    if seen.body is None:
        owner = location.predicate.partition(".")[0]
        return (
            f"only methods of `{owner}` can close it: let the constructor or a method before this "
            f"promise `{wanted}`, or ask for it"
        )
    if case.finding.error == "postcondition.violated":
        where = "at the end of the body"
    elif case.finding.error in ("call.precondition", "invariant.not.established"):
        where = in_front_of_it(case)
    else:
        return None
    others = [place for place in _held_places(case, location.predicate) if place != wanted]
    if others and case.finding.error == "postcondition.violated":
        return in_general(
            f"`fold {wanted}` {where}, if what is inside is held; if `{others[0]}` was meant, "
            "which is held, promise that"
        )
    return in_general(
        f"`fold {wanted}` {where}, if what is inside is held; else it has to be asked for",
        folds(case, wanted),
    )


def folded_in_package(case: Case) -> str | None:
    """The right side of a wand is an instance that nobody has made."""
    location = lacking_of(case)
    if case.finding.error != "package.failed" or not isinstance(location, a.PredicateLocation):
        return None
    predicate = case.program.predicates.get(location.predicate)
    if predicate is None or predicate.body is None or case.finding.history:
        return None
    wanted = quote(location)
    return (
        f"make it of the left side and of what is held, between braces: "
        f"`package ... {{ fold {wanted} }}`"
        if wanted
        else None
    )


def never_folded(case: Case) -> Said:
    """An instance is asserted that no `fold` has made, whatever is true of its arguments."""
    location = lacking_of(case)
    if not isinstance(location, a.PredicateLocation) or case.finding.history:
        return None
    if case.finding.error not in ("assert.failed", "exhale.failed") or case.finding.held:
        return None
    predicate = case.program.predicates.get(location.predicate)
    wanted = quote(location)
    if predicate is None or predicate.body is None or not wanted:
        return None
    if isinstance(case.member, Method) and asked(case.member.preconditions, wanted):
        return None  # it was given away, or is needed twice
    pure = isinstance(predicate.body, x.Expr)
    other = (
        "; where it is only about values, declare a `function` of type Bool instead" if pure else ""
    )
    return Advice(
        f"an instance is there after a `fold`: `fold {wanted}` {in_front_of_it(case)}, or ask for "
        f"it, `requires {wanted}`{other}",
        (*writes_in_front(case, f"fold {wanted}"), *asks_for(case, location, wanted)),
    )


def _held_places(case: Case, predicate: str) -> list[str]:
    """Instances that are held and can be written: not those of values that are no more."""
    held = [text for text in case.finding.held if text.startswith(f"acc({predicate}(")]
    return [place_and_amount(text)[0] for text in held if EARLIER not in text]


def another_instance(case: Case) -> Said:
    """An instance of the same predicate is held, of other arguments."""
    location = lacking_of(case)
    if not isinstance(location, a.PredicateLocation) or case.finding.history:
        return None
    if case.finding.error not in ("unfold.failed", "call.precondition", "exhale.failed"):
        return None
    wanted = text_of(with_arguments(case, location))
    places = _held_places(case, location.predicate)
    others = [place for place in places if place != wanted]
    if not others or wanted in places:
        return None
    return in_general(
        f"`{others[0]}` is held here, not `{wanted}`: use that, or say that they are the same"
    )
