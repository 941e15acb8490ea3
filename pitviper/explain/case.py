"""A finding with the parts of the program that it is about, and what rules of advice ask of it."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.base.record import record
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Function, Method, Predicate, Program
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import children, descendants, rewrite
from pitviper.results.finding import Finding

LONGEST = 60
"""Characters of an expression that advice repeats."""


@record
class Case:
    """A finding with the parts of the program that it is about, where they are found.

    `member` has the failing construct `construct`, `part` is what failed of it.
    """

    finding: Finding
    program: Program
    member: Method | Function | Predicate | None
    construct: Node | None
    part: Node | None


def quote(node: Node) -> str:
    """The text of a short expression, else nothing."""
    text = text_of(node)
    return text if len(text) <= LONGEST and "\n" not in text else ""


def call_of(case: Case) -> tuple[tuple[x.Var, ...], tuple[x.Expr, ...]]:
    """The formals of what the failing construct calls or folds, and their arguments."""
    match case.construct:
        case s.MethodCall(method, args):
            return case.program.methods[method].params, args
        case x.FunctionApp(function, args) if function in case.program.functions:
            return case.program.functions[function].params, args
        case s.Fold(a.PredicateLocation(predicate, args)):
            return case.program.predicates[predicate].params, args
        case _:
            return (), ()


def substituted(node: Node, params: tuple[x.Var, ...], args: tuple[x.Expr, ...]) -> Node:
    if len(params) != len(args):
        return node
    values: dict[str, Node] = {p.name: arg for p, arg in zip(params, args, strict=True)}
    return rewrite(node, lambda n: values.get(n.name) if isinstance(n, x.Var) else None)


def with_arguments(case: Case, location: a.FieldLocation | a.PredicateLocation) -> Node:
    """The location with arguments for formals, where it stands in another member's contract."""
    return substituted(location, *call_of(case))


def lacking_of(case: Case) -> a.FieldLocation | a.PredicateLocation | None:
    """The location that permission is missing to, where it is one of the failing member."""
    if case.finding.reason != "insufficient.permission":
        return None
    match case.part:
        case a.FieldLocation() | a.PredicateLocation():
            return case.part
        case x.FieldRead(receiver, field) | x.SeqIndex(sequence=x.FieldRead(receiver, field)):
            return a.FieldLocation(receiver, field, span=case.part.span)
        case s.FieldAssign(receiver, field):
            return a.FieldLocation(receiver, field, span=case.part.span)
        case a.Access(location):
            return location
        case _:
            return None


def reads_heap(node: Node) -> bool:
    kinds = (x.FieldRead, x.FunctionApp, x.Unfolding, x.CurrentPerm)
    return any(isinstance(inner, kinds) for inner in descendants(node))


def in_front(block: s.Block, before: int) -> Iterator[s.Stmt]:
    """Statements in front of a place, without those of loops that end in front of it."""
    for node in block.statements:
        if node.span.start >= before:
            return
        yield node
        if isinstance(node, s.While) and node.span.end <= before:
            continue
        for part in children(node):
            if isinstance(part, s.Block):
                yield from in_front(part, before)
