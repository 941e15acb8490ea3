"""Predicates of which every part makes sense as the whole does, by the look of their bodies.

NOTE(parts). The body of a predicate is found well-formed for a whole instance. Of a part less is
known: that `acc(x.f) && acc(y.f)` is held in full says that `x` and `y` differ, halves do not say
so. What a body reads may be framed by the whole and not by a part, and whoever holds the rest of
the location could change what a folded part says. Therefore a part is folded, unfolded or looked
into only where its body makes sense without any bound on amounts. It is judged there, for the
arguments at hand; it would be enough to judge folds, as an instance that was folded whole says of
its parts what it says of itself. Most bodies need no such judgement: a single access to a field,
with a literal amount, tells nothing by its amount. More than all of a field tells that there is no
such instance, and nothing behind it is judged; but there may be parts of it.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program.member import Program
from pitviper.program.walk import descendants

PART = "predicate.part.not.wellformed"
"""The error id of what does not make sense for a part, whatever it is."""


def is_plainly_divisible(predicate: str, program: Program) -> bool:
    """Whether bounds on amounts say nothing about the body of a predicate."""
    fields: Counter[str] = Counter()
    seen: set[str] = set()
    todo = [predicate]
    while todo:
        name = todo.pop()
        body = program.predicates[name].body
        if name in seen:
            return False
        seen.add(name)
        for node in descendants(body) if body is not None else ():
            if isinstance(node, pa.QuantifiedPermission):
                return False
            if isinstance(node, pe.Unfolding):
                todo.append(node.predicate.predicate)
                if not _is_possible(node.amount):
                    return False
            elif isinstance(node, pa.Access) and isinstance(node.location, pa.FieldLocation):
                fields[node.location.field] += 1
                if fields[node.location.field] > 1 or not _is_possible(node.amount):
                    return False
    return True


def _is_possible(amount: pe.Expr) -> bool:
    """Whether an amount is surely a part of one field, or all of it."""
    if amount == pe.PermLit(pe.PermConstant.WILDCARD):
        return True
    value = _value(amount)
    return value is not None and 0 <= value <= 1


def _value(amount: pe.Expr) -> Fraction | None:
    """The number that a literal amount stands for."""
    match amount:
        case pe.PermLit(pe.PermConstant.WRITE):
            return Fraction(1)
        case pe.PermLit(pe.PermConstant.NONE):
            return Fraction(0)
        case pe.PermArith(pe.PermOp.FRACTION, pe.IntLit(over), pe.IntLit(under)) if under != 0:
            return Fraction(over, under)
        case _:
            return None
