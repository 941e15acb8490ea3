"""Expressions that have a value in every state, so that no order of evaluation matters."""

from __future__ import annotations

from pitviper.program import expr as pe
from pitviper.program.walk import descendants

_SIMPLE = (
    pe.IntLit, pe.BoolLit, pe.NullLit, pe.PermLit, pe.Var, pe.Result, pe.Not, pe.And, pe.Or,
    pe.Implies, pe.Conditional, pe.Equal, pe.NotEqual, pe.Negate, pe.Compare, pe.SeqLit, pe.SetLit,
    pe.MultisetLit, pe.MapLit, pe.SeqRange, pe.SeqAppend, pe.SeqTake, pe.SeqDrop, pe.SeqContains,
    pe.SetBinary, pe.Subset, pe.SetContains, pe.MultisetCount, pe.Cardinality, pe.MapUpdate,
    pe.MapContains, pe.MapDomain, pe.MapRange, pe.Construct, pe.Discriminate, pe.IntArith,
    pe.PermArith,
)  # fmt: skip

_TOTAL = (*_SIMPLE, pe.DomainApp)

PARTIAL = (pe.IntOp.DIV, pe.IntOp.MOD, pe.PermOp.DIV, pe.PermOp.INT_DIV, pe.PermOp.FRACTION)


def is_simple(e: pe.Expr) -> bool:
    """Whether an expression has a value, and computing it is never the end of a run."""
    return _consists_of(e, _SIMPLE)


def is_total(e: pe.Expr) -> bool:
    """Whether an expression has a value."""
    return _consists_of(e, _TOTAL)


def _consists_of(e: pe.Expr, kinds: tuple[type, ...]) -> bool:
    for node in descendants(e):
        if not isinstance(node, kinds):
            return False
        if isinstance(node, pe.IntArith | pe.PermArith) and node.op in PARTIAL:
            divisor = node.right
            if not isinstance(divisor, pe.IntLit) or divisor.value == 0:
                return False
    return True
