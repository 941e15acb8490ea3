"""Formulas that hold in no state, as far as their text tells."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program.node import Node
from pitviper.program.types import INT
from pitviper.program.walk import free_vars


def never_holds(formula: Node) -> bool:
    """Whether a conjunct says something of all integers, or of all objects, that is not true.

    `forall i: Int :: 0 <= i && ...` was meant as `forall i: Int :: 0 <= i ==> ...`.
    """
    return any(
        _of_all_objects(part)
        if isinstance(part, a.QuantifiedPermission)
        else range_of_all(part) is not None
        for part in _conjuncts(formula)
    )


def range_of_all(formula: Node) -> x.Expr | None:
    """The conjunct that bounds a quantified integer, in the body of a `forall`."""
    if not isinstance(formula, x.Forall):
        return None
    names = {variable.name for variable in formula.variables if variable.type is INT}
    for part in _conjuncts(formula.body):
        match part:
            case x.Compare(_, x.Var(name), other) | x.Compare(_, other, x.Var(name)) if (
                name in names and not free_vars(other) & names
            ):
                return part
            case x.SeqContains(x.Var(name), whole) | x.SetContains(x.Var(name), whole) if (
                name in names and not free_vars(whole) & names
            ):
                return part
    return None


def _of_all_objects(many: a.QuantifiedPermission) -> bool:
    """Whether it asks for a field of every object: `null` has none."""
    match many.condition, many.resource:
        case x.BoolLit(True), a.Access(a.FieldLocation(x.Var(name)), x.PermLit(amount)):
            return amount is not x.PermConstant.NONE and name in [v.name for v in many.variables]
    return False


def _conjuncts(formula: Node) -> Iterator[Node]:
    match formula:
        case a.Star(parts) | x.And(parts):
            for part in parts:
                yield from _conjuncts(part)
        case _:
            yield formula
