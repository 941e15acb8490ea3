"""A failed check as a finding: its message, the decisions on its path, and what became of the
permission that it misses. The engine knows this module as its `Explainer`.
"""

from __future__ import annotations

from collections.abc import Sequence

from pitviper.base.record import replace
from pitviper.engines.shared.failures import failure_text
from pitviper.engines.symbolic.provenance import BranchPoint
from pitviper.engines.symbolic.reporting import Reporting
from pitviper.engines.symbolic.state import State
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.results.finding import Condition, Finding
from pitviper.solver.session import FactKind, Path
from pitviper.source.span import NO_SPAN


def finding_of(
    st: State, reason: str, node: Node, parts: Sequence[Node | str], cx: Reporting
) -> Finding:
    """The finding for a check of the context's obligation that failed at a node, in a state."""
    ob = cx.obligation
    text = failure_text((ob.error, ob.parts), (reason, parts), ob.node.span)
    member, conditions = cx.services.member, conditions_of(st.path)
    finding = Finding(
        ob.error, reason, ob.node.span, member, text, node.span, ob.origin, conditions
    )
    if cx.lacking is None:
        return finding
    from pitviper.explain.held import held_instead  # for a missing permission only
    from pitviper.explain.history import history_of

    history = history_of(st, cx.lacking, cx.services.log.steps, cx.may_prove)
    own = {} if cx.visitor is None else cx.visitor.store
    named = st.storing({**own, **{v: value for v, value in st.store.items() if v not in own}})
    held = held_instead(st, cx.lacking, cx.services, cx.may_prove, named)
    return replace(finding, history=history, held=held.similar, containing=held.containing)


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
    used = None if around.encloses(span) else around
    return Condition(text_of(point.node), span, point.taken, used)
