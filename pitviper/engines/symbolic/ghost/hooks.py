"""Where the execution of a body may be helped by ghost statements: before each of its steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from pitviper.base.record import record
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.rules import evaluate as evaluate_rules
from pitviper.engines.symbolic.rules import execute as execute_rules
from pitviper.engines.symbolic.rules.clauses import consume_clauses
from pitviper.engines.symbolic.state import State
from pitviper.program import stmt as ps
from pitviper.program.assertion import Assertion
from pitviper.program.cfg import BasicBlock
from pitviper.program.expr import Expr, Var
from pitviper.program.member import Method
from pitviper.program.node import Node
from pitviper.program.walk import children
from pitviper.results.ghost import Position
from pitviper.source.span import NO_SPAN, Span
from pitviper.terms.term import Term


@record
class Clauses:
    """What has to hold at a place: see `consume_clauses`."""

    clauses: tuple[Assertion, ...]
    error: str
    part: str | None
    place: Place


T = TypeVar("T")

_ALONE = (ps.Declare, ps.Label, ps.Package)
"""Statements that need no permission, or have a place of their own for what they need."""


def execute_helped(st: State, s: ps.Stmt, cx: Context) -> Iterator[State]:
    """The states after a statement."""
    if isinstance(s, _ALONE) or any(a.key == "pitviper.origin" for a in s.annotations):
        return execute_rules.execute(st, s, cx)
    return iter(_helped(st, lambda s1, inner: execute_rules.execute(s1, s, inner), before(s), cx))


def evaluate_helped(
    st: State, condition: Expr, block: BasicBlock, cx: Context
) -> Iterable[tuple[State, Term]]:
    """The value of the condition at the end of a block; there is no place before that of a loop."""
    services = cx.services
    if not services.options.infer_ghost or isinstance(block.head, ps.While):
        return [evaluate_rules.evaluate(st, condition, cx)]
    place = before_branch(services.program.methods[services.member], condition)
    return _helped(
        st,
        lambda s1, inner: [evaluate_rules.evaluate(s1, condition, inner)],
        place,
        cx,
    )


def consume_helped(st: State, wanted: Clauses, cx: Context) -> Iterable[State]:
    """All clauses, out of the heap; the states have what is left."""
    return _helped(
        st,
        lambda s1, inner: consume_clauses(
            s1.leaving(s1.heap), wanted.clauses, wanted.error, wanted.part, inner
        ),
        wanted.place,
        cx,
        wanted,
    )


def _helped(
    st: State,
    work: Callable[[State, Context], Iterable[T]],
    place: Place,
    cx: Context,
    wanted: Clauses | None = None,
) -> Iterable[T]:
    if not cx.services.options.infer_ghost:
        return work(st, cx)
    from pitviper.engines.symbolic.ghost.inference import (
        with_ghosts,  # only where the user has chosen it
    )

    return with_ghosts(st, work, place, cx, wanted)


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
