"""Pairs `[A, B]` inside of conditions, amounts and arguments, put around what is held.

NOTE(lifting pairs). What an assertion holds may depend on a pair of truth values: whoever gets
`[true, false] ==> acc(x.f)` gets `x.f`, who gives it gives nothing. Values that come out of such
an assertion are not those that went in. All rules about that look at pairs of assertions, so there
are no others: `[true ==> acc(x.f), false ==> acc(x.f)]`. Pairs inside of pure parts stay.
"""

from __future__ import annotations

from typing import TypeVar

from pitviper.base.record import replace
from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program import member as m
from pitviper.program.node import Node
from pitviper.program.walk import children, descendants, rewrite, rewrite_children

N = TypeVar("N", bound=Node)


def lifted_everywhere(program: m.Program) -> m.Program:
    """The program as engines want it, whoever has made it."""
    return replace(
        program,
        methods={name: with_lifted_pairs(each) for name, each in program.methods.items()},
        functions={name: with_lifted_pairs(each) for name, each in program.functions.items()},
        predicates={name: with_lifted_pairs(each) for name, each in program.predicates.items()},
    )


def with_lifted_pairs(node: N) -> N:
    """The node with pairs around assertions whose conditions, amounts or arguments have some."""
    return _lifted(node) if _has_pair(node) else node  # type: ignore[return-value]


def has_pairs(node: Node) -> bool:
    """Whether somewhere in it one thing is got and another one given."""
    kinds = (pa.InhaleExhale, pe.InhaleExhaleExpr)
    return any(isinstance(inner, kinds) for inner in descendants(node))


def held_when_given(assertion: pa.Assertion) -> pa.Assertion:
    """What giving an assertion gives away, without what it says: of pairs the exhaled side, and
    nothing but locations with their conditions and amounts. To get it back assumes nothing."""
    return _holding(rewrite(assertion, _exhaled))


def _holding(e: pa.Assertion) -> pa.Assertion:
    match e:
        case pa.Star(conjuncts):
            parts = tuple([p for p in map(_holding, conjuncts) if isinstance(p, pa.Impure)])
            return pa.Star(parts, span=e.span) if parts else _nothing(e)
        case pa.Guarded(condition, body):
            inner = _holding(body)
            held = isinstance(inner, pa.Impure)
            return pa.Guarded(condition, inner, span=e.span) if held else _nothing(e)
        case pa.Choice(condition, then, otherwise):
            return pa.Choice(condition, _holding(then), _holding(otherwise), span=e.span)
        case pa.Binding(variable, bound, body):
            return pa.Binding(variable, bound, _holding(body), span=e.span)
        case _:
            return e if isinstance(e, pa.Impure) else _nothing(e)


def _nothing(e: Node) -> pe.Expr:
    return pe.BoolLit(value=True, span=e.span)


def _lifted(node: Node) -> Node:
    if any(_has_pair(part) for part in _deciding(node)):
        inhaled, exhaled = rewrite(node, _inhaled), rewrite(node, _exhaled)
        assert isinstance(inhaled, pa.Impure) and isinstance(exhaled, pa.Impure)
        return pa.InhaleExhale(inhaled, exhaled, span=node.span)
    if isinstance(node, pa.QuantifiedPermission) and isinstance(node.resource, pa.Access):
        return node
    found = {id(child): _lifted(child) for child in children(node)}
    if all(found[id(child)] is child for child in children(node)):
        return node
    return rewrite_children(node, found)


def _deciding(node: Node) -> tuple[Node, ...]:
    """The parts of an assertion that decide what it holds."""
    match node:
        case pa.Guarded(condition) | pa.Choice(condition):
            return (condition,)
        case pa.Binding(bound=bound):
            return (bound,)
        case pa.Access(location, amount):
            return (location, amount)
        case pa.QuantifiedPermission(condition=condition, resource=pa.Access() as resource):
            return (condition, resource)
        case pa.QuantifiedPermission(condition=condition):
            return (condition,)
        case _:
            return ()


def _has_pair(node: Node) -> bool:
    return any(isinstance(inner, pe.InhaleExhaleExpr) for inner in descendants(node))


def _inhaled(node: Node) -> Node | None:
    match node:
        case pa.InhaleExhale(side, _) | pe.InhaleExhaleExpr(side, _):
            return side
        case _:
            return None


def _exhaled(node: Node) -> Node | None:
    match node:
        case pa.InhaleExhale(_, side) | pe.InhaleExhaleExpr(_, side):
            return side
        case _:
            return None
