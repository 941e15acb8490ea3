"""The outcome of annotated programs: each one's status, and sums by folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from pathlib import PurePosixPath

from pitviper.base.record import field, record
from pitviper.results.annotations import (
    PROJECTS,
    WRONG_OUTPUT,
    Annotation,
    Annotations,
    Fault,
    Kind,
    Matched,
    Mismatch,
    Output,
    match_outputs,
)
from pitviper.results.verdict import Verdict

FRONT_END_IDS = ("parser.error", "typechecker.error", "consistency.error")


class Status(Enum):
    """How a program stands to its annotations."""

    AGREES = "agrees"
    KNOWN_ISSUE = "known issue"  # agrees thanks to an Unexpected- or MissingOutput for us
    DELIBERATE = "deliberate difference"  # on the project's own list, with a reason
    MISMATCH = "mismatch"
    UNDECIDED = "undecided"
    TIMEOUT = "timeout"
    CRASH = "crash"
    STALE = "stale difference"  # on the list, yet it agrees
    IGNORED = "ignored"  # the program says so itself
    NOT_JUDGED = "not judged"  # a helper or performance program


FAILURES = (Status.MISMATCH, Status.TIMEOUT, Status.CRASH, Status.STALE)
"""What makes a run of the suite fail; UNDECIDED is no failure, and no success either."""

JUDGED = (Status.AGREES, Status.KNOWN_ISSUE, Status.DELIBERATE, Status.UNDECIDED, *FAILURES)


@record
class EngineRun:
    """What an engine says about one program: plain data that crosses process borders.

    `undecided` says what it could not decide, `crash` is the trace of a failure of its own; both
    are empty where it has decided everything. Warnings count only where annotations speak of
    them.
    """

    outputs: tuple[Output, ...]
    verdict: Verdict
    undecided: str = ""
    crash: str = ""
    members: Mapping[str, Verdict] = field(default_factory=dict)
    warnings: tuple[Output, ...] = ()


@record
class Expectation:
    """What is known about a program before it runs; `difference` is the reason on our list.

    A program with an expected `verdict` is judged by that instead of its annotations.
    """

    name: PurePosixPath
    annotations: Annotations
    judged: bool = True
    difference: str | None = None
    verdict: Verdict | None = None


@record
class ProgramResult:
    """`note` explains the status: the reason of a difference, the trace of a crash."""

    name: PurePosixPath
    status: Status
    verdict: Verdict
    seconds: float
    expected: tuple[Annotation, ...] = ()
    actual: tuple[Output, ...] = ()
    mismatches: tuple[Mismatch, ...] = ()
    note: str = ""
    members: Mapping[str, Verdict] = field(default_factory=dict)


def front_end_only(annotations: Annotations) -> Annotations:
    """The annotations a run without verification is judged by."""
    kept = (
        a
        for a in annotations.items
        if a.key in FRONT_END_IDS or a.kind in (Kind.IGNORE_OTHERS, *_IGNORE)
    )
    return Annotations(tuple(kept), annotations.unreadable)


_IGNORE = (Kind.IGNORE_FILE, Kind.IGNORE_FILE_LIST)


def judge(expectation: Expectation, run: EngineRun, seconds: float) -> ProgramResult:
    """The result of a program whose engine came to an end."""
    annotations = expectation.annotations.for_projects(PROJECTS)
    matched = _matched(expectation, run, annotations)
    expected = tuple(a for a in annotations.items if a.kind not in _IGNORE)
    status, note = _status(expectation, run, matched.mismatches)
    if status is Status.AGREES and matched.known:
        status, note = Status.KNOWN_ISSUE, ", ".join(_issues(matched.known))
    shown = () if status in (Status.IGNORED, Status.NOT_JUDGED) else matched.mismatches
    return ProgramResult(
        expectation.name,
        status,
        run.verdict,
        seconds,
        expected,
        run.outputs,
        shown,
        note,
        run.members,
    )


def _matched(expectation: Expectation, run: EngineRun, annotations: Annotations) -> Matched:
    wanted = expectation.verdict
    if wanted is None:
        annotated = {annotation.key for annotation in annotations.items}
        warnings = tuple([w for w in run.warnings if w.id in annotated])
        return match_outputs((*run.outputs, *warnings), annotations)
    if run.verdict is wanted:
        return Matched(())
    said = f"{wanted.value} was expected, it is {run.verdict.value}"
    return Matched((Mismatch(Fault.VERDICT, "verdict", None, said),))


def _status(
    expectation: Expectation, run: EngineRun, mismatches: tuple[Mismatch, ...]
) -> tuple[Status, str]:
    """What is undecided never agrees; it differs where an output is wrong whatever is decided."""
    difference = expectation.difference
    if run.crash:
        return Status.CRASH, run.crash
    if not expectation.judged:
        return Status.NOT_JUDGED, run.undecided
    if expectation.annotations.ignore_the_test(PROJECTS):
        return Status.IGNORED, ""
    if run.undecided and not any(m.fault in WRONG_OUTPUT for m in mismatches):
        return Status.UNDECIDED, run.undecided
    if difference is not None:
        return (Status.DELIBERATE if mismatches else Status.STALE), difference
    return (Status.MISMATCH if mismatches else Status.AGREES), run.undecided


def unfinished(
    expectation: Expectation, status: Status, seconds: float, note: str
) -> ProgramResult:
    """The result of a program whose engine did not come to an end.

    A crash counts wherever it happens; a time-out or a lost process only where the program is
    judged.
    """
    excused = not expectation.judged or expectation.annotations.ignore_the_test(PROJECTS)
    if excused and status is not Status.CRASH:
        status = Status.NOT_JUDGED if not expectation.judged else Status.IGNORED
    relevant = expectation.annotations.for_projects(PROJECTS).items
    expected = tuple(a for a in relevant if a.kind not in _IGNORE)
    return ProgramResult(expectation.name, status, Verdict.UNDECIDED, seconds, expected, note=note)


def _issues(known: Iterable[Annotation]) -> list[str]:
    return list(dict.fromkeys(str(a.issue) for a in known if a.issue is not None))


@record
class FolderSum:
    """The counts of one folder; `folder` is empty for the programs of the suite itself."""

    folder: str
    counts: dict[Status, int]
    seconds: float

    @property
    def judged(self) -> int:
        return sum(self.counts.get(status, 0) for status in JUDGED)

    @property
    def agreeing(self) -> int:
        return self.counts.get(Status.AGREES, 0) + self.counts.get(Status.KNOWN_ISSUE, 0)

    @property
    def total(self) -> int:
        return sum(self.counts.values())


def sums_by_folder(results: Iterable[ProgramResult]) -> list[FolderSum]:
    """Sums by folder in alphabetical order; the depth of folders is the least that tells a story.

    Below a root with one or two folders the sums would say nothing, so their sub-folders count.
    """
    ordered = sorted(results, key=lambda result: result.name)
    depth = _grouping_depth([result.name for result in ordered])
    groups: dict[str, list[ProgramResult]] = {}
    for result in ordered:
        groups.setdefault(_folder(result.name, depth), []).append(result)
    return [sum_of(folder, groups[folder]) for folder in sorted(groups)]


def sum_of(folder: str, results: Iterable[ProgramResult]) -> FolderSum:
    counts: dict[Status, int] = {}
    seconds = 0.0
    for result in results:
        counts[result.status] = counts.get(result.status, 0) + 1
        seconds += result.seconds
    return FolderSum(folder, counts, seconds)


def _grouping_depth(names: list[PurePosixPath]) -> int:
    deepest = max((len(name.parts) - 1 for name in names), default=0)
    for depth in range(1, deepest):
        if len({_folder(name, depth) for name in names}) >= 3:
            return depth
    return max(1, deepest)


def _folder(name: PurePosixPath, depth: int) -> str:
    return "/".join(name.parts[:-1][:depth])
