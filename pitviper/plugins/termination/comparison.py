"""When one tuple of measures is smaller than another."""

from __future__ import annotations

from collections.abc import Sequence

from pitviper.plugins.build import conjunction, disjunction, is_false
from pitviper.plugins.termination.orders import Orders
from pitviper.program.expr import BoolLit, Equal, Expr
from pitviper.source.span import Span


def is_smaller(small: Sequence[Expr], large: Sequence[Expr], orders: Orders, span: Span) -> Expr:
    """The lexicographic order; a shorter tuple is padded with a top element.

    So an empty rest is never smaller, and a rest is smaller than an empty one. Measures of
    different types are not comparable. Built from the last compared measure backwards.
    """
    compared = _comparable(small, large)
    longer = compared == len(large) and compared < len(small)
    smaller: Expr = BoolLit(value=longer, span=span)
    for s, b in reversed(list(zip(small[:compared], large[:compared], strict=True))):
        decreasing = orders.is_decreasing(s, b, span)
        step = conjunction((decreasing, orders.is_bounded(b, b.span)), span)
        if is_false(smaller):
            smaller = step
        else:
            equal = conjunction((Equal(s, b, span=span), smaller), span)
            smaller = disjunction((step, equal), span)
    return smaller


def compares(small: Sequence[Expr], large: Sequence[Expr]) -> bool:
    """Whether the comparison needs an order at all."""
    return _comparable(small, large) > 0


def _comparable(small: Sequence[Expr], large: Sequence[Expr]) -> int:
    """How many measures in front have the same type on both sides."""
    count = 0
    for s, b in zip(small, large, strict=False):
        if s.type != b.type:
            break
        count += 1
    return count
