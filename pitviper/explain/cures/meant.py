"""What the language reads otherwise than it is meant: `//` for a division, `exists ... ==> ...`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pitviper.explain.advice.case import Case
from pitviper.explain.advice.facts.ranges import as_conjunction, as_implication
from pitviper.explain.advice.facts.written import with_old
from pitviper.explain.cures.edit import Candidate
from pitviper.explain.writing import replaced
from pitviper.program import expr as x
from pitviper.program.member import Function, Method
from pitviper.program.never import range_of_all
from pitviper.program.walk import descendants
from pitviper.source.edit import Edit
from pitviper.source.span import Span

_DIVIDED = re.compile(
    r"(?P<line>[^\n]*?[\w)\]])[ \t]*(?P<sign>//)[ \t]*(?P<by>\d+|\w+)[ \t]*;?(?=\n|$)"
)
"""A line that may be a division of Python: a value, `//`, one word."""


def as_divided(case: Case) -> Iterator[Candidate]:
    """A comment that may be meant as a division of whole numbers."""
    if case.member is None:
        return
    span = case.member.span
    for found in _DIVIDED.finditer(span.text):
        line, by = found["line"].strip(), found["by"]
        if "//" in line or line.endswith(("{", "}")):
            continue
        at = span.start + found.start("sign")
        yield Candidate(
            (Edit(Span(span.file, at, at + 2), "\\"),),
            f"`//` begins a comment, so that `{line}` is all of this line: whole numbers are "
            f"divided by `\\`, as in `{line} \\ {by}`",
        )


def as_seen(case: Case) -> Iterator[Candidate]:
    """What advice knows of a claim by its form: one moment on both sides, `&&` behind a range."""
    part, meant = case.part, None
    if part is None or case.finding.advice is None:
        return
    if case.finding.error == "postcondition.violated":
        meant = with_old(part)
    if isinstance(part, x.Forall) and range_of_all(part) is not None:
        meant = as_implication(part)
    if meant is not None and f"`{meant}`" in case.finding.advice:
        yield Candidate((replaced(part, meant),), case.finding.advice, within=False)


def as_conjoined(case: Case) -> Iterator[Candidate]:
    """`exists i :: range ==> fact` among what is known, which holds for any `i` out of range."""
    member = case.member
    if not isinstance(member, Method | Function):
        return
    for clause in member.preconditions:
        for node in descendants(clause):
            whole = as_conjunction(node) if isinstance(node, x.Exists) else None
            if whole is not None:
                yield Candidate(
                    (replaced(node, whole),),
                    f"`==>` after `exists` asks for nothing, since any value for which the left "
                    f"side is false will do: write `{whole}` in line {node.span.line}",
                    within=False,
                )
