"""Sides of wands that can be seen to make sense alone, without a run."""

from __future__ import annotations

from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program.node import Node
from pitviper.program.walk import children, descendants

Framed = list[tuple[pe.Expr, str]]
"""Fields that are known to be held."""


def looks_at_amounts(wand: pa.Wand) -> bool:
    return any(isinstance(n, pe.CurrentPerm | pe.ForPerm) for n in descendants(wand))


def is_evidently_framed(wand: pa.Wand) -> bool:
    """Whether both sides read only what they hold, and use only operations with a value."""
    left: Framed = []
    return _side(wand.left, left, []) and _side(wand.right, [], left)


def are_evidently_framed(clauses: tuple[pa.Assertion, ...]) -> bool:
    """The same of clauses that stand one behind the other."""
    held: Framed = []
    return all([_side(clause, held, []) for clause in clauses])


def _side(a: pa.Assertion, held: Framed, left: Framed) -> bool:
    match a:
        case pa.Star(conjuncts):
            return all([_side(part, held, left) for part in conjuncts])
        case pa.Access(location, amount):
            fine = _reads(location, held, left)
            if isinstance(location, pa.FieldLocation):
                held.append((location.receiver, location.field))
            return fine and _is_positive(amount)
        case pa.Guarded(condition, body):
            return _reads(condition, held, left) and _side(body, list(held), left)
        case pa.Choice(condition, then, otherwise):
            sides = [_side(side, list(held), left) for side in (then, otherwise)]
            return _reads(condition, held, left) and all(sides)
        case pa.Wand():
            return is_evidently_framed(a)
        case pa.QuantifiedPermission() | pa.Binding() | pa.InhaleExhale():
            return False
        case _:
            return _reads(a, held, left)


def _is_positive(amount: pe.Expr) -> bool:
    match amount:
        case pe.PermLit(pe.PermConstant.WRITE | pe.PermConstant.WILDCARD):
            return True
        case pe.PermArith(pe.PermOp.FRACTION, pe.IntLit(above), pe.IntLit(below)):
            return above > 0 and below > 0
        case _:
            return False


def _reads(node: Node, held: Framed, left: Framed) -> bool:
    """Whether an expression, or a location, has a value where these fields are held."""
    match node:
        case pe.FieldRead(receiver, field):
            return (receiver, field) in held and _reads(receiver, held, left)
        case pe.Old(label, operand) if label == "lhs":
            return _reads(operand, left, left)
        case pa.FieldLocation() | pa.PredicateLocation():
            return all(_reads(part, held, left) for part in children(node))
        case _:
            return _is_total(node) and all(_reads(part, held, left) for part in children(node))


_TOTAL = (
    pe.IntLit, pe.BoolLit, pe.NullLit, pe.PermLit, pe.Var, pe.Not, pe.And, pe.Or, pe.Implies,
    pe.Conditional, pe.Equal, pe.NotEqual, pe.Negate, pe.Compare, pe.SeqLit, pe.SetLit,
    pe.SeqAppend, pe.SeqTake, pe.SeqDrop, pe.SeqContains, pe.SetBinary, pe.Subset, pe.SetContains,
    pe.Cardinality,
)  # fmt: skip


def _is_total(node: Node) -> bool:
    if isinstance(node, pe.PermArith):
        return node.op is not pe.PermOp.DIV and not _may_divide_by_zero(node)
    if isinstance(node, pe.IntArith):
        return node.op in (pe.IntOp.ADD, pe.IntOp.SUB, pe.IntOp.MUL)
    return isinstance(node, _TOTAL)


def _may_divide_by_zero(node: pe.PermArith) -> bool:
    if node.op not in (pe.PermOp.INT_DIV, pe.PermOp.FRACTION):
        return False
    return not isinstance(node.right, pe.IntLit) or node.right.value == 0
