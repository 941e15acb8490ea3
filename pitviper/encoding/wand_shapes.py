"""Shapes of magic wands: what two instances must share, apart from the values in their holes."""

from __future__ import annotations

from typing import TypeGuard

from pitviper.base.record import names_of, record, replace
from pitviper.program import expr as pe
from pitviper.program.assertion import Binding, QuantifiedPermission, Wand
from pitviper.program.member import Program
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.types import Type
from pitviper.program.walk import children, descendants


@record
class Shape:
    """`name` is the same for all wands of one shape; `holes` are expressions for their values."""

    name: str
    holes: tuple[pe.Expr, ...]

    @property
    def types(self) -> tuple[Type, ...]:
        return tuple([hole.type for hole in self.holes])


def wand_shape(wand: Wand, program: Program) -> Shape:
    """Every largest part that neither reads the current heap nor mentions a variable bound inside
    becomes a hole; bound variables are named by their depth."""
    holes: list[pe.Expr] = []
    skeleton = _Skeleton(program, holes).of(wand, {})
    types = ", ".join(str(hole.type) for hole in holes)
    return Shape(f"{text_of(skeleton)} [{types}]", tuple(holes))


_QUANTIFIERS = (pe.Forall, pe.Exists, pe.ForPerm)


class _Skeleton:
    """Collects holes from left to right while the wand is rebuilt around them."""

    def __init__(self, program: Program, holes: list[pe.Expr]) -> None:
        self._program = program
        self._holes = holes

    def of(self, node: Node, bound: dict[str, str]) -> Node:
        if _is_expression(node):
            if isinstance(node, pe.Var) and node.name in bound:
                return replace(node, name=bound[node.name])
            if self._is_hole(node, bound):
                self._holes.append(node)
                return pe.Var(f"hole{len(self._holes)}", node.type)
        inner = dict(bound)
        changes: dict[str, object] = {}
        for name in _binders(node):
            declared = getattr(node, name)
            variables = declared if isinstance(declared, tuple) else (declared,)
            renamed = tuple(
                [replace(v, name=f"bound{len(inner) + i}") for i, v in enumerate(variables)]
            )
            inner.update({v.name: r.name for v, r in zip(variables, renamed, strict=True)})
            changes[name] = renamed if isinstance(declared, tuple) else renamed[0]
        for name in names_of(node):
            if name not in changes and name != "span":
                changes[name] = self._value(getattr(node, name), inner)
        return replace(node, **changes)  # type: ignore[arg-type]

    def _value(self, value: object, bound: dict[str, str]) -> object:
        if isinstance(value, Node):
            return self.of(value, bound)
        if isinstance(value, tuple):
            return tuple([self._value(item, bound) for item in value])
        return value

    def _is_hole(self, e: pe.Expr, bound: dict[str, str]) -> bool:
        if isinstance(e, pe.PermLit) and e.value is pe.PermConstant.WILDCARD:
            return False
        inside = list(descendants(e))
        if any(isinstance(n, pe.Var) and n.name in bound for n in inside):
            return False
        if any(isinstance(n, _QUANTIFIERS) for n in inside):
            return False  # quantifiers are compared by their structure
        if any(isinstance(n, pe.InhaleExhaleExpr) for n in inside):
            return False  # which side is meant depends on who looks: `[false, true]` is not `false`
        return not self._reads_heap(e)

    def _reads_heap(self, node: Node) -> bool:
        todo = [node]
        while todo:
            current = todo.pop()
            match current:
                case pe.Old(label) if label != "lhs":
                    if any(
                        isinstance(n, pe.Old) and n.label == "lhs" for n in descendants(current)
                    ):
                        return True
                    continue
                case pe.FunctionApp(name) if not self._program.functions[name].preconditions:
                    pass
                case (
                    pe.FieldRead()
                    | pe.FunctionApp()
                    | pe.Unfolding()
                    | pe.Applying()
                    | pe.Asserting()
                    | pe.CurrentPerm()
                    | pe.ForPerm()
                    | pe.Old()
                ):
                    return True
                case pe.PermLit(pe.PermConstant.WILDCARD):
                    return True
            todo.extend(children(current))
        return False


def _is_expression(node: Node) -> TypeGuard[pe.Expr]:
    return hasattr(node, "type")


def _binders(node: Node) -> tuple[str, ...]:
    match node:
        case pe.Forall() | pe.Exists() | pe.ForPerm() | QuantifiedPermission():
            return ("variables",)
        case pe.Let() | Binding():
            return ("variable",)
        case _:
            return ()
