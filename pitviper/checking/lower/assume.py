"""`assume A`: permissions in A are not added, they are lower bounds on what is held.

`assume acc(x.f, p) && acc(y.f, q)` assumes `perm(x.f) >= p` and `perm(y.f) >= q + (x == y ? p :
none)`: amounts of earlier accesses count where they may be the same location. Wands stay as they
are. An earlier quantified access whose arguments are not just its variables counts under a
quantifier of its own, one such access at a time, which assumes a little less than it could.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from pitviper.base.record import record, replace
from pitviper.checking.context import Context
from pitviper.checking.infer import IMPURE_NODES
from pitviper.checking.lower.logic import IMPURE_BODY, Ghost, guard, pair, star
from pitviper.checking.lower.quantified import bind, substitute
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.source.span import Span

Layer: TypeAlias = Callable[[x.Expr], x.Expr]
"""Puts a condition, a let or an unfolding around an amount."""


@record
class _Earlier:
    """An access further to the left in the same assume."""

    access: a.Access
    layers: tuple[Layer, ...]
    quantifier: a.QuantifiedPermission | None


def assume(assumed: a.Assertion, cx: Context) -> list[a.Assertion]:
    """What to inhale instead, one for each conjunct at the top."""
    if isinstance(assumed, IMPURE_NODES) and not cx.report.failed:
        assumed = _Rewriter(cx).rewrite(assumed, ())
    return _conjuncts(assumed)


def _conjuncts(formula: a.Assertion) -> list[a.Assertion]:
    """The conjuncts at the top, from left to right."""
    found: list[a.Assertion] = []
    todo = [formula]
    while todo:
        part = todo.pop()
        match part:
            case x.And(operands):
                todo.extend(reversed(operands))
            case a.Star(conjuncts):
                todo.extend(reversed(conjuncts))
            case _:
                found.append(part)
    return found


class _Rewriter:
    """Goes through one assumed assertion from left to right."""

    def __init__(self, cx: Context) -> None:
        self._cx = cx
        self._earlier: list[_Earlier] = []

    def rewrite(self, part: a.Assertion, layers: tuple[Layer, ...]) -> a.Assertion:
        """`part` without accessibility predicates outside of wands."""
        match part:
            case a.Access():
                return self._access(part, layers)
            case Ghost(conjuncts, wrap):
                body = self.rewrite(conjuncts[0], (*layers, wrap))
                if not isinstance(body, IMPURE_NODES):
                    return wrap(body)
                self._cx.inconsistent(body.span, IMPURE_BODY)
                return body
            case a.Star(conjuncts):
                return star([self.rewrite(c, layers) for c in conjuncts], part.span)
            case a.Guarded(condition, body):
                inner = self.rewrite(body, (*layers, _when(condition)))
                return guard(condition, inner, part.span)
            case a.Choice():
                return self._choice(part, layers)
            case a.Binding():
                return self._binding(part, layers)
            case a.InhaleExhale(inhaled, exhaled):
                return pair(self.rewrite(inhaled, layers), _exhaled_only(exhaled), part.span)
            case a.QuantifiedPermission():
                return self._quantified(part, layers)
            case _:
                return part

    def _choice(self, part: a.Choice, layers: tuple[Layer, ...]) -> a.Assertion:
        negated = x.Not(part.condition, span=part.condition.span)
        then = self.rewrite(part.then, (*layers, _when(part.condition)))
        otherwise = self.rewrite(part.otherwise, (*layers, _when(negated)))
        if isinstance(then, IMPURE_NODES) or isinstance(otherwise, IMPURE_NODES):
            return a.Choice(part.condition, then, otherwise, span=part.span)
        return x.Conditional(part.condition, then, otherwise, span=part.span)

    def _binding(self, part: a.Binding, layers: tuple[Layer, ...]) -> a.Assertion:
        """The variable gets a name of its own, since amounts leave the scope of the let."""
        name = self._cx.scope.fresh(part.variable.name)
        variable = replace(part.variable, name=name)
        body = substitute(part.body, part.variable, variable)

        def around(amount: x.Expr) -> x.Expr:
            return x.Let(variable, part.bound, amount, span=part.span)

        return bind(variable, part.bound, self.rewrite(body, (*layers, around)), part.span)

    def _access(self, access: a.Access, layers: tuple[Layer, ...]) -> a.Assertion:
        bounds = self._bounds(access, layers, access.span)
        self._earlier.append(_Earlier(access, layers, None))
        return star([*bounds], access.span)

    def _quantified(self, part: a.QuantifiedPermission, layers: tuple[Layer, ...]) -> a.Assertion:
        if isinstance(part.resource, a.Wand):
            return part
        inner = _renamed(part, self._cx)
        access = inner.resource
        assert isinstance(access, a.Access)
        bounds = self._bounds(access, layers, part.span)
        self._earlier.append(_Earlier(access, layers, inner))
        return star(
            [
                x.Forall(
                    inner.variables,
                    inner.triggers,
                    x.Implies(inner.condition, bound, span=part.span),
                    inner.weight,
                    span=part.span,
                )
                for bound in bounds
            ],
            part.span,
        )

    # ------------------------------------------------------------ amounts

    def _bounds(self, access: a.Access, layers: tuple[Layer, ...], span: Span) -> list[x.Expr]:
        """`perm(location)` is at least the amount and what earlier accesses need there."""
        name = _resource_name(access)
        earlier = [
            replace(one, layers=_further(one.layers, layers))
            for one in self._earlier
            if _resource_name(one.access) == name
        ]
        shares = [share for one in earlier if (share := _share(one, access)) is not None]
        bounds = [_at_least(access, shares, span)]
        for one in earlier:
            if _counts_under_quantifier(one, access):
                bounds.append(self._under_quantifier(access, one, shares, span))
        return bounds

    def _under_quantifier(
        self, access: a.Access, one: _Earlier, shares: list[x.Expr], span: Span
    ) -> x.Expr:
        """The bound for all instances of an earlier quantifier that are this location."""
        assert one.quantifier is not None
        other = _renamed(one.quantifier, self._cx)
        assert isinstance(other.resource, a.Access)
        amount = _wrapped(other.resource.amount, one.layers)
        same = _same_place(other.resource, access)
        condition = x.And((other.condition, *same), span=span) if same else other.condition
        bound = _at_least(access, [*shares, amount], span)
        return x.Forall(other.variables, (), x.Implies(condition, bound, span=span), span=span)


def _further(layers: tuple[Layer, ...], around: tuple[Layer, ...]) -> tuple[Layer, ...]:
    """The layers that are not around both: an instance is unfolded once."""
    shared = 0
    while shared < min(len(layers), len(around)) and layers[shared] is around[shared]:
        shared += 1
    return layers[shared:]


def _exhaled_only(exhaled: a.Assertion) -> a.Assertion:
    """The other side of `[A, B]` plays no part in an assume."""
    if isinstance(exhaled, IMPURE_NODES):
        return x.BoolLit(value=True, span=exhaled.span)
    return exhaled


def _when(condition: x.Expr) -> Layer:
    def around(amount: x.Expr) -> x.Expr:
        return x.Conditional(condition, amount, _none(amount.span), span=amount.span)

    return around


def _none(span: Span) -> x.Expr:
    return x.PermLit(x.PermConstant.NONE, span=span)


def _is_wildcard(amount: x.Expr) -> bool:
    return isinstance(amount, x.PermLit) and amount.value is x.PermConstant.WILDCARD


def _resource_name(access: a.Access) -> tuple[type, str]:
    match access.location:
        case a.FieldLocation(_, field):
            return a.FieldLocation, field
        case a.PredicateLocation(predicate, _):
            return a.PredicateLocation, predicate


def _arguments(access: a.Access) -> tuple[x.Expr, ...]:
    match access.location:
        case a.FieldLocation(receiver, _):
            return (receiver,)
        case a.PredicateLocation(_, args):
            return args


def _same_place(one: a.Access, other: a.Access) -> tuple[x.Expr, ...]:
    """When two accesses have one location; nothing to say about arguments that look alike."""
    return tuple(
        x.Equal(left, right, span=other.span)
        for left, right in zip(_arguments(one), _arguments(other), strict=True)
        if left != right
    )


def _at_least(access: a.Access, shares: list[x.Expr], span: Span) -> x.Expr:
    held = x.CurrentPerm(access.location, span=access.span)
    if _is_wildcard(access.amount):
        total, op = _none(span), x.CompareOp.GT
    else:
        total, op = access.amount, x.CompareOp.GE
    for share in shares:
        total = x.PermArith(x.PermOp.ADD, total, share, span=span)
    return x.Compare(op, held, total, span=span)


def _share(one: _Earlier, access: a.Access) -> x.Expr | None:
    """What an earlier access needs at the location of this one; None if that is not a term."""
    if _is_wildcard(one.access.amount):
        return None
    if one.quantifier is None:
        amount, same = one.access.amount, list(_same_place(one.access, access))
    else:
        inverse = _inverse(one.quantifier, access)
        if inverse is None:
            return None
        quantifier = one.quantifier
        for variable, value in inverse:
            quantifier = substitute(quantifier, variable, value)
        assert isinstance(quantifier.resource, a.Access)
        amount = quantifier.resource.amount
        same = [quantifier.condition, *_same_place(quantifier.resource, access)]
    share = amount
    if same:
        condition = same[0] if len(same) == 1 else x.And(tuple(same), span=access.span)
        share = x.Conditional(condition, amount, _none(access.span), span=access.span)
    return _wrapped(share, one.layers)


def _counts_under_quantifier(one: _Earlier, access: a.Access) -> bool:
    """Is it quantified, with an amount, and its instance at the location not a term?"""
    if one.quantifier is None or _is_wildcard(one.access.amount):
        return False
    return _inverse(one.quantifier, access) is None


def _wrapped(amount: x.Expr, layers: tuple[Layer, ...]) -> x.Expr:
    for layer in reversed(layers):
        amount = layer(amount)
    return amount


def _inverse(
    quantifier: a.QuantifiedPermission, access: a.Access
) -> list[tuple[x.Var, x.Expr]] | None:
    """The instance that is this location, if each variable is an argument by itself."""
    assert isinstance(quantifier.resource, a.Access)
    found: dict[str, tuple[x.Var, x.Expr]] = {}
    names = {variable.name for variable in quantifier.variables}
    for arg, value in zip(_arguments(quantifier.resource), _arguments(access), strict=True):
        if isinstance(arg, x.Var) and arg.name in names:
            found.setdefault(arg.name, (arg, value))
    return list(found.values()) if len(found) == len(names) else None


def _renamed(quantifier: a.QuantifiedPermission, cx: Context) -> a.QuantifiedPermission:
    """The same with fresh variables: its parts are going to stand beside other quantifiers."""
    for variable in quantifier.variables:
        fresh = replace(variable, name=cx.scope.fresh(variable.name))
        quantifier = substitute(quantifier, variable, fresh)
    return quantifier
