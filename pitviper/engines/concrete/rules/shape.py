"""When two wands are one: equal shape, equal values in its gaps."""

from __future__ import annotations

from collections.abc import Mapping

from pitviper.base.record import names_of, replace
from pitviper.engines.concrete.heap.heap import WandAt
from pitviper.engines.concrete.outcome import Failed, Stop
from pitviper.engines.concrete.rules import evaluate as rules
from pitviper.engines.concrete.run import Run
from pitviper.engines.concrete.state import LHS, State
from pitviper.engines.shared.values import Value
from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program.member import Program
from pitviper.program.node import Node
from pitviper.program.walk import children, descendants

_BINDERS = (pe.Forall, pe.Exists, pe.ForPerm, pa.QuantifiedPermission)
_LETS = (pe.Let, pa.Binding)
_NO_VALUE = (
    pa.Access, pa.Wand, pa.Star, pa.Guarded, pa.Choice, pa.QuantifiedPermission, pa.Binding,
    pa.InhaleExhale, pa.FieldLocation, pa.PredicateLocation, pe.Trigger,
)  # fmt: skip
_ON_HEAP = (
    pe.FieldRead, pe.CurrentPerm, pe.ForPerm, pe.Unfolding, pe.Applying, pe.Asserting,
)  # fmt: skip
_PERMISSIONS = (pa.Access, pa.QuantifiedPermission)


def resource_of(st: State, wand: pa.Wand, run: Run) -> WandAt:
    """The largest parts that depend neither on the heap nor on bound variables become gaps."""
    maker = _ShapeMaker(st, run)
    shape = maker.shape(wand, {})
    assert isinstance(shape, pa.Wand)
    return WandAt(shape, tuple(maker.values))


class _ShapeMaker:
    def __init__(self, st: State, run: Run) -> None:
        self.st = st
        self.run = run
        self.values: list[Value] = []

    def shape(self, node: Node, bound: Mapping[str, str]) -> Node:
        if isinstance(node, pe.Var) and node.name in bound:
            return replace(node, name=bound[node.name])
        if not isinstance(node, _NO_VALUE) and self.is_gap(node, bound):
            return self.gap(node)  # type: ignore[arg-type]  # what has a value is an expression
        return self.inside(node, bound)

    def is_gap(self, node: Node, bound: Mapping[str, str]) -> bool:
        if isinstance(node, pe.PermLit):
            return node.value is not pe.PermConstant.WILDCARD
        return self.run.facts.free(node).isdisjoint(bound) and not _on_heap(node, self.run.program)

    def gap(self, e: pe.Expr) -> Node:
        """A value that is not defined is none of the wand's business before it is applied."""
        found = self.run.attempt(lambda: self.values.append(rules.evaluate(self.st, e, self.run)))
        if isinstance(found, Failed):
            self.run.cannot("a part of a wand is not well-defined", e)
        if found is not None:
            raise Stop(found)
        return pe.Var("", e.type)

    def inside(self, node: Node, bound: Mapping[str, str]) -> Node:
        if isinstance(node, _BINDERS):
            bound = {
                **bound,
                **{v.name: f"@{len(bound) + i}" for i, v in enumerate(node.variables)},
            }
        elif isinstance(node, _LETS):
            bound = {**bound, node.variable.name: f"@{len(bound)}"}
        values = {name: self.part(getattr(node, name), bound) for name in names_of(node)}
        if "triggers" in values:
            values["triggers"] = ()
        return type(node)(**values)  # type: ignore[arg-type]  # its own fields, rebuilt

    def part(self, value: object, bound: Mapping[str, str]) -> object:
        if isinstance(value, Node):
            return self.shape(value, bound)
        if isinstance(value, tuple):
            return tuple([self.part(item, bound) for item in value])
        return value


def _on_heap(node: Node, program: Program) -> bool:
    """Whether a value depends on the current heap; old heaps do not change."""
    todo = [node]
    while todo:
        inner = todo.pop()
        if _is_on_heap(inner, program):
            return True
        if not isinstance(inner, pe.Old):
            todo.extend(children(inner))
    return False


def _is_on_heap(node: Node, program: Program) -> bool:
    match node:
        case pe.FunctionApp(name):
            needed = program.functions[name].preconditions
            return any(isinstance(n, _PERMISSIONS) for p in needed for n in descendants(p))
        case pe.Old(label):
            return label == LHS
        case _:
            return isinstance(node, _ON_HEAP)
