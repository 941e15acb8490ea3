"""Promises that are too strict by one value: `result > a`, where both sides may be equal."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.base.record import replace
from pitviper.explain.advice.case import LONGEST, Case, conjuncts, reads_heap
from pitviper.explain.advice.runs.trial import fails_only_without
from pitviper.explain.cures.edit import Candidate, edited_in
from pitviper.explain.writing import replaced
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program.member import Function, Method
from pitviper.program.node import Node
from pitviper.program.walk import free_vars, rewrite

_WIDER = {x.CompareOp.LT: x.CompareOp.LE, x.CompareOp.GT: x.CompareOp.GE}


def promised_less(case: Case) -> Iterator[Candidate]:
    """A function promises more than it gives by one border: `result > 0`, which may be 0."""
    is_one = isinstance(case.part, x.Compare)
    if isinstance(case.member, Function) and (is_one or is_at_border(case)):
        yield from _with_equal_sides(case)


def promised_at_border(case: Case) -> Iterator[Candidate]:
    """The same for a method, where a promise is false only for values that make sides equal."""
    if isinstance(case.member, Method) and is_at_border(case):
        yield from _with_equal_sides(case)


def promised_border(case: Case) -> Iterator[Candidate]:
    """The same where that is not known."""
    if isinstance(case.member, Method):
        yield from _with_equal_sides(case)


def is_at_border(case: Case) -> bool:
    """Whether a promise is false only where sides of its strict comparisons are equal.

    Then the promise is doubted, and not the body: a body that is off by one makes sides equal in
    every run, or fails in others, too.
    """
    if case.finding.error != "postcondition.violated" or not isinstance(case.part, x.Expr):
        return False
    strict = [node for node in _claims(case.part) if node.op in _WIDER]
    weaker = {id(node): replace(node, op=_WIDER[node.op]) for node in strict}
    return bool(strict) and fails_only_without(
        case, rewrite(case.part, lambda node: weaker.get(id(node)))
    )


def _with_equal_sides(case: Case) -> Iterator[Candidate]:
    """One strict comparison, or all of them in the clause, with equal sides as well."""
    member, part = case.member, case.part
    if case.finding.error != "postcondition.violated" or not isinstance(member, Method | Function):
        return
    clause = next((c for c in member.postconditions if part and c.span.encloses(part.span)), None)
    if clause is None or part is None or not member.span.encloses(clause.span):
        return
    strict = [node for node in _claims(clause) if node.op in _WIDER and _is_of_end(node, member)]
    failing = [node for node in strict if part.span.encloses(node.span)]
    for chosen in dict.fromkeys([tuple(failing), tuple(strict)]):
        if chosen:
            edits = tuple([replaced(n, _wider(n)) for n in chosen])
            whole, said = edited_in(clause.span, *edits), [f"`{edit.text}`" for edit in edits]
            is_short = len(chosen) > 1 and len(whole) <= LONGEST and "\n" not in whole
            yield Candidate(
                edits,
                "both sides may be equal: if the body is right, promise "
                f"{f'`{whole}`' if is_short else ' and '.join(said)}",
                within=False,
                values=True,
                weak=True,
            )


def _wider(node: x.Compare) -> str:
    return f"{node.left.span.text} {_WIDER[node.op].value} {node.right.span.text}"


def _is_of_end(node: x.Compare, member: Method | Function) -> bool:
    """Whether a comparison speaks of what the body makes."""
    if isinstance(member, Function):
        return True
    return bool(free_vars(node) & {result.name for result in member.returns}) or reads_heap(node)


def _claims(clause: Node) -> list[x.Compare]:
    """Comparisons that a clause claims: its parts, or what a quantifier or condition says."""
    match clause:
        case x.Compare():
            return [clause]
        case x.Forall(body=body):
            return _claims(body)
        case x.Implies(right=right):
            return _claims(right)
        case x.Conditional(_, then, otherwise):
            return [*_claims(then), *_claims(otherwise)]
        case x.Or(parts):
            return [claim for part in parts for claim in _claims(part)]
        case x.And() | a.Star():
            return [claim for part in conjuncts(clause) for claim in _claims(part)]
        case _:
            return []
