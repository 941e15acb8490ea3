"""A request for an amount of one location, and the snapshot of what was taken."""

from __future__ import annotations

from pitviper.base.record import field, record
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.chunk import Resource
from pitviper.engines.symbolic.state import State
from pitviper.program.node import Node
from pitviper.terms import build as tb
from pitviper.terms.snapshot import UNIT, wrap_leaf
from pitviper.terms.term import Term


@record
class Request:
    """`amount` of one location; a wildcard amount is chosen below what is held."""

    resource: Resource
    args: tuple[Term, ...]
    amount: Term
    wildcard: bool = field(default=False, kw_only=True)
    node: Node = field(kw_only=True)


def snapshot_of(st: State, value: Term, request: Request, cx: Context) -> Term:
    """The value wrapped; where the amount may be none, only a positive amount shows it."""
    wrapped = wrap_leaf(value)
    positive = tb.greater(request.amount, tb.NONE)
    if request.wildcard or not cx.modes.snapshots or cx.may_prove(st, positive):
        return wrapped
    return tb.ite(positive, wrapped, UNIT)
