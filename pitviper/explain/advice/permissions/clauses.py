"""A contract that reads what it has no permission to: where that has to stand."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import LONGEST, Case, lacking_of, quote
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Function, Method, Predicate
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.print.objects import is_of_objects
from pitviper.program.walk import children, descendants, free_vars
from pitviper.results.wording import VIPER, wording_of


def in_a_contract(case: Case) -> str | None:
    """A contract reads a field that it has no permission to."""
    location = lacking_of(case)
    if location is None or case.finding.error not in _FORMULAS or case.member is None:
        return None
    wanted = quote(location)
    if not wanted or not isinstance(case.part, x.FieldRead):
        return None
    if wording_of(case.finding.span) is not VIPER:
        return None
    around = [
        node
        for node in descendants(case.member)
        if isinstance(node, x.Old) and any(inner is case.part for inner in descendants(node))
    ]
    bound = _quantified_over(case.member, case.part)
    if bound is not None:
        return _for_all_of_them(bound, location)
    later = None if around else _later(case, wanted)
    if later is not None and isinstance(case.member, Predicate):
        return (
            f"the permission comes too late: a body is read from the left, so move "
            f"`{later.span.text}` before this"
        )
    if later is not None and later.span.line > case.part.span.end_position[0]:
        return (
            f"the permission comes too late: clauses are read in their order, so move that of line "
            f"{later.span.line}, `{later.span.text}`, before this one"
        )
    if later is not None:
        asked = later.span.text if text_of(later.amount) != "write" else f"acc({wanted})"
        return (
            f"the permission comes too late: a contract is read from the left, so move "
            f"`{asked}` before this"
        )
    if not around:
        given = _asked_before(case, wanted)
        if given is not None:
            return (
                "what `requires` asks for is gone at the end unless `ensures` gives it back, and "
                f"the permission has to come first: write `{given} &&` before this"
            )
        given = f"acc({wanted})"
        inner = _conjunct_around(case.member, case.part)
        reads = "" if inner is None else inner.span.text
        if reads and len(reads) <= LONGEST and "\n" not in reads:
            return (
                f"the permission has to come first: write `{given} && {reads}` in place of "
                f"`{reads}`"
            )
        return f"the permission has to come first: write `{given} &&` before this"
    if around[0].label is not None:
        return None
    return (
        f"`old(...)` looks at the state at the start: ask for the permission there, at the end of "
        f"the precondition, `&& acc({wanted})`"
    )


def _asked_before(case: Case, wanted: str) -> str | None:
    """What the precondition asks for a location of which the postcondition speaks."""
    if not isinstance(case.member, Method) or case.part is None:
        return None
    at = case.part.span
    if not any(c.span.start <= at.start < c.span.end for c in case.member.postconditions):
        return None
    found = [
        node.span.text
        for clause in case.member.preconditions
        for node in descendants(clause)
        if isinstance(node, a.Access) and text_of(node.location) == wanted
    ]
    return found[0] if len(found) == 1 and len(found[0]) <= LONGEST else None


_FORMULAS = ("not.wellformed", "predicate.not.wellformed")


def _groups(member: Node | None) -> Iterator[tuple[Node, ...]]:
    """Clauses that are read one behind the other."""
    match member:
        case Predicate(body=body) if body is not None:
            yield (body,)
        case Method() | Function():
            yield member.preconditions
            yield member.postconditions
    for node in () if not isinstance(member, Method) else descendants(member):
        if isinstance(node, s.While):
            yield node.invariants


def _later(case: Case, wanted: str) -> a.Access | None:
    """The permission that the clauses around a read ask for behind it."""
    assert case.part is not None
    at = case.part.span
    for clauses in _groups(case.member):
        nodes = [node for clause in clauses for node in descendants(clause)]
        if any(node is case.part for node in nodes):
            found = [
                node
                for node in nodes
                if isinstance(node, a.Access)
                and text_of(node.location) == wanted
                and node.span.start > at.start
            ]
            return found[0] if found else None
    return None


def _quantified_over(member: Node, part: x.Expr) -> x.Forall | None:
    """The innermost quantifier of whose variables a part of a contract speaks."""
    found = None
    for node in descendants(member):
        if isinstance(node, x.Forall) and any(inner is part for inner in descendants(node)):
            names = {variable.name for variable in node.variables}
            found = node if names & free_vars(part) else found
    return found


def _conjunct_around(member: Node, part: Node) -> Node | None:
    """The smallest part of a conjunction that something stands in."""
    around = [
        inner
        for node in descendants(member)
        if isinstance(node, a.Star | x.And)
        for inner in children(node)
        if any(each is part for each in descendants(inner))
    ]
    return around[-1] if around else None


def _for_all_of_them(
    quantifier: x.Forall, location: a.FieldLocation | a.PredicateLocation
) -> str | None:
    """Permission for all that a quantifier speaks about."""
    bound = ", ".join([f"{v.name}: {v.type}" for v in quantifier.variables])
    body = quantifier.body
    premise = f"{text_of(body.left)} ==> " if isinstance(body, x.Implies) else ""
    wanted = f"forall {bound} :: {premise}acc({text_of(location)})"
    if is_of_objects(quantifier):
        full = x.PermLit(x.PermConstant.WRITE)
        condition = body.left if isinstance(body, x.Implies) else x.BoolLit(value=True)
        held = a.Access(location, full, span=location.span)
        many = a.QuantifiedPermission(quantifier.variables, (), condition, held, span=body.span)
        wanted = text_of(many)[1:-1]
    if len(wanted) > 2 * LONGEST:
        return None
    return f"the permissions have to come first: write `({wanted}) &&` before this"
