"""Permission inside of an instance of a predicate: how to look into it."""

from __future__ import annotations

from pitviper.base.record import replace
from pitviper.explain.advice.case import (
    LONGEST,
    OPEN,
    Case,
    begins_inside,
    conjuncts,
    in_front_of_it,
    lacking_of,
    place_and_amount,
    quote,
    said_before,
    substituted,
    with_arguments,
)
from pitviper.explain.advice.cures import (
    Advice,
    Said,
    keeps,
    writes_at_end,
    writes_in_front,
)
from pitviper.explain.advice.permissions.given import taken_in_front
from pitviper.program import assertion as a
from pitviper.program import stmt as s
from pitviper.program.member import Function, Method
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants


def inside_an_instance(case: Case) -> Said:
    """A predicate instance that is held has the location inside.

    Where the engine does not know, one of which the member has heard is believed to be held.
    """
    location = lacking_of(case)
    if location is None or not isinstance(case.member, Method | Function):
        return None
    if case.finding.containing is not None:
        open_ones = {place_and_amount(h)[0] for h in case.finding.held if h.endswith(f"{OPEN})")}
        known = [t for t in case.finding.containing if "@" not in t and t not in open_ones]
        return _unfold_advice(case, known[0]) if known else _in_this_formula(case)
    if taken_in_front(case, text_of(with_arguments(case, location))) is not None:
        return None
    wanted = text_of(with_arguments(case, location))
    unfolded = _unfolded(case)
    for instance in _instances(case):
        predicate = case.program.predicates[instance.predicate]
        if predicate.body is None or text_of(instance) in unfolded:
            continue
        body = substituted(predicate.body, predicate.params, instance.args)
        places = [n.location for n in descendants(body) if isinstance(n, a.Access)]
        if wanted in [text_of(place) for place in places] and text_of(instance) != wanted:
            said = _unfold_advice(case, text_of(instance))
            words = said.text.replace("permission: ", "permission, if it is held here: ", 1)
            return replace(said, text=words)
    return None


def _in_this_formula(case: Case) -> Advice | None:
    """The formula itself names an instance with the location, which it does not open."""
    location = lacking_of(case)
    wanted = "" if location is None else text_of(with_arguments(case, location))
    for instance in said_before(case):
        predicate = case.program.predicates[instance.predicate]
        if predicate.body is None:
            continue
        body = substituted(predicate.body, predicate.params, instance.args)
        inside = [text_of(n.location) for n in descendants(body) if isinstance(n, a.Access)]
        around = None if case.construct is None else _conjunct_around(case)
        if wanted in inside and around is not None and quote(around):
            own, text = text_of(instance), around.span.text
            return Advice(
                f"`{own}` contains this permission: write `(unfolding {own} in {text})` in place "
                f"of `{text}`"
            )
    return None


def _conjunct_around(case: Case) -> Node | None:
    """The conjunct of the failing formula in which the failing part stands; statements other than
    `assert` have none of their own."""
    assert case.part is not None
    formula = case.construct.assertion if isinstance(case.construct, s.Assert) else case.construct
    parts = [] if formula is None or isinstance(formula, s.Stmt) else conjuncts(formula)
    return next((part for part in parts if part.span.encloses(case.part.span)), None)


def _unfold_advice(case: Case, instance: str) -> Advice:
    in_condition = case.finding.error == "while.failed" or begins_inside(case)
    if isinstance(case.member, Function) or case.finding.error in _CONTRACTS or in_condition:
        return _looking_inside(case, instance)
    part = next((h for h in case.finding.held if h.startswith(f"acc({instance}, ")), None)
    if part is not None:
        instance = part
    if case.finding.error == "postcondition.violated":
        return Advice(
            f"`{instance}` contains this permission: `unfold {instance}` at the end of the body",
            writes_at_end(case, f"unfold {instance}"),
        )
    cures = writes_in_front(case, f"unfold {instance}")
    if (
        case.finding.error in ("assert.failed", "exhale.failed")
        or case.finding.error == "if.failed"
    ):
        return Advice(
            f"`{instance}` contains this permission: `unfold {instance}` {in_front_of_it(case)}, "
            f"or write `unfolding {instance} in ...`",
            cures,
        )
    return Advice(
        f"`{instance}` contains this permission: `unfold {instance}` {in_front_of_it(case)}", cures
    )


def _looking_inside(case: Case, instance: str) -> Advice:
    """`unfolding P(x) in e`, with what makes that `P(x)` has it."""
    whole = case.finding.span.text if case.finding.error == "while.failed" else ""
    text = whole if 0 < len(whole) <= LONGEST and "\n" not in whole else "..."
    guard = _guard_inside(case, instance)
    loops = [] if case.member is None else [*descendants(case.member)]
    around = [n for n in loops if isinstance(n, s.While) and n.condition.span == case.finding.span]
    if guard is None or not around:
        lead = f"`{instance}` contains this permission"
        return Advice(f"{lead}: write `unfolding {instance} in {text}`")
    return Advice(
        f"`{instance}` contains this permission where `{guard}`: write `unfolding {instance} in "
        f"{text}`, and add `invariant {guard}` after the invariants",
        keeps(around[0], guard),
    )


def _guard_inside(case: Case, instance: str) -> str | None:
    """The condition under which the body of an instance has the missing location."""
    location = lacking_of(case)
    wanted = "" if location is None else text_of(with_arguments(case, location))
    for node in () if case.member is None else descendants(case.member):
        if not isinstance(node, a.PredicateLocation) or text_of(node) != instance:
            continue
        predicate = case.program.predicates[node.predicate]
        if predicate.body is None:
            continue
        body = substituted(predicate.body, predicate.params, node.args)
        for part in conjuncts(body):
            inner = [text_of(n.location) for n in descendants(part) if isinstance(n, a.Access)]
            if wanted in inner:
                return (quote(part.condition) or None) if isinstance(part, a.Guarded) else None
    return None


_CONTRACTS = ("not.wellformed", "function.not.wellformed", "predicate.not.wellformed")


def _instances(case: Case) -> list[a.PredicateLocation]:
    """Instances that the member asks for or makes in front of the failing construct."""
    found: dict[str, a.PredicateLocation] = {}
    assert case.member is not None
    before = (case.finding.offending or case.finding.span).start
    for node in descendants(case.member):
        if isinstance(node, a.PredicateLocation) and node.span.start < before:
            found.setdefault(text_of(node), node)
        if isinstance(node, s.Unfold) and node.span.start < before:
            predicate = case.program.predicates[node.predicate.predicate]
            if predicate.body is not None:
                body = substituted(predicate.body, predicate.params, node.predicate.args)
                for inner in descendants(body):
                    if isinstance(inner, a.PredicateLocation):
                        found.setdefault(text_of(inner), inner)
    return list(found.values())


def _unfolded(case: Case) -> set[str]:
    assert case.member is not None
    return {
        text_of(node.predicate)
        for node in descendants(case.member)
        if isinstance(node, s.Unfold) and node.span.start < case.finding.span.start
    }


def in_an_opened_body(case: Case) -> str | None:
    """An instance that was unfolded has the permission only if something holds."""
    location = lacking_of(case)
    if location is None or not isinstance(case.member, Method) or case.finding.history:
        return None
    wanted = text_of(with_arguments(case, location))
    for node in descendants(case.member):
        if not isinstance(node, s.Unfold) or node.span.start >= case.finding.span.start:
            continue
        predicate = case.program.predicates[node.predicate.predicate]
        if predicate.body is None:
            continue
        body = substituted(predicate.body, predicate.params, node.predicate.args)
        for part in descendants(body):
            if not isinstance(part, a.Guarded):
                continue
            inner = [text_of(n.location) for n in descendants(part) if isinstance(n, a.Access)]
            if wanted in inner and (quoted := quote(part.condition)):
                if quoted in [c.holds for c in case.finding.conditions]:
                    return None
                return (
                    f"`{text_of(node.predicate)}` (opened in line {node.span.line}) has it only if "
                    f"`{quoted}`: test that first, `if ({quoted}) {{ ... }}`"
                )
    return None
