"""Small pieces of the core that the object language is made of."""

from __future__ import annotations

from collections.abc import Sequence

from pitviper.base.qualified import ARRAY_LENGTH
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import types as core
from pitviper.source.span import Span

LENGTH = ARRAY_LENGTH
"""The function of the core for the length of an array, which never changes."""


def conjunction(parts: Sequence[a.Assertion], span: Span) -> a.Assertion:
    """All parts, without nesting; pure if every part is."""
    flat: list[a.Assertion] = []
    for part in parts:
        match part:
            case a.Star(conjuncts):
                flat += conjuncts
            case x.And(operands):
                flat += operands
            case _:
                flat.append(part)
    if not flat:
        return x.BoolLit(value=True, span=span)
    if len(flat) == 1:
        return flat[0]
    pure = [part for part in flat if not isinstance(part, a.Impure)]
    if len(pure) == len(flat):
        return x.And(tuple(pure), span=span)
    return a.Star(tuple(flat), span=span)


def length_of(array: x.Expr, span: Span) -> x.Expr:
    return x.FunctionApp(LENGTH, (array,), core.INT, span=span)


def not_null(value: x.Expr, span: Span) -> x.Expr:
    return x.NotEqual(value, x.NullLit(span=span), span=span)


def permission(location: a.PredicateLocation, amount: x.Expr, span: Span) -> a.Assertion:
    """An instance of a predicate; its receiver is an object."""
    access = a.Access(location, amount, span=span)
    receiver = location.args[0]
    if isinstance(receiver, x.Var) and receiver.name == "this":
        return access
    return a.Star((not_null(receiver, span), access), span=span)
