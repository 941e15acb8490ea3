"""A state as texts that a user can read."""

from __future__ import annotations

from pitviper.engines.symbolic.heap.heap import Heap
from pitviper.engines.symbolic.provenance import BranchPoint, Provenance
from pitviper.engines.symbolic.state import State
from pitviper.explain.final_expression import FinalExpressions
from pitviper.program.print.expressions import text_of
from pitviper.results.trace import Assumption, StateView
from pitviper.solver.session import FactKind, Path
from pitviper.source.span import Span
from pitviper.terms.term import TRUE


def state_view(st: State, shown: FinalExpressions) -> StateView:
    """Everything about a state; made only when somebody looks at it."""
    return StateView(
        tuple([(name, shown.text(value)) for name, value in st.store.items()]),
        _heap(st.heap, shown),
        assumptions(st.path, shown),
        None if st.left is None else _heap(st.left, shown),
    )


def _heap(heap: Heap, shown: FinalExpressions) -> tuple[str, ...]:
    """`acc(x@0.f, write) with value v@1`; a quantified chunk shows its amount for any location."""
    plain = [
        f"acc({shown.location(c.resource, c.args)}, {shown.text(c.amount)})"
        f" with value {shown.text(c.value)}"
        for c in heap
    ]
    wide = [
        f"forall {', '.join(v.name for v in c.formals)} :: "
        f"acc({shown.location(c.resource, c.formals)}, {shown.text(c.amount)})"
        for c in heap.quantified_chunks()
    ]
    return (*plain, *wide)


def assumptions(path: Path, shown: FinalExpressions) -> tuple[Assumption, ...]:
    """The facts of a path, oldest first, each with where it comes from."""
    return tuple(
        [
            Assumption(shown.text(entry.fact), *_described(entry))
            for entry in path
            if entry.fact is not TRUE
        ]
    )


def _described(entry: Path) -> tuple[str, Span | None]:
    match entry.provenance:
        case Provenance(group, node):
            source = f"{group}: " if group else ""
            return f"{source}{text_of(node)}", node.span
        case BranchPoint(node=node, taken=taken):
            text = text_of(node) if taken else f"!({text_of(node)})"
            return f"branch condition: {text}", node.span
        case _:
            return _INTERNAL[entry.kind], None


_INTERNAL = {
    FactKind.PLAIN: "internal",
    FactKind.DEFINITION: "definition",
    FactKind.GLOBAL: "definition",
    FactKind.BRANCH: "branch condition",
}
