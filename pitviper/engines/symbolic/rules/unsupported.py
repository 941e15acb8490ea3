"""Constructs the engine does not know yet: the member is undecided, never verified."""

from __future__ import annotations

from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.state import State
from pitviper.program.expr import Expr
from pitviper.program.node import Node
from pitviper.terms.term import Term


def unsupported(node: Node, what: str, cx: Context) -> None:
    cx.give_up(node, f"{what}: not supported by the symbolic backend yet")


def unsupported_value(st: State, e: Expr, what: str, cx: Context) -> tuple[State, Term]:
    """Some value, so that the rest of the member is still examined."""
    unsupported(e, what, cx)
    return st, cx.fresh("unsupported", cx.services.symbols.sort(e.type))
