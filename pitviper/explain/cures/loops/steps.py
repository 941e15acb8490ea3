"""A step of a counter that stands in front of what uses its value: it belongs to the end.

while (i < |s|) { i := i + 1; if (s[i] == x) { found := true } }    // the step comes last
"""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import Case
from pitviper.explain.cures.edit import Candidate, quoted
from pitviper.explain.writing import at_end_of, without
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Method
from pitviper.program.walk import descendants, free_vars
from pitviper.results.wording import VIPER, wording_of


def stepped_at_last(case: Case) -> Iterator[Candidate]:
    """The step is moved behind all other statements of its loop."""
    method = case.member
    if not isinstance(method, Method) or wording_of(method.span) is not VIPER:
        return
    at = case.finding.span
    for loop in [n for n in descendants(method) if isinstance(n, s.While)]:
        if not loop.span.encloses(at):
            continue
        steps = [n for n in loop.body.statements if _is_step(n, loop)]
        behind = loop.body.statements[-1:]
        for step in steps:
            if step in behind or (loop.body.span.encloses(at) and at.start < step.span.start):
                continue
            text = step.span.text
            yield Candidate(
                (without(step), at_end_of(loop.body, [text])),
                f"{quoted(step)} comes too early, as what stands after it is about the value "
                "from before: put it at the end of the body of the loop",
            )


def _is_step(node: s.Stmt, loop: s.While) -> bool:
    """Whether a statement counts a variable on by which the loop ends."""
    match node:
        case s.LocalAssign(target, x.IntArith(_, left, x.IntLit())):
            written = ":=" in node.span.text and not node.span.text.startswith("var")
            return left == target and target.name in free_vars(loop.condition) and written
        case _:
            return False
