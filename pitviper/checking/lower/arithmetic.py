"""Operators on numbers, comparisons, equality."""

from __future__ import annotations

import re

from pitviper.checking.context import Context
from pitviper.checking.infer import (
    IMPURE_NODES,
    NOT_CLOSED,
    Alternative,
    Lowered,
    Open,
    Signature,
    combine,
    of_type,
)
from pitviper.checking.lower.collections import contains
from pitviper.checking.types import ERROR, NOTHING, Hole
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program.types import BOOL, INT, PERM, Type
from pitviper.source.span import Span
from pitviper.syntax import tree


def _int(op: str) -> Signature:
    return Signature((INT, INT), INT, op)


def _perm(op: str) -> Signature:
    return Signature((PERM, PERM), PERM, op)


def _mixed(op: str, left: Type, right: Type) -> Signature:
    return Signature((left, right), PERM, op)


_SIGNATURES: dict[str, tuple[Signature, ...]] = {
    "+": (_perm("+"), _int("+")),
    "-": (_perm("-"), _int("-")),
    "*": (_perm("*"), _mixed("*", INT, PERM), _mixed("*", PERM, INT), _int("*")),
    "/": (_perm("/"), _mixed("/", PERM, INT), _mixed("/", INT, INT), _int("/")),
    "\\": (_int("\\"),),
    "%": (_int("%"),),
}
_COMPARISONS = {
    op: (Signature((PERM, PERM), BOOL, op), Signature((INT, INT), BOOL, op))
    for op in ("<", "<=", ">", ">=")
}

_INT_OPS = {op.value: op for op in x.IntOp} | {"/": x.IntOp.DIV}
_PERM_OPS = {
    "+": x.PermOp.ADD,
    "-": x.PermOp.SUB,
    "*": x.PermOp.MUL,
    "/": x.PermOp.DIV,
}
_COMPARE_OPS = {op.value: op for op in x.CompareOp}


def arithmetic(e: tree.Binary, cx: Context) -> Lowered:
    """`+ - * / \\ %`."""
    left, right = cx.lower(e.left, cx), cx.lower(e.right, cx)
    op, span = e.op, e.span
    if not isinstance(left, NOT_CLOSED) and not isinstance(right, NOT_CLOSED):
        types = left.type, right.type
        if types[0] is INT and types[1] is INT:
            if op == "/":
                return _division(left, right, span)
            return x.IntArith(_INT_OPS[op], left, right, span=span)
        if types[0] is PERM and types[1] is PERM and op in _PERM_OPS:
            return x.PermArith(_PERM_OPS[op], left, right, span=span)

    def build(operands: tuple[x.Expr, ...], result: Type) -> x.Expr:
        return _arith_node(op, operands[0], operands[1], result, span)

    return combine(_SIGNATURES[op], (left, right), build, span, cx)


def _division(left: x.Expr, right: x.Expr, span: Span) -> Open:
    """Of two integers: a fraction, unless an integer is wanted."""
    fraction = x.PermArith(x.PermOp.FRACTION, left, right, span=span)
    quotient = x.IntArith(x.IntOp.DIV, left, right, span=span)
    return Open(
        (
            Alternative(PERM, NOTHING, lambda _: fraction),
            Alternative(INT, NOTHING, lambda _: quotient),
        ),
        span,
    )


def _arith_node(op: str, left: x.Expr, right: x.Expr, result: Type, span: Span) -> x.Expr:
    if result is INT:
        return x.IntArith(_INT_OPS[op], left, right, span=span)
    if left.type is INT and right.type is INT:
        return x.PermArith(x.PermOp.FRACTION, left, right, span=span)
    if left.type is INT:
        return x.PermArith(x.PermOp.INT_MUL, left, right, span=span)
    if right.type is not INT:
        return x.PermArith(_PERM_OPS[op], left, right, span=span)
    if op == "*":
        return x.PermArith(x.PermOp.INT_MUL, right, left, span=span)
    return x.PermArith(x.PermOp.INT_DIV, left, right, span=span)


def negation(e: tree.Unary, cx: Context) -> Lowered:
    """Unary minus."""
    operand = cx.lower(e.operand, cx)
    signatures = (Signature((PERM,), PERM, "-"), Signature((INT,), INT, "-"))
    return combine(signatures, (operand,), lambda ops, _: x.Negate(ops[0], span=e.span), e.span, cx)


# ---------------------------------------------------------------- comparisons


def comparison(e: tree.Comparison, cx: Context) -> Lowered:
    """`a < b`, `x in s`, and chains of these, which are conjunctions."""
    operands = [cx.lower(operand, cx) for operand in e.operands]
    if len(e.ops) == 1:
        return _compare(e.ops[0], operands[0], operands[1], e.span, cx)
    parts = []
    for index, op in enumerate(e.ops):
        left, right = operands[index], operands[index + 1]
        errors = cx.report.error_count
        part = _compare(op, left, right, left.span.to(right.span), cx)
        parts.append(of_type(part, BOOL, cx))
        if cx.report.error_count > errors:
            operands[index + 1] = cx.bad(right.span, ERROR)
    return x.And(tuple(parts), span=e.span)


def _compare(op: str, left: Lowered, right: Lowered, span: Span, cx: Context) -> x.Expr | Open:
    if op == "in":
        return contains(left, right, span, cx)
    kind = _COMPARE_OPS[op]
    if not isinstance(left, NOT_CLOSED) and not isinstance(right, NOT_CLOSED):
        t = left.type
        if right.type is t and (t is INT or t is PERM):
            return x.Compare(kind, left, right, span=span)
    return combine(
        _COMPARISONS[op],
        (left, right),
        lambda ops, _: x.Compare(kind, ops[0], ops[1], span=span),
        span,
        cx,
    )


def _compared_with_true(e: tree.Binary) -> str | None:
    """About `acc(x.f) == true`."""
    if e.op == "==" and "true" in (e.left.span.text, e.right.span.text):
        return "leave `== true` out: an assertion says by itself that it holds"
    return None


def _with_amount(e: tree.Binary, left: Lowered, right: Lowered, cx: Context) -> str | None:
    """About `acc(x.f) == 1/2` and `acc(x.f) == 3`."""
    first, other = (left, e.right) if isinstance(left, a.Access) else (right, e.left)
    if not isinstance(first, a.Access) or e.op != "==":
        return None
    place, value = first.location.span.text, other.span.text
    is_amount = re.fullmatch(r"\d+ */ *\d+|write|none|wildcard", value) is not None
    if "\n" in value or len(value) > _SHORT or place in value:
        return None
    if not is_amount and isinstance(first.location, a.FieldLocation):
        fact = f"{place} == {value}"
        return f"what is known of the value stands beside it: write `acc({place}) && {fact}`"
    if not is_amount:
        return None
    if cx.rules.perm_ban is not None:
        return f"the amount stands inside: write `acc({place}, {value})`"
    return f"a permission is not a value, its amount is one: write `perm({place}) == {value}`"


_SHORT = 40
"""Characters of a value that are repeated."""


def equality(e: tree.Binary, cx: Context) -> Lowered:
    """`==` and `!=` at any type."""
    left, right = cx.lower(e.left, cx), cx.lower(e.right, cx)
    node = x.Equal if e.op == "==" else x.NotEqual
    impure = [operand for operand in (left, right) if isinstance(operand, IMPURE_NODES)]
    if impure:
        for operand in impure:
            told = _compared_with_true(e) or _with_amount(e, left, right, cx)
            cx.error(operand.span, "argument is not pure", help=told)
        return cx.bad(e.span, BOOL)
    if not isinstance(left, NOT_CLOSED) and not isinstance(right, NOT_CLOSED):
        t, u = left.type, right.type
        if t is u or t is ERROR or u is ERROR or t == u:
            return node(left, right, span=e.span)
    hole = Hole(cx.hole_name("T"))
    return combine(
        (Signature((hole, hole), BOOL, e.op),),
        (left, right),
        lambda ops, _: node(ops[0], ops[1], span=e.span),
        e.span,
        cx,
    )
