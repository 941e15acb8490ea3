"""Puts expressions in the place of variables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from pitviper.base.record import replace
from pitviper.plugins.build import NameSupply
from pitviper.program.assertion import Binding, QuantifiedPermission
from pitviper.program.expr import Exists, Expr, Forall, ForPerm, Let, Var
from pitviper.program.node import Node
from pitviper.program.walk import descendants, rewrite

N = TypeVar("N", bound=Node)


def substitute(node: N, values: Mapping[str, Expr]) -> N:
    """Replace variables. Source programs have no shadowing, so a replaced name is never bound
    inside `node`; whoever puts in expressions with variables that could be, uses `instantiate`.
    """
    if not values:
        return node
    return rewrite(node, lambda n: values.get(n.name) if isinstance(n, Var) else None)


def instantiate(node: N, values: Mapping[str, Expr], names: NameSupply) -> N:
    """Replace variables and give the bound variables of `node` fresh names.

    So the result can stand in any member, and captures no variable of `values`.
    """
    renamed: dict[str, str] = {}
    for variable in bound_variables(node):
        if variable.name not in renamed:
            renamed[variable.name] = names.fresh(variable.name)

    def rule(n: Node) -> Node | None:
        if not isinstance(n, Var):
            return None
        name = renamed.get(n.name)
        return values.get(n.name) if name is None else replace(n, name=name)

    return rewrite(node, rule) if values or renamed else node


def bound_variables(node: Node) -> Iterator[Var]:
    """The declarations of the variables that are bound inside `node`."""
    for inner in descendants(node):
        match inner:
            case Let() | Binding():
                yield inner.variable
            case Forall() | Exists() | ForPerm() | QuantifiedPermission():
                yield from inner.variables
            case _:
                pass
