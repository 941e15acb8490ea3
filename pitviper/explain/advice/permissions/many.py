"""Permission to one object where the member has that to many, by a quantifier."""

from __future__ import annotations

from pitviper.explain.advice.case import (
    LONGEST,
    Case,
    first_line,
    in_front,
    lacking_of,
    quote,
    reads_heap,
    substituted,
    with_arguments,
)
from pitviper.explain.advice.cures import Advice, Said, in_general
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Method
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import children, descendants, free_vars
from pitviper.results.wording import VIPER, wording_of


def among_many(case: Case) -> Said:
    """The member has quantified permission to the field or predicate."""
    location = lacking_of(case)
    if location is None or case.member is None:
        return None
    if case.part is not None and _is_quantified(case):
        return _given_of_many(case, location)
    given = _given_of_another(case, location)
    if given is not None:
        return in_general(given)
    name = location.field if isinstance(location, a.FieldLocation) else location.predicate
    for node in descendants(case.member):
        if not isinstance(node, a.QuantifiedPermission) or not isinstance(node.resource, a.Access):
            continue
        place = node.resource.location
        other = place.field if isinstance(place, a.FieldLocation) else place.predicate
        if other != name or _is_gone(case, node):
            continue
        if node.span.start < case.finding.span.start:
            one = with_arguments(case, location)
            told = _one_of(node, place, one)
            condition = _bare(quote(node.condition)) or "the condition"
            bound = ", ".join(variable.name for variable in node.variables)
            said = f"say first that `{text_of(one)}` is one of these"
            said = _said(case, told, node, one) if told else said
            return Advice(
                f"line {node.span.line} has `{text_of(place)}` for all `{bound}` with "
                f"`{condition}`: {said}",
                general=said.startswith("say first"),
            )
    return None


def _is_gone(case: Case, many: Node) -> bool:
    """Whether a precondition has it, and a postcondition speaks of it: that is another state."""
    method, at = case.member, case.finding.span
    if not isinstance(method, Method) or case.finding.error != "not.wellformed":
        return False
    early = any(clause.span.encloses(many.span) for clause in method.preconditions)
    return early and any(clause.span.encloses(at) for clause in method.postconditions)


def _is_quantified(case: Case) -> bool:
    """Whether the missing permission is one of many that a quantifier asks for."""
    assert case.member is not None and case.part is not None
    around = [n for n in descendants(case.member) if isinstance(n, a.QuantifiedPermission)]
    return any(inner is case.part for node in around for inner in descendants(node))


def _given_of_many(case: Case, location: a.FieldLocation | a.PredicateLocation) -> str | None:
    """The last statement in front that gives away permission to the field or predicate."""
    if not isinstance(case.member, Method) or case.member.body is None:
        return None
    at_end = case.finding.error == "postcondition.violated"
    before = case.member.body.span.end if at_end else case.finding.span.start
    taken = None
    for node in in_front(case.member.body, before):
        if isinstance(node, s.Exhale | s.Fold | s.Package) and _about(node, location):
            taken = node
    if taken is None:
        return None
    return (
        f"line {taken.span.line}, `{first_line(taken)}`, takes permission away that is one of "
        "these: get it back first, or ask for all others only"
    )


def _given_of_another(case: Case, location: a.FieldLocation | a.PredicateLocation) -> str | None:
    """One of many was given away, and what is missing may be that one."""
    if not isinstance(case.member, Method) or case.member.body is None:
        return None
    wanted = with_arguments(case, location)
    if not isinstance(wanted, a.FieldLocation) or not _is_asked_of_many(case.member, wanted):
        return None
    here = text_of(wanted.receiver)
    for node in in_front(case.member.body, case.finding.span.start):
        if not isinstance(node, s.Exhale | s.Fold):
            continue
        if any(isinstance(part, a.QuantifiedPermission) for part in descendants(node)):
            continue
        for part in descendants(node):
            if not isinstance(part, a.FieldLocation) or part.field != wanted.field:
                continue
            there = text_of(part.receiver)
            if there != here and len(first_line(node)) <= LONGEST:
                return (
                    f"line {node.span.line}, `{first_line(node)}`, gave `{text_of(part)}` away, "
                    f"and `{here}` may be `{there}`: say first that it is not, "
                    f"`{here} != {there}`"
                )
    return None


def _is_asked_of_many(method: Method, location: a.FieldLocation) -> bool:
    """Whether the precondition has the field of many objects."""
    return any(
        isinstance(node, a.QuantifiedPermission)
        and isinstance(node.resource, a.Access)
        and isinstance(node.resource.location, a.FieldLocation)
        and node.resource.location.field == location.field
        for clause in method.preconditions
        for node in descendants(clause)
    )


def _about(statement: s.Stmt, location: a.FieldLocation | a.PredicateLocation) -> bool:
    """Whether a statement speaks of the field or predicate of a location."""
    if isinstance(location, a.FieldLocation):
        return any(
            isinstance(n, a.FieldLocation) and n.field == location.field
            for n in descendants(statement)
        )
    return any(
        isinstance(n, a.PredicateLocation) and n.predicate == location.predicate
        for n in descendants(statement)
    )


def _said(case: Case, fact: str, many: a.QuantifiedPermission, one: Node) -> str:
    """How it becomes known that an object is one of many: by a contract, or by a test."""
    beyond = next((p for p in fact.split(" && ") if _is_below_itself(p)), None)
    if beyond is not None:
        end = beyond.partition(" < ")[0]
        return f"`{end}` is one after the last of them, which is that of `{end} - 1`"
    if not isinstance(case.member, Method) or case.finding.error not in _TESTED:
        return f"say first that `{fact}`"
    if wording_of(case.finding.span) is not VIPER:
        return f"say first that `{fact}`"
    test = f"`if ({fact}) {{ ... }}` around this"
    used = free_vars(many) | free_vars(one)
    if reads_heap(many.condition):
        return f"say first that `{fact}`, or test it, {test}"
    if used <= {param.name for param in case.member.params} and not reads_heap(one):
        return f"ask for that, `requires {fact}`, or test it, {test}"
    return f"say first that `{fact}`, or test it, {test}"


def _is_below_itself(fact: str) -> bool:
    low, less, high = fact.partition(" < ")
    return bool(less) and low == high


_TESTED = ("assignment.failed", "assert.failed", "exhale.failed", "call.precondition")
"""Statements that a test can be put around."""


def _one_of(
    many: a.QuantifiedPermission,
    place: a.FieldLocation | a.PredicateLocation,
    location: a.FieldLocation | a.PredicateLocation,
) -> str | None:
    """What makes an object one of those that a quantifier is about, if these are its variable."""
    if not isinstance(place, a.FieldLocation) or not isinstance(location, a.FieldLocation):
        return None
    values: dict[str, x.Expr] = {}
    names = frozenset(variable.name for variable in many.variables)
    if not _matched(place.receiver, location.receiver, names, values) or len(values) < len(names):
        return None
    given = tuple([values[variable.name] for variable in many.variables])
    condition = substituted(many.condition, many.variables, given)
    assert isinstance(condition, x.Expr)
    parts = [part for part in _conjuncts(condition) if not _is_true(part)]
    texts = [_bare(quote(part)) for part in parts]
    return " && ".join(texts) if texts and all(texts) else None


def _matched(pattern: Node, node: Node, names: frozenset[str], values: dict[str, x.Expr]) -> bool:
    """Whether an expression is an instance of a pattern; finds the values of its variables."""
    if isinstance(pattern, x.Var) and pattern.name in names:
        if not isinstance(node, x.Expr):
            return False
        known = values.setdefault(pattern.name, node)
        return text_of(known) == text_of(node)
    inside, others = children(pattern), children(node)
    if type(pattern) is not type(node) or len(inside) != len(others):
        return False
    if not inside:
        return text_of(pattern) == text_of(node)
    head, other = text_of(pattern).partition("(")[0], text_of(node).partition("(")[0]
    pairs = zip(inside, others, strict=True)
    return head == other and all(_matched(p, n, names, values) for p, n in pairs)


def _bare(text: str) -> str:
    """A text without parentheses around the whole of it."""
    inner = text[1:-1]
    whole = text.startswith("(") and text.endswith(")") and "(" not in inner
    return inner if whole and ")" not in inner else text


def _conjuncts(e: x.Expr) -> list[x.Expr]:
    if isinstance(e, x.And):
        return [
            part for side in children(e) if isinstance(side, x.Expr) for part in _conjuncts(side)
        ]
    return [e]


_COMPARED = {
    x.CompareOp.LT: int.__lt__,
    x.CompareOp.LE: int.__le__,
    x.CompareOp.GT: int.__gt__,
    x.CompareOp.GE: int.__ge__,
}


def _is_true(e: x.Expr) -> bool:
    """Whether it compares two numbers, and rightly."""
    if not isinstance(e, x.Compare):
        return False
    left, right = e.left, e.right
    if not isinstance(left, x.IntLit) or not isinstance(right, x.IntLit):
        return False
    return _COMPARED[e.op](left.value, right.value)
