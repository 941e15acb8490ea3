"""Lowering of expressions: the table of contents, and what needs no file of its own."""

from __future__ import annotations

import re
from typing import assert_never

from pitviper.base.record import replace
from pitviper.checking.context import Context
from pitviper.checking.infer import (
    IMPURE_NODES,
    Alternative,
    Lowered,
    Open,
    around,
    expect,
)
from pitviper.checking.lower import arithmetic as arith
from pitviper.checking.lower import binders as binder
from pitviper.checking.lower import calls, collections, logic, resources
from pitviper.checking.types import ERROR, IMPURE, NOTHING, has_holes
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program.types import BOOL
from pitviper.syntax import tree
from pitviper.syntax.foreign import word_help


def lower(e: tree.Expr, cx: Context) -> Lowered:  # noqa: C901  # one case per construct
    """An expression of the source in the typed program; the commonest constructs come first."""
    match e:
        case tree.Name():
            return _name(e, cx)
        case tree.Call():
            return calls.call(e, cx)
        case tree.FieldAccess():
            return calls.field_access(e, cx)
        case tree.IntLiteral(value):
            return x.IntLit(value, span=e.span)
        case tree.Binary():
            return _binary(e, cx)
        case tree.And():
            return logic.conjunction(e, cx)
        case tree.Comparison():
            return arith.comparison(e, cx)
        case tree.Acc():
            return resources.access(e, cx)
        case tree.Unary():
            return _unary(e, cx)
        case tree.Quantifier():
            return binder.quantifier(e, cx)
        case tree.Index():
            return collections.index(e, cx)
        case tree.Conditional():
            return logic.conditional(e, cx)
        case tree.Or():
            return logic.disjunction(e, cx)
        case tree.Old():
            return resources.old(e, cx)
        case tree.BoolLiteral(value):
            return x.BoolLit(value, span=e.span)
        case tree.NullLiteral():
            return x.NullLit(span=e.span)
        case tree.PermLiteral(kind):
            return x.PermLit(x.PermConstant(kind), span=e.span)
        case tree.Unfolding():
            return resources.unfolding(e, cx)
        case tree.Cardinality():
            return collections.cardinality(e, cx)
        case tree.Let():
            return binder.let(e, cx)
        case tree.InhaleExhale():
            return logic.inhale_exhale(e, cx)
        case tree.Perm():
            return resources.current_perm(e, cx)
        case tree.ForPerm():
            return binder.forperm(e, cx)
        case tree.Wand():
            return logic.wand(e, cx)
        case tree.ResultLiteral():
            return _result(e, cx)
        case _:
            return _lower_rare(e, cx)


def _lower_rare(
    e: tree.Ascription
    | tree.Slice
    | tree.Update
    | tree.Range
    | tree.CollectionLiteral
    | tree.MapLiteral
    | tree.MapDomain
    | tree.MapRange
    | tree.Applying
    | tree.Asserting
    | tree.New
    | tree.PredicateInstance
    | tree.AnnotatedExpr,
    cx: Context,
) -> Lowered:
    match e:
        case tree.Ascription():
            return calls.ascription(e, cx)
        case tree.Slice():
            return collections.slice_of(e, cx)
        case tree.Update():
            return collections.update(e, cx)
        case tree.Range():
            return collections.interval(e, cx)
        case tree.CollectionLiteral():
            return collections.collection(e, cx)
        case tree.MapLiteral():
            return collections.map_literal(e, cx)
        case tree.MapDomain() | tree.MapRange():
            return collections.domain_or_range(e, cx)
        case tree.Applying():
            return resources.applying(e, cx)
        case tree.Asserting():
            return resources.asserting(e, cx)
        case tree.PredicateInstance():
            return calls.predicate_instance(e, cx)
        case tree.AnnotatedExpr():
            return _annotated(e, cx)
        case tree.New():
            cx.error(
                e.span,
                "unexpected use of `new` as an expression",
                help="`new` can only be the whole right side of an assignment",
            )
            return cx.bad(e.span, ERROR)
        case _:
            assert_never(e)


def _binary(e: tree.Binary, cx: Context) -> Lowered:
    match e.op:
        case "==" | "!=":
            return arith.equality(e, cx)
        case "==>":
            return logic.implication(e, cx)
        case "<==>":
            return logic.equivalence(e, cx)
        case "++":
            return collections.append(e, cx)
        case "union" | "intersection" | "setminus" | "subset":
            return collections.set_operation(e, cx)
        case _:
            return arith.arithmetic(e, cx)


def _unary(e: tree.Unary, cx: Context) -> Lowered:
    if e.op == "-":
        return arith.negation(e, cx)
    return x.Not(expect(e.operand, BOOL, cx, "negation"), span=e.span)


# ---------------------------------------------------------------- variables


def _name(e: tree.Name, cx: Context) -> Lowered:
    local = cx.scope.find(e.name)
    if local is None:
        undeclared(e, cx)
        return cx.bad(e.span, ERROR)
    t = local.type
    if t is IMPURE:  # a let whose bound expression has been reported
        return a.Star((), span=e.span)
    if cx.let_holes and has_holes(t):
        use = Alternative(t, NOTHING, lambda g: x.Var(local.name, g.type(t), span=e.span))
        return Open((use,), e.span)
    return x.Var(local.name, t, span=e.span)


def undeclared(e: tree.Name, cx: Context) -> None:
    """An error for a name that is no variable in scope."""
    callee = cx.table.callees.get(e.name)
    if callee is not None:
        inside = "..." if callee.params else ""
        help_text: str | None = f"did you mean to call it: `{e.name}({inside})`?"
    elif e.name in cx.table.fields:
        help_text = f"`{e.name}` is a field: write `{calls.only_object(cx)}.{e.name}`"
    else:
        help_text = cx.suggest(e.name, cx.scope.visible) or _about_name(e, cx)
    if not calls.is_missing_result(e, cx):
        cx.error(e.span, f"undeclared identifier `{e.name}`", help=help_text)


_RESULTS = frozenset({"res", "ret", "Result", "result_", "return", "retval", "returns", "value"})
"""What other languages call `result`."""


def _of_the_body(e: tree.Name, cx: Context) -> str | None:
    """About a local variable of the body that a contract in front of it mentions."""
    if cx.rules.perm_ban is None:
        return None
    behind = re.split(r"\n(?:method|function|predicate)\b", e.span.file.text[e.span.end :])[0]
    name = re.escape(e.name)
    if re.search(rf"\b{name}\s*:=", behind) and not re.search(rf"\bvar\s+{name}\b", behind):
        return f"{calls.A_RESULT}: `returns ({e.name}: Int)`"
    found = re.search(rf"\bvar\s+{re.escape(e.name)}\s*:\s*([\w$\[\], ]*[\w$\]])", behind)
    if found is None:
        return None
    return (
        f"`{e.name}` is a variable of the body, which a contract does not see: make it a result, "
        f"`returns ({e.name}: {found[1]})`, and leave its `var` out"
    )


def _about_name(e: tree.Name, cx: Context) -> str:
    name = e.name
    if cx.rules.result is not None and name in _RESULTS:
        return "the value of a function is called `result` in its postcondition"
    earlier = cx.scope.clash(name)
    if earlier is not None:
        return (
            f"it is declared in line {earlier.line}, inside of a block or formula that has ended: "
            f"declare `{name}` in front of that"
        )
    return word_help(name) or _of_the_body(e, cx) or calls.declared_later(e) or _declared_as(e, cx)


def _declared_as(e: tree.Name, cx: Context) -> str:
    """How an unknown name is declared, with the type that a call around it asks for."""
    type_ = _argument_type(e, cx) or "Int"
    if cx.rules.in_axiom:
        return f"an axiom speaks of all values: write `forall {e.name}: {type_} :: ...` around it"
    return (
        f"declare it: as a parameter `{e.name}: {type_}`, or with `var {e.name}: {type_}` in a body"
    )


def _argument_type(e: tree.Name, cx: Context) -> str | None:
    """The type of the parameter for which a name stands in a call, as far as the line tells."""
    text, start = e.span.file.text, e.span.start
    line = text[text.rfind("\n", 0, start) + 1 : start]
    found = re.search(r"([A-Za-z_$][\w$]*)\(((?:[^(),]*,)*)\s*$", line)
    callee = None if found is None else cx.table.callees.get(found[1])
    if found is None or callee is None or found[2].count(",") >= len(callee.params):
        return None
    return str(callee.params[found[2].count(",")])


def _named_result(e: tree.ResultLiteral) -> str:
    """How the result of the method around a place is called."""
    before = e.span.file.text[: e.span.start].rpartition("method ")[2]
    found = re.search(r"\breturns\s*\(\s*([A-Za-z_$][\w$]*)", before)
    if found is not None:
        return f"a method names its results: write `{found[1]}`"
    return "a method names its results: declare `returns (res: Int)` and write `res`"


def _result(e: tree.ResultLiteral, cx: Context) -> Lowered:
    if cx.rules.result is None:
        cx.error(
            e.span,
            "`result` can only be used in function postconditions",
            help=_named_result(e),
        )
        return cx.bad(e.span, ERROR)
    return x.Result(cx.rules.result, span=e.span)


# ---------------------------------------------------------------- annotations


def _annotated(e: tree.AnnotatedExpr, cx: Context) -> Lowered:
    """`@reveal() f(x)`, `@weight("3") forall ...`; annotations we do not know mean nothing."""
    weight = _weight(e, cx)
    if isinstance(e.expr, tree.Quantifier):
        return binder.quantifier(e.expr, cx, weight)
    inner = cx.lower(e.expr, cx)
    if isinstance(inner, IMPURE_NODES) or all(note.key != "reveal" for note in e.annotations):
        return inner
    return around(inner, _revealed, e.span)


def _revealed(e: x.Expr) -> x.Expr:
    return replace(e, reveal=True) if isinstance(e, x.FunctionApp) else e


def _weight(e: tree.AnnotatedExpr, cx: Context) -> int | None:
    for note in e.annotations:
        if note.key == "weight":
            if len(note.values) == 1 and note.values[0].isascii() and note.values[0].isdigit():
                return int(note.values[0])
            cx.report.warning(
                note.span,
                "Invalid value for annotation weight: expected one number; it is ignored",
                code="annotation.warning",
            )
    return None
