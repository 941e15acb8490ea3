"""Formulas that read otherwise than they were meant: the other reading is tried.

`!x in s` is `(!x) in s`, `a != b != c` compares a truth value, and `x == 1 || 2` has a number for
a condition. Where what is written has the wrong types and the other reading has the right ones, one
error says so, in place of those that follow from it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from pitviper.checking.context import Context
from pitviper.checking.infer import Lowered, of_type
from pitviper.program.types import BOOL
from pitviper.syntax import tree

E = TypeVar("E", tree.Binary, tree.Comparison, tree.Or, tree.And)


def as_meant(lower: Callable[[E, Context], Lowered]) -> Callable[[E, Context], Lowered]:
    """The rule, with one error for a formula that has another reading of the right types."""

    def rule(e: E, cx: Context) -> Lowered:
        other = _meant(e)
        if other is None:
            return lower(e, cx)
        mark, errors = cx.report.mark(), cx.report.error_count
        written = lower(e, cx)
        if cx.report.error_count == errors:
            return written
        found = cx.report.type_errors[errors:]
        cx.report.forget_since(mark)
        if not _has_sense(other[0], cx):
            cx.report.add_again(found)
            return written
        span = found[0].span
        cx.error(e.span if span is None else span, found[0].message, help=other[1])
        return cx.bad(e.span, BOOL)

    return rule


def _has_sense(e: tree.Expr, cx: Context) -> bool:
    """Whether an expression is a condition; what is found out is forgotten."""
    mark, errors = cx.report.mark(), cx.report.error_count
    of_type(cx.lower(e, cx), BOOL, cx)
    has_sense = cx.report.error_count == errors
    cx.report.forget_since(mark)
    return has_sense


def _meant(e: tree.Expr) -> tuple[tree.Expr, str] | None:
    """Another reading, with what to write for it."""
    match e:
        case tree.Comparison((tree.Unary("!", inner), *rest), ops) if len(ops) == 1:
            other: tree.Expr = tree.Comparison((inner, *rest), ops, span=inner.span.to(e.span))
            whole = tree.Unary("!", other, span=e.span)
            told = f"`!` binds more than `{ops[0]}`: write `!({other.span.text})`"
            return whole, told
        case tree.Binary(("==" | "!=") as op, tree.Unary("!", inner), right):
            opposite: tree.BinaryOp = "!=" if op == "==" else "=="
            other = tree.Binary(opposite, inner, right, span=e.span)
            written = f"{inner.span.text} {opposite} {right.span.text}"
            return other, f"`!` binds more than `{op}`: write `{written}`"
        case tree.Binary(("==" | "!=") as op, left, tree.Binary(("==" | "!=") as op2, mid, right)):
            return _pairwise(e, (left, mid, right), (op, op2))
        case tree.Binary(("==" | "!=") as op, tree.Binary(("==" | "!=") as op2, left, mid), right):
            return _pairwise(e, (left, mid, right), (op2, op))
        case tree.Or(operands) | tree.And(operands):
            return _repeated(e, operands)
        case _:
            return None


def _pairwise(
    e: tree.Expr,
    operands: tuple[tree.Expr, tree.Expr, tree.Expr],
    ops: tuple[tree.BinaryOp, tree.BinaryOp],
) -> tuple[tree.Expr, str] | None:
    """`a != b && b != c` for `a != b != c`."""
    text = e.span.text
    if any("(" in text[: one.span.start - e.span.start] for one in operands) and "(" in text:
        return None
    first, middle, last = operands
    parts = (
        tree.Binary(ops[0], first, middle, span=e.span),
        tree.Binary(ops[1], middle, last, span=e.span),
    )
    written = " && ".join([f"{p.left.span.text} {p.op} {p.right.span.text}" for p in parts])
    more = f" && {first.span.text} != {last.span.text}" if ops == ("!=", "!=") else ""
    also = f", and `{more.removeprefix(' && ')}` if all are different" if more else ""
    told = f"`{ops[0]}` compares two values: write `{written}`{also}"
    return tree.And(parts, span=e.span), told


def _repeated(
    e: tree.Or | tree.And, operands: tuple[tree.Expr, ...]
) -> tuple[tree.Expr, str] | None:
    """`x == 1 || x == 2` for `x == 1 || 2`: each side is a condition of its own."""
    said: tree.Expr | None = None
    meant, texts = list[tree.Expr](), list[str]()
    for operand in operands:
        is_bare = isinstance(operand, tree.IntLiteral | tree.Name | tree.NullLiteral)
        again = _again(said, operand) if is_bare and said is not None else None
        if again is None:
            said = operand if _is_comparison(operand) else said
            again = operand, operand.span.text
        meant.append(again[0])
        texts.append(again[1])
    if all(one is other for one, other in zip(meant, operands, strict=True)):
        return None
    sign, whole = (" || ", tree.Or) if isinstance(e, tree.Or) else (" && ", tree.And)
    told = f"each side is a condition of its own: write `{sign.join(texts)}`"
    return whole(tuple(meant), span=e.span), told


def _is_comparison(e: tree.Expr) -> bool:
    match e:
        case tree.Binary("==" | "!="):
            return True
        case tree.Comparison(_, ops):
            return len(ops) == 1
        case _:
            return False


def _again(said: tree.Expr, value: tree.Expr) -> tuple[tree.Expr, str] | None:
    """The comparison that was made in front, with another value."""
    match said:
        case tree.Binary(op, left):
            again: tree.Expr = tree.Binary(op, left, value, span=value.span)
            return again, f"{left.span.text} {op} {value.span.text}"
        case tree.Comparison(operands, ops):
            again = tree.Comparison((operands[0], value), ops, span=value.span)
            return again, f"{operands[0].span.text} {ops[0]} {value.span.text}"
        case _:
            return None
