"""Choices, `x :| e`: values that may meet the condition, and what it says of the choice."""

from __future__ import annotations

from pitviper.base.record import replace
from pitviper.languages.cool import types as ct
from pitviper.languages.cool.scope import Scope
from pitviper.program import expr as x
from pitviper.program import types as core
from pitviper.program.node import Node
from pitviper.program.walk import descendants, free_vars, rewrite
from pitviper.source.span import Span


def witnesses(chosen: x.Var, condition: x.Expr) -> list[x.Expr]:
    """Values that may meet a condition: the bounds that it gives for a number, and next to them.

    Solvers find no values by themselves: where one of these does, there is one.
    """
    if isinstance(chosen.type, core.RefType):
        return [x.NullLit(span=condition.span)]
    if isinstance(chosen.type, core.SetType):
        inside = [
            node.element
            for node in descendants(condition)
            if isinstance(node, x.SetContains) and node.set == chosen
        ]
        known = [e for e in inside if not _has_bound_names(e, condition)]
        return [
            *_equals(chosen, condition),
            x.SetLit(tuple(known), chosen.type, span=condition.span),
        ]
    if isinstance(chosen.type, core.SeqType):
        return [*_equals(chosen, condition), *_sequences(chosen, chosen.type, condition)]
    if chosen.type != core.INT:
        return []
    found: dict[x.Expr, None] = {}
    for node in descendants(condition):
        match node:
            case x.Compare(_, x.Var() as one, other) if one == chosen:
                bound = other
            case x.Compare(_, other, x.Var() as one) if one == chosen:
                bound = other
            case x.Equal(left, right) | x.NotEqual(left, right) if chosen in (left, right):
                bound = right if left == chosen else left
            case _:
                continue
        if chosen.name not in free_vars(bound) and not _has_bound_names(bound, condition):
            found[bound] = None
    near = [(x.IntOp.ADD, e) for e in found] + [(x.IntOp.SUB, e) for e in found]
    return [*found, *[x.IntArith(o, e, x.IntLit(1, span=e.span), span=e.span) for o, e in near]]


def _equals(chosen: x.Var, condition: x.Expr) -> list[x.Expr]:
    """What a condition says that a choice is equal to; types are equal, too."""
    found = []
    for node in descendants(condition):
        match node:
            case x.Equal(left, right) if chosen in (left, right):
                other = right if left == chosen else left
                if chosen.name not in free_vars(other) and not _has_bound_names(other, condition):
                    found.append(other)
    return found


LONGEST = 8
"""The length of the longest sequence that is tried."""


def _sequences(chosen: x.Var, type_: core.SeqType, condition: x.Expr) -> list[x.Expr]:
    """The empty sequence, and one of each length that a condition names.

    Their elements are those that the condition names. Of references only `null` is surely of the
    type of the elements.
    """
    span = condition.span
    sizes, elements = {0}, dict[int, x.Expr]()
    for node in descendants(condition):
        match node:
            case x.Cardinality(operand) if operand == chosen:
                sizes |= {n.value + 1 for n in descendants(condition) if isinstance(n, x.IntLit)}
                sizes |= {n.value for n in descendants(condition) if isinstance(n, x.IntLit)}
            case x.Equal(x.SeqIndex(sequence, x.IntLit(at)), other) if sequence == chosen:
                if chosen.name not in free_vars(other) and not _has_bound_names(other, condition):
                    elements[at] = other
                sizes.add(at + 1)
    first = ct.default_of(type_.element, span)
    is_free = not ct.holds_references(type_.element)
    return [
        x.SeqLit(
            tuple([elements.get(at, first) if is_free else first for at in range(size)]),
            type_,
            span=span,
        )
        for size in sorted(sizes)
        if 0 <= size <= LONGEST
    ]


def about_the_new(condition: x.Expr, place: x.FieldRead | x.SeqIndex, chosen: x.Var) -> x.Expr:
    """What is said of a place, said of the value that is chosen for it; old values stay."""
    earlier: dict[x.Var, x.Old] = {}

    def aside(node: Node) -> Node | None:
        if not isinstance(node, x.Old):
            return None
        name = x.Var(f"old {len(earlier)}", node.type, span=node.span)
        earlier[name] = node
        return name

    def back(node: Node) -> Node | None:
        return earlier.get(node) if isinstance(node, x.Var) else None

    without_old = rewrite(condition, aside)
    said = rewrite(without_old, lambda node: chosen if node == place else None)
    return rewrite(said, back)


def fitting(type_: ct.CoolType, scope: Scope, span: Span) -> list[x.Expr]:
    """The objects at hand of a type: there need be no others of it."""
    known = [(v.core, v.type) for v in scope.variables.values()]
    if scope.owner is not None:
        known.append((x.Var("this", core.REF, span=span), ct.ClassT(scope.owner.name)))
    return [replace(v, span=span) for v, own in known if scope.table.fits(own, type_)]


def _has_bound_names(e: x.Expr, whole: x.Expr) -> bool:
    """Whether a part of an expression names a variable that a quantifier around it gives."""
    return not free_vars(e) <= free_vars(whole)
