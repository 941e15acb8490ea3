"""Where the facts on a path come from."""

from __future__ import annotations

from pitviper.base.record import record
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.results.finding import Condition
from pitviper.solver.session import FactKind, Path
from pitviper.source.span import NO_SPAN, Span


@record
class Provenance:
    """Where a fact on a path comes from: a group such as "precondition", and the source node."""

    group: str
    node: Node


@record
class BranchPoint:
    """The condition of a branch and the side taken; `at` is the construct being executed.

    `forced` says that the other side is impossible, so that taking this one tells nothing.
    """

    node: Node
    at: Node
    taken: bool
    forced: bool


def conditions_of(path: Path) -> tuple[Condition, ...]:
    """The decisions that lead along a path, outermost first.

    Branches that were merged or joined have left no decision; those that a plugin made have no
    text that the user wrote.
    """
    points = [entry.provenance for entry in path if entry.kind is FactKind.BRANCH]
    return tuple(
        [
            _condition(point)
            for point in points
            if isinstance(point, BranchPoint) and not point.forced and point.node.span != NO_SPAN
        ]
    )


def _condition(point: BranchPoint) -> Condition:
    span, around = point.node.span, point.at.span
    used = None if _inside(span, around) else around
    return Condition(text_of(point.node), span, point.taken, used)


def _inside(span: Span, around: Span) -> bool:
    return span.file is around.file and around.start <= span.start and span.end <= around.end
