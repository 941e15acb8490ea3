"""From the run of a program to its status, and sums by folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest

from pitviper.results.annotations import Output, read_annotations
from pitviper.results.suite import (
    EngineRun,
    Expectation,
    ProgramResult,
    Status,
    front_end_only,
    judge,
    sums_by_folder,
    unfinished,
)
from pitviper.results.verdict import Verdict

ACCEPTED = EngineRun((), Verdict.UNDECIDED)
REJECTED = EngineRun((Output("typechecker.error", 2),), Verdict.REJECTED)
OPEN = EngineRun((), Verdict.UNDECIDED, undecided="hard")
EXPECTED = "//:: ExpectedOutput(typechecker.error)\nx"
WARNED = replace(ACCEPTED, warnings=(Output("parser.warning", 2),))
EXPECTED_WARNING = EXPECTED.replace("typechecker.error", "parser.warning")
KNOWN = "//:: UnexpectedOutput(typechecker.error, /silver/issue/1/)\nx"


def expectation(text: str, *, judged: bool = True, difference: str | None = None) -> Expectation:
    annotations = read_annotations(text, Path("a.vpr"))
    return Expectation(PurePosixPath("all/a.vpr"), annotations, judged, difference)


@pytest.mark.parametrize(
    ("text", "run", "status"),
    [
        ("x", ACCEPTED, Status.AGREES),
        ("x", REJECTED, Status.MISMATCH),
        (EXPECTED, REJECTED, Status.AGREES),
        (EXPECTED, ACCEPTED, Status.MISMATCH),
        ("x", WARNED, Status.AGREES),
        (EXPECTED_WARNING, WARNED, Status.AGREES),
        (EXPECTED_WARNING, ACCEPTED, Status.MISMATCH),
        (KNOWN, REJECTED, Status.KNOWN_ISSUE),
        ("//:: IgnoreFile(/silver/issue/1/)\nx", REJECTED, Status.IGNORED),
        ("//:: IgnoreFile(/carbon/issue/1/)\nx", REJECTED, Status.MISMATCH),
        ("x", OPEN, Status.UNDECIDED),
        (EXPECTED, OPEN, Status.UNDECIDED),
        (EXPECTED, replace(REJECTED, undecided="hard"), Status.UNDECIDED),
        ("x", replace(REJECTED, undecided="hard"), Status.MISMATCH),
        ("x", replace(ACCEPTED, crash="Traceback"), Status.CRASH),
    ],
)
def test_status(text: str, run: EngineRun, status: Status) -> None:
    result = judge(expectation(text), run, 0.5)
    assert result.status is status
    if status in (Status.MISMATCH, Status.AGREES, Status.KNOWN_ISSUE, Status.IGNORED):
        assert (status is Status.MISMATCH) == bool(result.mismatches)
    assert (run.crash or run.undecided) in result.note


def test_a_program_with_an_expected_verdict_is_judged_by_it() -> None:
    wanted = replace(expectation("x"), verdict=Verdict.REFUTED)
    refuted = EngineRun((Output("assert.failed:assertion.false", 9),), Verdict.REFUTED)
    assert judge(wanted, refuted, 0.0).status is Status.AGREES
    verified = judge(wanted, EngineRun((), Verdict.VERIFIED), 0.0)
    assert verified.status is Status.MISMATCH
    assert verified.mismatches[0].detail == "refuted was expected, it is verified"
    assert judge(wanted, OPEN, 0.0).status is Status.UNDECIDED
    assert judge(wanted, replace(refuted, undecided="hard"), 0.0).status is Status.UNDECIDED


def test_a_difference_on_purpose_needs_a_difference() -> None:
    listed = expectation("x", difference="the annotation is wrong")
    assert judge(listed, REJECTED, 0.0).status is Status.DELIBERATE
    assert judge(listed, REJECTED, 0.0).note == "the annotation is wrong"
    assert judge(listed, ACCEPTED, 0.0).status is Status.STALE


def test_programs_that_are_not_judged_may_say_anything_but_not_crash() -> None:
    helper = expectation("x", judged=False)
    assert judge(helper, REJECTED, 0.0).status is Status.NOT_JUDGED
    assert unfinished(helper, Status.TIMEOUT, 60.0, "").status is Status.NOT_JUDGED
    assert unfinished(helper, Status.CRASH, 1.0, "trace").status is Status.CRASH


def test_check_only_keeps_front_end_expectations() -> None:
    text = "//:: ExpectedOutput(assert.failed)\n//:: ExpectedOutput(parser.error)\nx"
    kept = front_end_only(read_annotations(text, Path("a.vpr")))
    assert [a.id for a in kept.items] == ["parser.error"]


def result(name: str, status: Status = Status.AGREES) -> ProgramResult:
    return ProgramResult(PurePosixPath(name), status, Verdict.UNDECIDED, 1.0)


def test_sums_by_the_first_folder_level_that_tells_something() -> None:
    names = ["s/b/x.vpr", "s/a/deep/y.vpr", "s/a/z.vpr", "f/c/w.vpr"]
    sums = sums_by_folder([result(name) for name in names])
    assert [(part.folder, part.total) for part in sums] == [("f/c", 1), ("s/a", 2), ("s/b", 1)]


def test_a_flat_suite_has_one_sum() -> None:
    (part,) = sums_by_folder([result("b.vpr", Status.MISMATCH), result("a.vpr")])
    assert (part.folder, part.total, part.judged, part.agreeing) == ("", 2, 2, 1)
    assert part.seconds == 2.0


def test_ignored_programs_are_not_judged() -> None:
    statuses = (Status.IGNORED, Status.NOT_JUDGED, Status.DELIBERATE, Status.KNOWN_ISSUE)
    (part,) = sums_by_folder([result(f"{s.name}.vpr", s) for s in statuses])
    assert (part.judged, part.agreeing) == (2, 1)
