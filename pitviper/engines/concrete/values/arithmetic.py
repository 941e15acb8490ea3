"""Numbers: integers and permission amounts."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from pitviper.engines.concrete.rules import evaluate as rules
from pitviper.engines.concrete.run import Run
from pitviper.engines.concrete.state import State
from pitviper.engines.concrete.values.choose import force
from pitviper.engines.concrete.values.unknown import Hole, Number, Raw
from pitviper.program.expr import (
    Compare,
    CompareOp,
    Expr,
    IntArith,
    IntOp,
    Negate,
    PermArith,
    PermConstant,
    PermLit,
    PermOp,
)

Arithmetic: TypeAlias = Negate | IntArith | PermArith | Compare


def evaluate_arithmetic(st: State, e: Arithmetic, run: Run) -> Raw:
    match e:
        case Negate(operand):
            return -number(st, operand, run)
        case IntArith(IntOp.ADD | IntOp.SUB):
            return _eval_sum(st, e, run)
        case IntArith():
            return _eval_product(st, e, run)
        case PermArith():
            return _eval_amount(st, e, run)
        case Compare(op, left, right):
            return compare(op, number(st, left, run), number(st, right, run))


def number(st: State, e: Expr, run: Run) -> Number:
    value = rules.evaluate(st, e, run)
    assert isinstance(value, int | Fraction)
    return value


def constant(e: PermLit, run: Run) -> Fraction:
    """A wildcard inside a larger amount occurs in functions only, where any positive value does."""
    match e.value:
        case PermConstant.WRITE:
            return Fraction(1)
        case PermConstant.NONE:
            return Fraction(0)
        case PermConstant.WILDCARD:
            return Fraction(1, 2)
        case PermConstant.EPSILON:
            run.cannot("epsilon", e)


def compare(op: CompareOp, left: Number, right: Number) -> bool:
    match op:
        case CompareOp.LT:
            return left < right
        case CompareOp.LE:
            return left <= right
        case CompareOp.GT:
            return left > right
        case CompareOp.GE:
            return left >= right


def _eval_sum(st: State, e: IntArith, run: Run) -> Raw:
    """An undecided value plus a number stays undecided."""
    left, right = rules.evaluate_raw(st, e.left, run), rules.evaluate_raw(st, e.right, run)
    if e.op is IntOp.ADD and not isinstance(run.unknowns.look(left), Hole):
        return _shifted(right, left, run)
    by = force(right, run)
    assert isinstance(by, int)
    return _shifted(left, by if e.op is IntOp.ADD else -by, run)


def _shifted(raw: Raw, by: Raw, run: Run) -> Raw:
    raw, by = run.unknowns.look(raw), run.unknowns.look(by)
    assert isinstance(by, int)
    if isinstance(raw, Hole):
        return raw.shifted(by)
    assert isinstance(raw, int)
    return raw + by


def _eval_product(st: State, e: IntArith, run: Run) -> int:
    """Division rounds so that the remainder is never negative."""
    left, right = rules.integer(st, e.left, run), rules.integer(st, e.right, run)
    if e.op is IntOp.MUL:
        return left * right
    if right == 0:
        run.fail("division.by.zero", e.right, e.right)
    remainder = left % abs(right)
    return remainder if e.op is IntOp.MOD else (left - remainder) // right


def _eval_amount(st: State, e: PermArith, run: Run) -> Fraction:
    left, right = number(st, e.left, run), number(st, e.right, run)
    match e.op:
        case PermOp.ADD:
            return Fraction(left + right)
        case PermOp.SUB:
            return Fraction(left - right)
        case PermOp.MUL | PermOp.INT_MUL:
            return Fraction(left * right)
        case PermOp.DIV | PermOp.INT_DIV | PermOp.FRACTION:
            if right == 0:
                run.fail("division.by.zero", e.right, e.right)
            return Fraction(left) / Fraction(right)
