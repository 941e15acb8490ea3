"""Where the execution of a body may be helped by ghost statements: before each of its steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from pitviper.base.record import record
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.ghost.place import Place, before, before_branch
from pitviper.engines.symbolic.rules import evaluate as evaluate_rules
from pitviper.engines.symbolic.rules import execute as execute_rules
from pitviper.engines.symbolic.rules.clauses import consume_clauses
from pitviper.engines.symbolic.state import State
from pitviper.program import stmt as ps
from pitviper.program.assertion import Assertion
from pitviper.program.cfg import BasicBlock
from pitviper.program.expr import Expr
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
    )


def _helped(
    st: State, work: Callable[[State, Context], Iterable[T]], place: Place, cx: Context
) -> Iterable[T]:
    if not cx.services.options.infer_ghost:
        return work(st, cx)
    from pitviper.engines.symbolic.ghost.inference import (
        with_ghosts,  # only where the user has chosen it
    )

    return with_ghosts(st, work, place, cx)
