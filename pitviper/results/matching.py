"""Compares what a program gave with what its annotations expect."""

from __future__ import annotations

from enum import Enum

from pitviper.base.record import record
from pitviper.results.annotations import PROJECTS, Annotation, Annotations, Kind


@record
class Output:
    """One error of a run. Without a line (crash, time-out) it matches no annotation."""

    id: str
    line: int | None
    message: str = ""
    place: str = ""


class Fault(Enum):
    """Why an output or an annotation is a mismatch."""

    ADDITIONAL = "additional output"
    PRESENT = "annotated as missing, but present"
    ABSENT = "expected output is missing"
    KNOWN_ABSENT = "annotated as known wrong output, but absent"
    UNREADABLE = "annotation cannot be read"
    VERDICT = "another verdict"


WRONG_OUTPUT = (Fault.ADDITIONAL, Fault.PRESENT)
"""Faults of what a program said, as opposed to what it might still say."""


@record
class Mismatch:
    fault: Fault
    id: str
    line: int | None
    detail: str = ""


@record
class Matched:
    """`known` are the issues that excuse a test without mismatches (it is then "cancelled")."""

    mismatches: tuple[Mismatch, ...]
    known: tuple[Annotation, ...] = ()


def match_outputs(
    outputs: tuple[Output, ...],
    annotations: Annotations,
    projects: tuple[str, ...] = PROJECTS,
) -> Matched:
    """The algorithm of the public suite; one annotation may cover several outputs."""
    relevant = annotations.for_projects(projects)
    mismatches: list[Mismatch] = [
        Mismatch(Fault.UNREADABLE, "", bad.line, bad.text) for bad in relevant.unreadable
    ]
    by_line: dict[int, list[Annotation]] = {}
    for annotation in relevant.items:
        by_line.setdefault(annotation.line, []).append(annotation)
    used: set[Annotation] = set()
    for output in outputs:
        at_line = by_line.get(output.line, []) if output.line is not None else []
        fault = _judge(output, at_line, used)
        if fault is not None:
            mismatches.append(Mismatch(fault, output.id, output.line, output.message))
    for annotation in relevant.items:
        if annotation not in used:
            mismatches.extend(_judge_unused(annotation, relevant.items))
    known = tuple(a for a in relevant.items if a.kind in (Kind.UNEXPECTED, Kind.MISSING))
    return Matched(tuple(mismatches), known)


def _judge(output: Output, at_line: list[Annotation], used: set[Annotation]) -> Fault | None:
    """Step 2: what this output is, given the annotations of its line; marks the one it uses."""
    covering = [a for a in at_line if a.covers(output.id)]
    if any(a.kind is Kind.MISSING for a in covering):
        return Fault.PRESENT
    for annotation in covering:
        if annotation.kind in (Kind.EXPECTED, Kind.UNEXPECTED):
            used.add(annotation)
            return None
    if any(a.kind is Kind.IGNORE_OTHERS for a in at_line):
        return None
    return Fault.ADDITIONAL


def _judge_unused(annotation: Annotation, items: tuple[Annotation, ...]) -> list[Mismatch]:
    """Step 3: an annotation that no output used."""
    if annotation.kind is Kind.UNEXPECTED:
        fault = Fault.KNOWN_ABSENT
    elif annotation.kind is Kind.EXPECTED and not _known_missing(annotation, items):
        fault = Fault.ABSENT
    else:
        return []
    detail = "" if annotation.issue is None else str(annotation.issue)
    return [Mismatch(fault, annotation.id, annotation.line, detail)]


def _known_missing(expected: Annotation, items: tuple[Annotation, ...]) -> bool:
    return any(
        a.kind is Kind.MISSING
        and (a.file, a.line, a.id) == (expected.file, expected.line, expected.id)
        for a in items
    )
