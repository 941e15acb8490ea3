"""Which facts a caller may be asked for: plain ones, such as `0 <= i` or `x != null`.

A precondition that repeats the claim that fails makes every body right. It is advice only where it
is a bound, an order of two values, or that something is not null.
"""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of


def is_plain(fact: Node) -> bool:
    """Whether a fact is made of bounds, orders of two values, and what is not null or not 0."""
    match fact:
        case a.Star(parts) | x.And(parts):
            return all(is_plain(part) for part in parts)
        case x.Compare(_, left, right) | x.NotEqual(left, right):
            terms = [*_terms(left, 1), *_terms(right, -1)]
            names = [name for _, name in terms]
            if "" in names or len(names) != len(set(names)):
                return False
            return len(terms) == 1 or sorted(sign for sign, _ in terms) == [-1, 1]
        case _:
            return False


def _terms(side: x.Expr, sign: int) -> Iterator[tuple[int, str]]:
    """What a side adds up, each with its sign, without constants; "" is something else."""
    match side:
        case x.IntLit() | x.Negate(x.IntLit()) | x.NullLit():
            return
        case x.Var() | x.FieldRead(x.Var()) | x.Cardinality(x.Var() | x.FieldRead(x.Var())):
            yield sign, text_of(side)
        case x.IntArith(x.IntOp.ADD, left, right):
            yield from (*_terms(left, sign), *_terms(right, sign))
        case x.IntArith(x.IntOp.SUB, left, right):
            yield from (*_terms(left, sign), *_terms(right, -sign))
        case _:
            yield sign, ""
