"""Resources: what `acc`, `perm`, `unfolding` and the statements on predicates and wands name."""

from __future__ import annotations

from collections.abc import Callable

from pitviper.base.record import replace
from pitviper.checking.context import Context
from pitviper.checking.infer import IMPURE_NODES, Lowered, around, expect, formula
from pitviper.checking.lower.calls import arguments, field_type, unknown_callee
from pitviper.checking.lower.logic import IMPURE_BODY, Ghost, wand
from pitviper.checking.scope import PredicateInfo
from pitviper.checking.types import ERROR
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program.types import PERM, REF
from pitviper.source.span import Span
from pitviper.syntax import tree
from pitviper.syntax.foreign import word_help

NOT_A_LOCATION = "specified location is not a field nor a predicate"


def plain(e: tree.Expr) -> tree.Expr:
    """`e` without annotations."""
    while isinstance(e, tree.AnnotatedExpr):
        e = e.expr
    return e


# ---------------------------------------------------------------- locations


def field_location(e: tree.FieldAccess, cx: Context) -> a.FieldLocation | None:
    """`e.f` as a place in the heap: arguments of ADT constructors are none."""
    name = e.field.name
    if name in cx.table.fields:
        return a.FieldLocation(expect(e.receiver, REF, cx, "receiver"), name, span=e.span)
    if name in cx.table.destructors or cx.table.constructor_of_test(name) is not None:
        cx.error(e.span, NOT_A_LOCATION)
    else:
        cx.lower(e.receiver, cx)
        field_type(e.field, cx)
    return None


def predicate_location(e: tree.Call, cx: Context) -> a.PredicateLocation | None:
    """`P(e,*)` as a resource."""
    callee = cx.table.callees.get(e.callee.name)
    if isinstance(callee, PredicateInfo):
        operands = arguments(e, callee.params, cx)
        return a.PredicateLocation(callee.name, operands, span=e.span)
    if callee is None:
        unknown_callee(e.callee, "predicate", cx)
    else:
        cx.error(e.span, NOT_A_LOCATION)
    return None


def location(e: tree.Expr, cx: Context) -> a.FieldLocation | a.PredicateLocation | None:
    """What stands in `acc`."""
    e = plain(e)
    if isinstance(e, tree.FieldAccess):
        return field_location(e, cx)
    if isinstance(e, tree.Call):
        return predicate_location(e, cx)
    cx.error(e.span, NOT_A_LOCATION)
    return None


def resource(e: tree.Expr, cx: Context) -> a.Location | None:
    """What stands in `perm` and `forperm`: a location or a wand."""
    inner = plain(e)
    return wand(inner, cx) if isinstance(inner, tree.Wand) else location(inner, cx)


# ---------------------------------------------------------------- accessibility


def access(e: tree.Acc, cx: Context) -> a.Assertion:
    """`acc(location, amount)`."""
    if cx.rules.measure and isinstance(plain(e.location), tree.Call):
        return _instance(e, cx)
    place = location(e.location, cx)
    amount = _amount(e, cx)
    if place is None:
        return cx.bad(e.span, ERROR)
    return a.Access(place, amount, span=e.span)


def _instance(e: tree.Acc, cx: Context) -> a.Assertion:
    place = location(e.location, cx)
    if not isinstance(place, a.PredicateLocation):
        return cx.bad(e.span, ERROR)
    return x.PredicateInstance(place.predicate, place.args, span=place.span)


def _amount(e: tree.Acc, cx: Context) -> x.Expr:
    if e.amount is None:
        return x.PermLit(x.PermConstant.WRITE, span=e.span)
    if isinstance(e.amount, tree.Name) and cx.scope.find(e.amount.name) is None:
        return _unknown_amount(e.amount, cx)
    return expect(e.amount, PERM, cx, "amount")


def _unknown_amount(e: tree.Name, cx: Context) -> x.Expr:
    known = word_help(e.name)
    if e.name in _SOME:
        known = f"some permission is called `wildcard`: write it for `{e.name}`"
    help_ = known or (
        f"the full permission is `write`, a part of it `1/2`; or declare a parameter `{e.name}: "
        "Perm`"
    )
    cx.error(e.span, f"undeclared identifier `{e.name}`", help=help_)
    return cx.bad(e.span, PERM)


_SOME = frozenset({"any", "some", "readonly", "partial", "shared", "ro", "epsilon_", "star"})
"""What other languages call `wildcard`."""


def _about_foldable(e: tree.Expr, verb: str) -> str | None:
    if not isinstance(e, tree.FieldAccess):
        return None
    text = e.span.text
    return (
        f"only predicates are {verb}: `acc({text})` is the permission to the field itself, leave "
        "this out"
    )


def foldable(e: tree.Expr, verb: str, cx: Context) -> tuple[a.PredicateLocation, x.Expr] | None:
    """The operand of fold, unfold and unfolding: a predicate that has a body, and an amount."""
    inner = plain(e)
    call = plain(inner.location) if isinstance(inner, tree.Acc) else inner
    if not isinstance(call, tree.Call):
        cx.error(e.span, "expected predicate access", help=_about_foldable(call, verb))
        return None
    callee = cx.table.callees.get(call.callee.name)
    if isinstance(callee, PredicateInfo) and callee.abstract:
        cx.error(
            call.callee.span,
            f"abstract predicates cannot be {verb}",
            help=f"`{callee.name}` has no body: give it one, `{{ ... }}` after its parameters, or "
            "leave this out",
        )
    elif callee is not None and not isinstance(callee, PredicateInfo):
        cx.error(
            call.callee.span,
            f"expected predicate access `{callee.name}`",
            help=f"`{callee.name}` is not a predicate",
        )
        return None
    before = cx.rules
    cx.rules = replace(before, measure=False)
    place = predicate_location(call, cx)
    amount = (
        _amount(inner, cx)
        if isinstance(inner, tree.Acc)
        else x.PermLit(x.PermConstant.WRITE, span=e.span)
    )
    cx.rules = before
    return None if place is None else (place, amount)


def wand_operand(e: tree.Expr, cx: Context) -> a.Wand | None:
    """The operand of package, apply and applying."""
    inner = plain(e)
    if isinstance(inner, tree.Wand):
        before = cx.rules
        cx.rules = replace(before, measure=False)
        node = wand(inner, cx)
        cx.rules = before
        return node
    cx.lower(e, cx)
    cx.error(e.span, "expected magic wand", help="a magic wand is written `A --* B`")
    return None


# ---------------------------------------------------------------- expressions


def current_perm(e: tree.Perm, cx: Context) -> Lowered:
    """`perm(resource)`."""
    before = cx.rules
    if before.perm_ban is not None:
        cx.error(e.span, before.perm_ban)
    cx.rules = replace(before, measure=False)
    place = resource(e.resource, cx)
    cx.rules = before
    return cx.bad(e.span, PERM) if place is None else x.CurrentPerm(place, span=e.span)


def unfolding(e: tree.Unfolding, cx: Context) -> Lowered:
    """`unfolding acc(P(x), p) in body`."""
    found = foldable(e.resource, "unfolded", cx)
    body = cx.lower(e.body, cx)
    if found is None:
        return body
    place, amount = found
    return _ghost(body, lambda b: x.Unfolding(place, amount, b, span=e.span), e.span, cx)


def applying(e: tree.Applying, cx: Context) -> Lowered:
    """`applying (A --* B) in body`."""
    found = wand_operand(e.wand, cx)
    body = cx.lower(e.body, cx)
    if found is None:
        return body
    return _ghost(body, lambda b: x.Applying(found, b, span=e.span), e.span, cx)


def asserting(e: tree.Asserting, cx: Context) -> Lowered:
    """`asserting (A) in body`."""
    before = cx.rules
    cx.rules = replace(before, assuming=False)
    asserted = formula(e.assertion, cx)
    cx.rules = before
    body = cx.lower(e.body, cx)
    return _ghost(body, lambda b: x.Asserting(asserted, b, span=e.span), e.span, cx)


def _ghost(body: Lowered, wrap: Callable[[x.Expr], x.Expr], span: Span, cx: Context) -> Lowered:
    if isinstance(body, IMPURE_NODES):
        if not cx.rules.assuming:
            cx.inconsistent(body.span, IMPURE_BODY)
        return Ghost((body,), wrap, span=span)
    return around(body, wrap, span)


def old(e: tree.Old, cx: Context) -> Lowered:
    """`old(e)`, `old[label](e)`, `old[lhs](e)`."""
    label = None if e.label is None else e.label.name
    operand = cx.lower(e.operand, cx)
    if isinstance(operand, IMPURE_NODES):
        text = operand.span.text
        cx.error(
            operand.span,
            "argument is not pure",
            help=f"`old` is about values, and a permission is none: write `{text}` without `old`",
        )
        return cx.bad(e.span, ERROR)
    return around(operand, lambda inner: x.Old(label, inner, span=e.span), e.span)


def havoc_target(e: tree.Expr, span: Span, cx: Context) -> a.Location | None:
    """The resource of a quasihavoc."""
    inner = plain(e)
    if isinstance(inner, tree.Wand):
        return wand(inner, cx)
    if isinstance(inner, tree.FieldAccess) and inner.field.name in cx.table.fields:
        return field_location(inner, cx)
    callee = cx.table.callees.get(inner.callee.name) if isinstance(inner, tree.Call) else None
    if isinstance(inner, tree.Call) and isinstance(callee, PredicateInfo):
        return predicate_location(inner, cx)
    cx.error(
        span,
        "Havoc statement must take a field access, predicate, or wand",
        help="name the location, without `acc`" if isinstance(inner, tree.Acc) else None,
    )
    return None
