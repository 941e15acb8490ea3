"""What the condition of a loop says of its counter, and its sign.

while (r > b) { r := r - b }              // ensures r < b: while (r >= b)
while (i < 10) invariant i < 5 { ... }    // i <= 10
"""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import Case
from pitviper.explain.cures.changes import FLIPS
from pitviper.explain.cures.edit import Candidate
from pitviper.explain.cures.loops.invariants import bounds_of
from pitviper.explain.writing import indent_at, replaced
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Method
from pitviper.program.types import INT
from pitviper.program.walk import assigned_variables, descendants, free_vars
from pitviper.results.wording import wording_of
from pitviper.source.edit import Edit
from pitviper.source.span import Span


def other_end(case: Case) -> Iterator[Candidate]:
    """The condition with or without the case that both sides are equal."""
    method = case.member
    if not isinstance(method, Method):
        return
    for loop in [n for n in descendants(method) if isinstance(n, s.While)]:
        match loop.condition:
            case x.Compare(_, left, right) if left.type == INT and not _is_size(left, right):
                meant = _with_border(loop.condition)
                yield Candidate(
                    (replaced(loop.condition, meant),),
                    f"is the condition `{loop.condition.span.text}` (line {loop.span.line}) what "
                    f"you mean? Write `{meant}`",
                )
            case _:
                pass


def _with_border(condition: x.Compare) -> str:
    """`i <= n` for `i < n`, and the other way round; `i < n` for `i < n - 1`."""
    left, right = condition.left.span.text, condition.right
    match condition.op, right:
        case x.CompareOp.LT, x.IntArith(x.IntOp.SUB, bound, x.IntLit(1)):
            return f"{left} < {bound.span.text}"
        case x.CompareOp.GT, x.IntArith(x.IntOp.ADD, bound, x.IntLit(1)):
            return f"{left} > {bound.span.text}"
        case _:
            return f"{left} {FLIPS[condition.op][0]} {right.span.text}"


def as_bounded(case: Case) -> Iterator[Candidate]:
    """A wrong bound of a counter, with the one in its place that its loop keeps."""
    method, part = case.member, case.part
    if not isinstance(method, Method) or not isinstance(part, x.Compare):
        return
    for loop in [n for n in descendants(method) if isinstance(n, s.While)]:
        if not any(clause.span.encloses(part.span) for clause in loop.invariants):
            continue
        changed = {variable.name for variable in assigned_variables(loop)}
        counters = free_vars(part) & free_vars(loop.condition) & changed
        for bound in bounds_of(loop.condition, changed) if counters else ():
            yield Candidate(
                (replaced(part, bound),),
                f"the loop goes on while `{loop.condition.span.text}`: write `{bound}` for "
                f"`{part.span.text}`",
            )


def bounded_first(case: Case) -> Iterator[Candidate]:
    """A bound of the counter that an invariant needs to make sense, in front of it."""
    method = case.member
    if case.finding.error != "not.wellformed" or not isinstance(method, Method):
        return
    for loop in [n for n in descendants(method) if isinstance(n, s.While)]:
        for clause in [i for i in loop.invariants if i.span.encloses(case.finding.span)]:
            changed = {variable.name for variable in assigned_variables(loop)}
            text = clause.span.file.text
            word = text.rfind("invariant", loop.span.start, clause.span.start)
            if word < 0 or text[word + len("invariant") : clause.span.start].strip():
                continue
            for bound in bounds_of(loop.condition, changed & free_vars(clause)):
                ends = wording_of(clause.span).ends
                line = f"invariant {bound}{ends}\n{indent_at(Span(clause.span.file, word, word))}"
                yield Candidate(
                    (Edit(Span(clause.span.file, word, word), line),),
                    f"an invariant makes sense by those before it only, and none says "
                    f"how far the loop has come: write `invariant {bound}` before it",
                    further=True,
                )


def _is_size(left: x.Expr, right: x.Expr) -> bool:
    """`|s| > 0`, of which the other form says nothing."""
    return left.span.text.startswith("|") and isinstance(right, x.IntLit)
