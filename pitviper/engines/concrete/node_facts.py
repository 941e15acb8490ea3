"""Facts about parts of the program that are computed once in a run."""

from __future__ import annotations

from collections.abc import Sequence

from pitviper.program import expr as pe
from pitviper.program.cfg import FlowGraph, flow_graph
from pitviper.program.expr import Expr, IntOp, PermOp, Var
from pitviper.program.node import Node
from pitviper.program.stmt import Block
from pitviper.program.walk import descendants, free_vars

_DIVISIONS = (IntOp.DIV, IntOp.MOD, PermOp.DIV, PermOp.INT_DIV, PermOp.FRACTION)
_PARTIAL = (
    pe.FieldRead, pe.FunctionApp, pe.SeqIndex, pe.SeqUpdate, pe.MapLookup,
    pe.Unfolding, pe.Applying, pe.Asserting,
)  # fmt: skip


class NodeFacts:
    """Tables by the identity of nodes, which are kept alive with the answers."""

    def __init__(self) -> None:
        self._free: dict[int, tuple[Node, frozenset[str]]] = {}
        self._guards: dict[int, tuple[Node, tuple[Expr, ...]]] = {}
        self._graphs: dict[int, tuple[Node, FlowGraph]] = {}

    def graph(self, body: Block) -> FlowGraph:
        found = self._graphs.get(id(body))
        if found is None:
            found = self._graphs[id(body)] = (body, flow_graph(body))
        return found[1]

    def free(self, node: Node) -> frozenset[str]:
        found = self._free.get(id(node))
        if found is None:
            found = self._free[id(node)] = (node, free_vars(node))
        return found[1]

    def guards(self, binder: Node, variables: Sequence[Var], body: Sequence[Expr]) -> list[Expr]:
        """The leading conjuncts that are well-defined for all values of the variables.

        Only they can tell for which values the rest need not be looked at.
        """
        found = self._guards.get(id(binder))
        if found is None:
            found = self._guards[id(binder)] = (binder, self._leading(variables, body))
        return list(found[1])

    def _leading(self, variables: Sequence[Var], body: Sequence[Expr]) -> tuple[Expr, ...]:
        names = frozenset([variable.name for variable in variables])
        total: list[Expr] = []
        for conjunct in conjuncts(body):
            if not self.is_total(conjunct, names):
                break
            total.append(conjunct)
        return tuple(total)

    def is_total(self, e: Expr, names: frozenset[str]) -> bool:
        """Whether it does not depend on the variables that the expression is well-defined."""
        return not any(
            _is_partial(node) and not names.isdisjoint(self.free(node)) for node in descendants(e)
        )


def _is_partial(node: Node) -> bool:
    if isinstance(node, pe.IntArith | pe.PermArith):
        return node.op in _DIVISIONS
    return isinstance(node, _PARTIAL)


def conjuncts(es: Sequence[Expr]) -> list[Expr]:
    """All conjuncts of several expressions, nested conjunctions opened."""
    found: list[Expr] = []
    todo = list(reversed(es))
    while todo:
        e = todo.pop()
        if isinstance(e, pe.And):
            todo.extend(reversed(e.operands))
        else:
            found.append(e)
    return found


def conditions(body: Expr) -> list[Expr]:
    """The left sides of the implications that a formula consists of."""
    found: list[Expr] = []
    while isinstance(body, pe.Implies):
        found.append(body.left)
        body = body.right
    return found
