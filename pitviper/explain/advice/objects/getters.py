"""Pure methods that tell what a field is: contracts speak of fields by them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from pitviper.program import expr as x
from pitviper.program.member import Program
from pitviper.program.node import Node
from pitviper.program.types import REF
from pitviper.program.walk import rewrite

N = TypeVar("N", bound=Node)

THIS = x.Var("this", REF)


def getters(program: Program, owner: str) -> dict[str, str]:
    """The pure methods of a class whose value is a field, by the name of that field."""
    found = dict[str, str]()
    for function in program.functions.values():
        body = function.body
        while isinstance(body, x.Unfolding):
            body = body.body
        is_own = function.name.startswith(f"{owner}.") and len(function.params) == 1
        if is_own and isinstance(body, x.FieldRead) and body.receiver == THIS:
            found.setdefault(body.field, function.name)
    return found


def by_getters(e: N, told: Mapping[str, str]) -> N:
    """An expression with the pure methods in place of fields of `this`."""

    def rule(node: Node) -> Node | None:
        if isinstance(node, x.FieldRead) and node.receiver == THIS and node.field in told:
            return x.FunctionApp(told[node.field], (THIS,), node.type, span=node.span)
        return None

    return rewrite(e, rule)
