"""Permission amounts as functions see them, in the terms of methods.

In a function only zero or not counts. A method that holds `wildcard` of everything that the
function holds some of is in the same position: it may read all of it, may open predicates without
losing them, and learns nothing from amounts, neither that two references differ nor that holding a
location twice is impossible.
"""

from __future__ import annotations

from typing import TypeVar

from pitviper.base.record import replace
from pitviper.plugins.build import conjunction
from pitviper.program.assertion import Access, Guarded, QuantifiedPermission
from pitviper.program.expr import (
    Compare,
    CompareOp,
    Expr,
    IntLit,
    PermArith,
    PermConstant,
    PermLit,
    PermOp,
    Unfolding,
)
from pitviper.program.node import Node
from pitviper.program.walk import rewrite
from pitviper.source.span import Span

N = TypeVar("N", bound=Node)


def with_binary_amounts(node: N) -> N:
    """Every amount becomes `wildcard`, under the condition that it was positive."""
    return rewrite(node, _rule)


def _rule(node: Node) -> Node | None:
    match node:
        case Access(_, amount):
            return _access(node) if not _is_constant(amount) else _constant(node)
        case QuantifiedPermission():
            return _with_own_condition(node, node.resource)
        case Unfolding():
            return replace(node, amount=_wildcard(node.amount.span))
        case _:
            return None


def _constant(access: Access) -> Access:
    """`none` stays what it is."""
    if access.amount == PermLit(PermConstant.NONE):
        return access
    return replace(access, amount=_wildcard(access.amount.span))


def _access(access: Access) -> Guarded:
    return Guarded(
        is_positive(access.amount),
        replace(access, amount=_wildcard(access.amount.span)),
        span=access.span,
    )


def _with_own_condition(node: QuantifiedPermission, resource: Node) -> Node | None:
    """The condition under which a rewritten resource is held joins that of the quantifier."""
    if not (isinstance(resource, Guarded) and isinstance(resource.body, Access)):
        return None
    both = conjunction((node.condition, resource.condition), node.condition.span)
    return replace(node, condition=both, resource=resource.body)


def _is_constant(amount: Expr) -> bool:
    """A permission literal or a fraction of two positive numbers."""
    match amount:
        case PermLit():
            return True
        case PermArith(PermOp.FRACTION, IntLit(left), IntLit(right)):
            return left > 0 and right > 0
        case _:
            return False


def is_surely_positive(amount: Expr) -> bool:
    return _is_constant(amount) and amount != PermLit(PermConstant.NONE)


def is_positive(amount: Expr) -> Expr:
    """`amount > none`, where a `wildcard` inside the amount counts as `write`."""
    none = PermLit(PermConstant.NONE, span=amount.span)
    return Compare(CompareOp.GT, rewrite(amount, _without_wildcard), none, span=amount.span)


def _without_wildcard(node: Node) -> Node | None:
    if node == PermLit(PermConstant.WILDCARD):
        return replace(node, value=PermConstant.WRITE)
    return None


def _wildcard(span: Span) -> PermLit:
    return PermLit(PermConstant.WILDCARD, span=span)
