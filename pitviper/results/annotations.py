"""The expectations that an annotated program states in its comments (`//:: ExpectedOutput(...)`).

This is the annotation language of the public Viper suite: a line `//:: ...` speaks about the next
line that is neither an annotation nor a `//` comment.
"""

from __future__ import annotations

import re
from enum import Enum
from pathlib import Path

from pitviper.base.record import record

PROJECTS = ("silver", "pitviper")
"""Whose issues excuse us: those of the language and our own, never those of another verifier."""


class Kind(Enum):
    EXPECTED = "ExpectedOutput"
    UNEXPECTED = "UnexpectedOutput"
    MISSING = "MissingOutput"
    IGNORE_OTHERS = "IgnoreOthers"
    IGNORE_FILE = "IgnoreFile"
    IGNORE_FILE_LIST = "IgnoreFileList"


@record
class Issue:
    """`/PROJECT/issue/NUMBER/`."""

    project: str
    number: int

    def applies_to(self, projects: tuple[str, ...]) -> bool:
        """Whether one of our names is the project or a part of it between hyphens."""
        name = self.project.lower()
        parts = name.split("-")
        return any(own.lower() in (name, *parts) for own in projects)

    def __str__(self) -> str:
        return f"/{self.project}/issue/{self.number}/"


@record
class Annotation:
    """`key` and `value` are the halves of an id; `line` is the line of the program meant."""

    kind: Kind
    file: Path
    line: int
    key: str = ""
    value: str | None = None
    issue: Issue | None = None

    @property
    def id(self) -> str:
        return self.key if self.value is None else f"{self.key}:{self.value}"

    def covers(self, output_id: str) -> bool:
        """An annotation without reason covers every reason, but only that of a two-part id."""
        key, colon, reason = output_id.partition(":")
        if not colon:
            return self.key == key and self.value is None
        return self.key == key and self.value in (None, reason)

    def applies_to(self, projects: tuple[str, ...]) -> bool:
        return self.issue is None or self.issue.applies_to(projects)


@record
class Unreadable:
    """A `//::` line that says nothing we know: the test fails, whatever the outputs are."""

    file: Path
    line: int
    text: str


@record
class Annotations:
    """All that one test states, of all its files."""

    items: tuple[Annotation, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()

    def joined(self, other: Annotations) -> Annotations:
        return Annotations(self.items + other.items, self.unreadable + other.unreadable)

    def for_projects(self, projects: tuple[str, ...]) -> Annotations:
        """Without what concerns other projects only."""
        kept = tuple(a for a in self.items if a.applies_to(projects))
        return Annotations(kept, self.unreadable)

    def ignore_the_test(self, projects: tuple[str, ...]) -> bool:
        """IgnoreFile drops the test for its project, IgnoreFileList for everybody."""
        return any(
            a.kind is Kind.IGNORE_FILE_LIST
            or (a.kind is Kind.IGNORE_FILE and a.applies_to(projects))
            for a in self.items
        )


_ID = r"(?P<key>[^:]*)(?::(?P<value>.*))?"
_ISSUE = r"/(?P<project>.*)/issue/(?P<number>[0-9]+)/"
_FORMS = tuple(
    (kind, re.compile(f"//:: {kind.value}{rest}"))
    for kind, rest in (
        (Kind.EXPECTED, rf"\({_ID}\)"),
        (Kind.UNEXPECTED, rf"\({_ID}, {_ISSUE}\)"),
        (Kind.MISSING, rf"\({_ID}, {_ISSUE}\)"),
        (Kind.IGNORE_OTHERS, ""),
        (Kind.IGNORE_FILE, rf"\({_ISSUE}\)"),
        (Kind.IGNORE_FILE_LIST, rf"\({_ISSUE}\)"),
    )
)
_OTHER_SUITE = re.compile(r"//:: ExpectedCounterexample\(.*\)")
"""Belongs to the suite of counterexamples: read over, not judged."""


def read_annotations(text: str, file: Path) -> Annotations:
    """The annotations of one file; those with no line behind them are dropped."""
    items: list[Annotation] = []
    unreadable: list[Unreadable] = []
    waiting: list[re.Match[str]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        trimmed = line.strip()
        if trimmed.startswith("//::"):
            if (form := _match_form(trimmed)) is not None:
                waiting.append(form)
            elif not _OTHER_SUITE.fullmatch(trimmed):
                unreadable.append(Unreadable(file, number, trimmed))
        elif not trimmed.startswith("//"):
            items.extend(_annotation(form, file, number) for form in waiting)
            waiting.clear()
    return Annotations(tuple(items), tuple(unreadable))


def _match_form(trimmed: str) -> re.Match[str] | None:
    for _, pattern in _FORMS:
        if found := pattern.fullmatch(trimmed):
            return found
    return None


def _annotation(form: re.Match[str], file: Path, line: int) -> Annotation:
    kind = next(kind for kind, pattern in _FORMS if pattern is form.re)
    parts = form.groupdict()
    issue = Issue(parts["project"], int(parts["number"])) if parts.get("number") else None
    return Annotation(kind, file, line, parts.get("key") or "", parts.get("value"), issue)


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
