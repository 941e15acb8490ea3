"""Which facts a caller may be asked for: plain ones, such as `0 <= i` or `x != null`.

A precondition that repeats the claim that fails makes every body right. It is advice only where it
is a bound, an order of two values, or that something is not null.
"""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.base.record import replace
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of


def is_plain(fact: Node) -> bool:
    """Whether a fact is made of bounds, orders of two values, and what is not null or not 0."""
    match fact:
        case a.Star(parts) | x.And(parts):
            return all(is_plain(part) for part in parts)
        case x.Or(parts) if len(parts) == 2:
            return all(is_plain(part) for part in parts)
        case x.Not(x.SetContains(x.Var(), x.Var()) | x.SeqContains(x.Var(), x.Var())):
            return True
        case x.Var() | x.Not(x.Var()):
            return True
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


def affirmed(fact: Node) -> Node:
    """A fact without negations of comparisons and of other negations: `x != 1` for `!(x == 1)`."""
    match fact:
        case x.Not(x.Not(inner)):
            return affirmed(inner)
        case x.Not(x.Equal(left, right)):
            return x.NotEqual(left, right, span=fact.span)
        case x.Not(x.NotEqual(left, right)):
            return x.Equal(left, right, span=fact.span)
        case x.Not(x.Compare(op) as inner):
            return replace(inner, op=_OPPOSITE[op], span=fact.span)
        case x.Not(x.Or(parts)):
            return x.And(tuple([_denied(part) for part in parts]), span=fact.span)
        case x.Not(x.And(parts)) if all(isinstance(part, _COMPARED) for part in parts):
            return x.Or(tuple([_denied(part) for part in parts]), span=fact.span)
        case _:
            return fact


def _denied(part: x.Expr) -> x.Expr:
    found = affirmed(x.Not(part, span=part.span))
    assert isinstance(found, x.Expr)
    return found


_OPPOSITE = {
    x.CompareOp.LT: x.CompareOp.GE,
    x.CompareOp.LE: x.CompareOp.GT,
    x.CompareOp.GT: x.CompareOp.LE,
    x.CompareOp.GE: x.CompareOp.LT,
}

_COMPARED = (x.Compare, x.Equal, x.NotEqual)
