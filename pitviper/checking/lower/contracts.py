"""Contracts: pre- and postconditions, loop invariants, termination measures."""

from __future__ import annotations

from collections.abc import Iterable

from pitviper.base.record import replace
from pitviper.checking.context import Context
from pitviper.checking.infer import IMPURE_NODES, closed, expect, formula
from pitviper.checking.types import ERROR
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.types import BOOL
from pitviper.syntax import tree

CONTRACT_PERM_BAN = (
    "preconditions, postconditions and invariants may only contain `perm` and `forperm` "
    "expressions inside of an inhale-exhale"
)


def conditions(
    kind: str, specs: Iterable[tree.Specification], cx: Context
) -> tuple[a.Assertion, ...]:
    """The assertions of one kind, in source order."""
    return tuple(
        [
            formula(spec.condition, cx)
            for spec in specs
            if isinstance(spec, tree.Clause) and spec.kind == kind
        ]
    )


def measures(specs: Iterable[tree.Specification], cx: Context) -> tuple[s.Decreases, ...]:
    return tuple([_measure(spec, cx) for spec in specs if isinstance(spec, tree.Decreases)])


def invariants_and_measures(
    specs: tuple[tree.Specification, ...], cx: Context
) -> tuple[tuple[a.Assertion, ...], tuple[s.Decreases, ...]]:
    """The contract of a loop."""
    before = cx.rules
    cx.rules = replace(before, perm_ban=CONTRACT_PERM_BAN, ban_ends_in_pair=True)
    found = conditions("invariant", specs, cx), measures(specs, cx)
    cx.rules = before
    return found


def _measure(spec: tree.Decreases, cx: Context) -> s.Decreases:
    if spec.kind == "star":
        return s.DecreasesStar(span=spec.span)
    before = cx.rules
    cx.rules = replace(before, measure=spec.kind == "tuple", result=None)
    condition = None if spec.condition is None else expect(spec.condition, BOOL, cx)
    elements = tuple([_element(e, cx) for e in spec.measures])
    cx.rules = before
    if spec.kind == "wildcard":
        return s.DecreasesWildcard(condition, span=spec.span)
    cx.measures += [element.type for element in elements]
    return s.DecreasesTuple(elements, condition, span=spec.span)


def _element(e: tree.Expr, cx: Context) -> x.Expr:
    element = closed(cx.lower(e, cx), cx)
    if isinstance(element, IMPURE_NODES):
        cx.inconsistent(element.span, "termination measures must be pure")
        return cx.bad(element.span, ERROR)
    return element
