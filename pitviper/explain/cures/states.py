"""Formulas about another state than meant: a label, or what a variable was before."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import Case, reads_heap
from pitviper.explain.cures.edit import Candidate, statement_at
from pitviper.explain.writing import in_front_of, replaced
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Method
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants
from pitviper.results.wording import VIPER, wording_of


def at_a_label(case: Case) -> Iterator[Candidate]:
    """`old[l](x.f)` for `old(x.f)`: a label in front marks the state that is meant."""
    method, part = case.member, case.part
    if not isinstance(method, Method) or part is None:
        return
    at = case.finding.span.start
    labels = [n for n in descendants(method) if isinstance(n, s.Label) and n.span.start < at]
    olds = [n for n in descendants(part) if isinstance(n, x.Old) and n.label is None]
    olds = [n for n in olds if reads_heap(n.operand) and n.span.text.startswith("old(")]
    for label in reversed(labels):
        if not olds:
            return
        shown = olds[0].span.text
        meant = f"old[{label.name}]{shown.removeprefix('old')}"
        edits = [replaced(n, f"old[{label.name}]{n.span.text.removeprefix('old')}") for n in olds]
        yield Candidate(
            tuple(edits),
            f"`{shown}` is the value at the start of `{method.name}`: for that at `label "
            f"{label.name}` (line {label.span.line}) write `{meant}`",
        )


def at_the_start(case: Case) -> Iterator[Candidate]:
    """`p.y == old(p.x)` for `p.y == p.x`, where the promises speak of earlier values elsewhere."""
    method, part = case.member, case.part
    if not isinstance(method, Method) or part is None or wording_of(method.span) is not VIPER:
        return
    if case.finding.error != "postcondition.violated" or not isinstance(part, x.Equal):
        return
    promised = [n for clause in method.postconditions for n in descendants(clause)]
    reads = [side for side in (part.right, part.left) if isinstance(side, x.FieldRead)]
    if len(reads) < 2 or not any(isinstance(n, x.Old) for n in promised):
        return
    for side, other in ((part.right, part.left), (part.left, part.right)):
        yield Candidate(
            (replaced(side, f"old({side.span.text})"),),
            f"`{side.span.text}` and `{other.span.text}` are both values at the end here: for that "
            f"at the start write `old({side.span.text})`",
            within=False,
        )


def kept(case: Case) -> Iterator[Candidate]:
    """`old(r)` of a variable: its earlier value is kept in front of what changes it."""
    method, part = case.member, case.part
    if not isinstance(method, Method) or part is None or method.body is None:
        return
    around = statement_at(method, case.finding.span)
    if around is None or wording_of(case.finding.span) is not VIPER:
        return
    olds = [
        n
        for n in descendants(part)
        if isinstance(n, x.Old) and isinstance(n.operand, x.Var) and n.label is None
    ]
    names = {n.operand.name for n in olds if isinstance(n.operand, x.Var)}
    if len(names) != 1:
        return
    (name,) = names
    line = around[1].statements
    changes = [
        n
        for n in line[: line.index(around[0])]
        if isinstance(n, s.LocalAssign) and n.target.name == name
    ]
    taken = {n.name for n in descendants(method) if isinstance(n, x.Var)}
    fresh = next(n for n in ("before", f"{name}0", f"{name}_before", f"{name}__") if n not in taken)
    for change in reversed(changes):
        if change.span.text.startswith("var"):
            continue
        declared = f"var {fresh}: {change.target.type} := {name}"
        yield Candidate(
            (in_front_of(change, [declared]), *[replaced(n, fresh) for n in olds]),
            f"`{text_of(olds[0])}` is `{name}` as it is now, since `old` is about fields only: "
            f"keep the earlier value, `{declared}` before line {change.span.line}, and write "
            f"`{fresh}` for `{text_of(olds[0])}`",
        )
    whole = part.span.text
    for param in [p for p in method.params if p.type == olds[0].type]:
        text = whole
        for node in reversed(olds):
            at, end = node.span.start - part.span.start, node.span.end - part.span.start
            text = f"{text[:at]}{param.name}{text[end:]}"
        yield Candidate(
            tuple([replaced(n, param.name) for n in olds]),
            f"`{text_of(olds[0])}` is `{name}` as it is now, and a result has no value at the "
            f"start: is `{param.name}` meant? Write `{text}`",
        )
