"""Universal quantifiers over permissions: one for each access, and pure ones for the rest.

`forall x :: c ==> A && (d ==> B)` becomes `forall x :: c ==> A` and `forall x :: c && d ==> B`.
All parts have the place of the quantifier that was written.
"""

from __future__ import annotations

from typing import TypeVar

from pitviper.base.record import record
from pitviper.checking.infer import IMPURE_NODES
from pitviper.checking.lower.logic import pair, star
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program.node import Node
from pitviper.program.walk import rewrite
from pitviper.source.span import Span

N = TypeVar("N", bound=Node)

_ALWAYS_DEFINED = (x.Var, x.IntLit, x.BoolLit, x.NullLit, x.PermLit)


@record
class Binder:
    """A quantifier as written, without its body."""

    variables: tuple[x.Var, ...]
    triggers: tuple[x.Trigger, ...]
    weight: int | None
    span: Span


def split(binder: Binder, body: a.Assertion) -> a.Assertion:
    """The conjunction of the quantifiers that an impure one stands for."""
    return star(_split(binder, (), body), binder.span)


def _split(binder: Binder, conditions: tuple[x.Expr, ...], body: a.Assertion) -> list[a.Assertion]:
    match body:
        case a.Access() | a.Wand():
            return [_permission(binder, conditions, body)]
        case a.Star(conjuncts):
            return [part for c in conjuncts for part in _split(binder, conditions, c)]
        case a.Guarded(condition, inner):
            return _split(binder, (*conditions, condition), inner)
        case a.Choice(condition, then, otherwise):
            negated = x.Not(condition, span=condition.span)
            return _split(binder, (*conditions, condition), then) + _split(
                binder, (*conditions, negated), otherwise
            )
        case a.QuantifiedPermission():
            return [_nested(binder, conditions, body)]
        case a.Binding():
            return _split_binding(binder, conditions, body)
        case a.InhaleExhale(inhaled, exhaled):
            yes = x.BoolLit(value=True, span=binder.span)
            ins = star(_split(binder, conditions, inhaled), binder.span)
            outs = star(_split(binder, conditions, exhaled), binder.span)
            return [pair(ins, yes, binder.span), pair(yes, outs, binder.span)]
        case _:
            return [_pure(binder, conditions, body)]


def _permission(
    binder: Binder, conditions: tuple[x.Expr, ...], resource: a.Access | a.Wand
) -> a.QuantifiedPermission:
    return a.QuantifiedPermission(
        binder.variables,
        binder.triggers,
        _all(conditions, binder.span),
        resource,
        binder.weight,
        span=binder.span,
    )


def _pure(binder: Binder, conditions: tuple[x.Expr, ...], body: x.Expr) -> x.Forall:
    if conditions:
        body = x.Implies(_all(conditions, binder.span), body, span=body.span)
    return x.Forall(binder.variables, binder.triggers, body, binder.weight, span=binder.span)


def _all(conditions: tuple[x.Expr, ...], span: Span) -> x.Expr:
    if not conditions:
        return x.BoolLit(value=True, span=span)
    if len(conditions) == 1:
        return conditions[0]
    return x.And(conditions, span=conditions[0].span)


def _nested(
    outer: Binder, conditions: tuple[x.Expr, ...], inner: a.QuantifiedPermission
) -> a.QuantifiedPermission:
    """One quantifier over the variables of both; each trigger of one goes with each of the other.

    Where one of them has no triggers the result has none: they are inferred later.
    """
    triggers = tuple(
        x.Trigger(t.terms + u.terms, span=t.span) for t in outer.triggers for u in inner.triggers
    )
    binder = Binder(outer.variables + inner.variables, triggers, outer.weight, outer.span)
    return _permission(binder, (*conditions, inner.condition), inner.resource)


def _split_binding(
    binder: Binder, conditions: tuple[x.Expr, ...], let: a.Binding
) -> list[a.Assertion]:
    """A let around permissions: it goes into the parts, and its value into a single access."""

    def inside(part: a.Assertion) -> a.Assertion:
        return bind(let.variable, let.bound, part, let.span)

    def condition_of(part: x.Expr) -> x.Expr:
        return x.Let(let.variable, let.bound, part, span=part.span)

    match let.body:
        case a.Star(conjuncts):
            return [part for c in conjuncts for part in _split(binder, conditions, inside(c))]
        case a.Guarded(condition, inner):
            return _split(binder, (*conditions, condition_of(condition)), inside(inner))
        case a.Choice(condition, then, otherwise):
            choice = a.Choice(
                condition_of(condition), inside(then), inside(otherwise), span=let.body.span
            )
            return _split(binder, conditions, choice)
        case a.InhaleExhale(inhaled, exhaled):
            both = a.InhaleExhale(inside(inhaled), inside(exhaled), span=let.body.span)
            return _split(binder, conditions, both)
        case _:
            if not isinstance(let.bound, _ALWAYS_DEFINED):
                conditions = (*conditions, condition_of(x.BoolLit(value=True, span=let.span)))
            return _split(binder, conditions, substitute(let.body, let.variable, let.bound))


def bind(variable: x.Var, bound: x.Expr, body: a.Assertion, span: Span) -> a.Assertion:
    """`let variable == (bound) in body`."""
    if isinstance(body, IMPURE_NODES):
        return a.Binding(variable, bound, body, span=span)
    return x.Let(variable, bound, body, span=span)


def substitute(node: N, variable: x.Var, value: x.Expr) -> N:
    """`node` with a variable replaced. Names are unique on a path, so nothing is captured."""

    def rule(part: Node) -> Node | None:
        return value if isinstance(part, x.Var) and part.name == variable.name else None

    return rewrite(node, rule)
