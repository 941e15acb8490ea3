"""Runs the programs of a suite in worker processes and judges each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import assert_never

from pitviper.base.record import record, replace
from pitviper.driver.suite.programs import Engine, SuiteProgram
from pitviper.driver.work.tasks import Done, Failed, Finished, Limits, Lost, TimedOut, run_killable
from pitviper.results.annotations import Mismatch
from pitviper.results.report import FileReport, Problem
from pitviper.results.suite import (
    FAILURES,
    EngineRun,
    Expectation,
    ProgramResult,
    Status,
    front_end_only,
    judge,
    unfinished,
)
from pitviper.source.diagnostic import Severity
from pitviper.source.span import SourceFile, Span


@record
class Task:
    """What a worker gets: an engine and a program for it."""

    engine: Engine
    program: SuiteProgram


def run_suite(
    programs: Sequence[SuiteProgram], engine: Engine, limits: Limits
) -> Iterator[ProgramResult]:
    """The result of each program as soon as it is there.

    `engine` may crash or hang; that costs its program only.

    >>> from pathlib import Path
    >>> from pitviper.driver.suite.programs import check_engine
    >>> from pitviper.driver.suite.programs import find_programs
    >>> programs = check_only(find_programs(Path("examples/cell.vpr")))
    >>> [result.status.value for result in run_suite(programs, check_engine, Limits(jobs=1))]
    ['agrees']
    """
    tasks = [Task(engine, program) for program in programs]
    for finished in run_killable(_run, tasks, limits):
        yield _result(programs[finished.index].expectation, finished, limits)


def check_only(programs: Sequence[SuiteProgram]) -> list[SuiteProgram]:
    """The programs, judged by what the front end alone can say about them."""
    return [
        replace(program, expectation=_front_end_expectation(program.expectation))
        for program in programs
    ]


def _front_end_expectation(expectation: Expectation) -> Expectation:
    return replace(expectation, annotations=front_end_only(expectation.annotations))


def _run(task: Task) -> EngineRun:
    return task.engine(task.program.file, task.program.options)


def _result(
    expectation: Expectation, finished: Finished[EngineRun], limits: Limits
) -> ProgramResult:
    seconds = finished.seconds
    match finished.outcome:
        case Done(run):
            return judge(expectation, run, seconds)
        case Failed(report):
            return unfinished(expectation, Status.CRASH, seconds, report)
        case Lost(report):
            return unfinished(expectation, Status.UNDECIDED, seconds, report)
        case TimedOut():
            note = f"no answer after {limits.timeout:g} s"
            return unfinished(expectation, Status.TIMEOUT, seconds, note)
        case _:
            assert_never(finished.outcome)


MISMATCH = "suite.mismatch"


def suite_report(root: Path, result: ProgramResult, text: str) -> FileReport:
    """A report of a program below `root`; without problems where it behaves as annotated."""
    path = (root if root.is_dir() else root.parent) / result.name
    if result.status not in FAILURES:
        return FileReport(path, result.verdict, seconds=result.seconds)
    file = SourceFile(path, text)
    problems = tuple(_problem(mismatch, file) for mismatch in result.mismatches)
    if not problems:
        said = f"{result.status.value}: {result.note}"
        problems = (Problem(MISMATCH, Severity.ERROR, None, said),)
    return FileReport(path, result.verdict, problems, seconds=result.seconds)


def _problem(mismatch: Mismatch, file: SourceFile) -> Problem:
    said = f"{mismatch.fault.value}: {mismatch.id or mismatch.detail}"
    return Problem(MISMATCH, Severity.ERROR, _line_span(file, mismatch.line), said)


def _line_span(file: SourceFile, line: int | None) -> Span | None:
    """The whole line; an error of an imported file may be on a line that this file lacks."""
    if line is None or line > file.line_count:
        return None
    start = file.offset(line, 1)
    return Span(file, start, start + len(file.line_text(line)))
