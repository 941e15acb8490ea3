"""Numbers: integers and permission amounts."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from pitviper.engines.concrete.rules import evaluate as rules
from pitviper.engines.concrete.run import Run
from pitviper.engines.concrete.state import State
from pitviper.engines.concrete.values.choose import force
from pitviper.engines.concrete.values.unknown import Hole, Number, Raw
from pitviper.program import expr as pe

Arithmetic: TypeAlias = pe.Negate | pe.IntArith | pe.PermArith | pe.Compare


def evaluate_arithmetic(st: State, e: Arithmetic, run: Run) -> Raw:
    match e:
        case pe.Negate(operand):
            return -number(st, operand, run)
        case pe.IntArith(pe.IntOp.ADD | pe.IntOp.SUB):
            return _eval_sum(st, e, run)
        case pe.IntArith():
            return _eval_product(st, e, run)
        case pe.PermArith():
            return _eval_amount(st, e, run)
        case pe.Compare(op, left, right):
            return compare(op, number(st, left, run), number(st, right, run))


def number(st: State, e: pe.Expr, run: Run) -> Number:
    value = rules.evaluate(st, e, run)
    assert isinstance(value, int | Fraction)
    return value


def constant(e: pe.PermLit, run: Run) -> Fraction:
    """A wildcard inside a larger amount occurs in functions only, where any positive value does."""
    match e.value:
        case pe.PermConstant.WRITE:
            return Fraction(1)
        case pe.PermConstant.NONE:
            return Fraction(0)
        case pe.PermConstant.WILDCARD:
            return Fraction(1, 2)
        case pe.PermConstant.EPSILON:
            run.cannot("epsilon", e)


def compare(op: pe.CompareOp, left: Number, right: Number) -> bool:
    match op:
        case pe.CompareOp.LT:
            return left < right
        case pe.CompareOp.LE:
            return left <= right
        case pe.CompareOp.GT:
            return left > right
        case pe.CompareOp.GE:
            return left >= right


def _eval_sum(st: State, e: pe.IntArith, run: Run) -> Raw:
    """An undecided value plus a number stays undecided."""
    left, right = rules.evaluate_raw(st, e.left, run), rules.evaluate_raw(st, e.right, run)
    if e.op is pe.IntOp.ADD and not isinstance(run.unknowns.look(left), Hole):
        return _shifted(right, left, run)
    by = force(right, run)
    assert isinstance(by, int)
    return _shifted(left, by if e.op is pe.IntOp.ADD else -by, run)


def _shifted(raw: Raw, by: Raw, run: Run) -> Raw:
    raw, by = run.unknowns.look(raw), run.unknowns.look(by)
    assert isinstance(by, int)
    if isinstance(raw, Hole):
        return raw.shifted(by)
    assert isinstance(raw, int)
    return raw + by


def _eval_product(st: State, e: pe.IntArith, run: Run) -> int:
    """Division rounds so that the remainder is never negative."""
    left, right = rules.integer(st, e.left, run), rules.integer(st, e.right, run)
    if e.op is pe.IntOp.MUL:
        return left * right
    if right == 0:
        run.fail("division.by.zero", e.right, e.right)
    remainder = left % abs(right)
    return remainder if e.op is pe.IntOp.MOD else (left - remainder) // right


def _eval_amount(st: State, e: pe.PermArith, run: Run) -> Fraction:
    left, right = number(st, e.left, run), number(st, e.right, run)
    match e.op:
        case pe.PermOp.ADD:
            return Fraction(left + right)
        case pe.PermOp.SUB:
            return Fraction(left - right)
        case pe.PermOp.MUL | pe.PermOp.INT_MUL:
            return Fraction(left * right)
        case pe.PermOp.DIV | pe.PermOp.INT_DIV | pe.PermOp.FRACTION:
            if right == 0:
                run.fail("division.by.zero", e.right, e.right)
            return Fraction(left) / Fraction(right)
