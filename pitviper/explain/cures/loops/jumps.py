"""Loops that are made by jumps: what the label in front of them has to keep."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from pitviper.explain.advice.case import Case, conjuncts
from pitviper.explain.cures.edit import Candidate
from pitviper.explain.cures.loops.invariants import bounds_of
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Method
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import assigned_variables, descendants
from pitviper.source.edit import Edit
from pitviper.source.span import Span

MOST = 5
"""Clauses that are tried for a label."""


def jumped_back_to(method: Method) -> Iterator[tuple[s.Label, s.Goto]]:
    """Labels with a jump behind them that leads back."""
    nodes = list(descendants(method))
    for label in [n for n in nodes if isinstance(n, s.Label)]:
        for jump in [n for n in nodes if isinstance(n, s.Goto)]:
            if jump.target == label.name and jump.span.start > label.span.start:
                yield label, jump


def kept_by_labels(case: Case) -> Iterator[Candidate]:
    """`label l invariant F`, of the bounds of what is tested behind it and where that starts."""
    method = case.member
    if not isinstance(method, Method) or method.body is None:
        return
    for label, jump in jumped_back_to(method):
        clauses = list(dict.fromkeys(_clauses(method, label, jump)))[:MOST]
        chosen = (
            [[c] for c in clauses] + [list(two) for two in combinations(clauses, 2)] + [clauses]
        )
        for some in chosen:
            said = " ".join([f"invariant {clause}" for clause in some])
            end = Span(label.span.file, label.span.end, label.span.end)
            yield Candidate(
                (Edit(end, f" {said}"),),
                f"the `goto` of line {jump.span.line} leads back to `label {label.name}` (line "
                f"{label.span.line}), so after that only its invariants are known: write `label "
                f"{label.name} {said}`",
            )


def _clauses(method: Method, label: s.Label, jump: s.Goto) -> Iterator[str]:
    inside = [
        n
        for n in descendants(method)
        if isinstance(n, s.Stmt) and label.span.end <= n.span.start <= jump.span.start
    ]
    changed = {v.name for n in inside for v in assigned_variables(n)}
    for node in inside:
        if isinstance(node, s.If):
            yield from bounds_of(node.condition, changed)
    for before in descendants(method):
        match before:
            case s.LocalAssign(target, x.IntLit(value)) if target.name in changed:
                if before.span.end <= label.span.start:
                    yield f"{value} <= {target.name}"
    for clause in method.preconditions:
        yield from [c.span.text for c in conjuncts(clause) if not isinstance(c, x.Expr)]
    for clause in method.postconditions:
        yield from [text_of(c) for c in conjuncts(clause) if isinstance(c, x.Expr)]
