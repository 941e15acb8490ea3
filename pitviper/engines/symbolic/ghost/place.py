"""Places for ghost statements, and the variables that can be named there."""

from __future__ import annotations

from pitviper.base.record import record
from pitviper.program import stmt as ps
from pitviper.program.cfg import BasicBlock
from pitviper.program.expr import Expr, Var
from pitviper.program.member import Method
from pitviper.program.node import Node
from pitviper.program.walk import children
from pitviper.results.ghost import Position
from pitviper.source.span import NO_SPAN, Span


@record
class Place:
    """Before what the span shows, or at the end of it; `call` is the call that is shown there."""

    span: Span
    position: Position
    call: ps.MethodCall | None = None

    @property
    def at(self) -> int:
        """The offset in the file."""
        at_start = self.position in (Position.BEFORE, Position.ELSEIF)
        return self.span.start if at_start else self.span.end - 1


def before(node: Node) -> Place:
    return Place(node.span, Position.BEFORE, node if isinstance(node, ps.MethodCall) else None)


def before_branch(method: Method, condition: Expr) -> Place:
    """Before the statement that branches on a condition."""
    todo: list[Node] = [] if method.body is None else [method.body]
    while todo:
        node = todo.pop()
        if isinstance(node, ps.If) and node.condition is condition:
            after_else = node.span.text.startswith("elseif")
            return Place(node.span, Position.ELSEIF) if after_else else before(node)
        todo += [child for child in children(node) if isinstance(child, ps.Statement)]
    return before(condition)


def before_loop(head: BasicBlock) -> Place:
    return Place(_head_span(head), Position.BEFORE)


def end_of_loop(head: BasicBlock) -> Place:
    return Place(_head_span(head), Position.END_OF_LOOP)


def _head_span(block: BasicBlock) -> Span:
    return NO_SPAN if block.head is None else block.head.span


def end_of_body(method: Method) -> Place:
    body = method.body
    return Place(method.span if body is None else body.span, Position.END_OF_BODY)


def visible_at(method: Method, place: Place) -> dict[str, Var]:
    """Parameters, returns, and the locals of the blocks around a place, declared before it."""
    found = {v.name: v for v in (*method.params, *method.returns)}
    todo: list[Node] = [] if method.body is None else [method.body]
    while todo:
        node = todo.pop()
        if isinstance(node, ps.Block) and _around(node.span, place):
            for s in node.statements:
                if isinstance(s, ps.Declare) and s.span.start < place.at:
                    found[s.variable.name] = s.variable
            todo += node.statements
        elif isinstance(node, ps.If | ps.While):
            todo += [child for child in children(node) if isinstance(child, ps.Block)]
    return found


def _around(span: Span, place: Place) -> bool:
    return span.file is place.span.file and span.start <= place.at < span.end
