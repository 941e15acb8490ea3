"""`pitviper suite`: runs annotated programs and compares outputs with annotations."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from pitviper.cli.output import stdout
from pitviper.driver.suite.lists import (
    FILE_NAME,
    floor_text,
    read_differences,
    read_verdicts,
    with_verdicts,
    write_floor,
)
from pitviper.driver.suite.programs import (
    ENGINES,
    Engine,
    SuiteProgram,
    check_engine,
    find_programs,
)
from pitviper.driver.suite.suite import check_only, run_suite, suite_report
from pitviper.driver.work.tasks import Limits
from pitviper.results.exit_code import ExitCode
from pitviper.results.suite import FAILURES, ProgramResult, Status
from pitviper.views.json.lines import json_line
from pitviper.views.json.suite import program_object, summary_object
from pitviper.views.sarif import sarif_text
from pitviper.views.terminal.bars import with_progress
from pitviper.views.terminal.suite import mismatch_text, summary_text


def run(arguments: argparse.Namespace) -> ExitCode:
    programs = _programs(arguments)
    engine = _engine(arguments)
    limits = Limits(min(arguments.jobs, len(programs)), arguments.timeout)
    results: Iterable[ProgramResult] = run_suite(programs, engine, limits)
    if arguments.output != "json" or not sys.stdout.isatty():
        results = with_progress(results, len(programs), "programs")
    texts = {program.expectation.name: program.file.source.text for program in programs}
    return _show(results, arguments, texts)


def _engine(arguments: argparse.Namespace) -> Engine:
    if arguments.check_only:
        return check_engine
    return ENGINES[arguments.backend]


def _programs(arguments: argparse.Namespace) -> list[SuiteProgram]:
    listed = [] if arguments.differences is None else read_differences(arguments.differences)
    wanted = [d for d in listed if d.stage == "check" or not arguments.check_only]
    programs = find_programs(arguments.folder, wanted)
    if arguments.check_only:
        return check_only(programs)
    beside = arguments.folder / FILE_NAME
    table = arguments.frontends or (beside if beside.is_file() else None)
    return programs if table is None else with_verdicts(programs, read_verdicts(table))


def _show(
    results: Iterable[ProgramResult],
    arguments: argparse.Namespace,
    texts: Mapping[PurePosixPath, str],
) -> ExitCode:
    start = time.perf_counter()
    done: list[ProgramResult] = []
    match arguments.output:
        case "text":
            done = sorted(results, key=lambda result: result.name)
            _show_text(done, arguments, time.perf_counter() - start)
        case "json":
            for result in results:
                stdout.write_line(json_line(program_object(result)))
                done.append(result)
            elapsed = time.perf_counter() - start
            stdout.write_line(json_line(summary_object(done, elapsed)))
        case _:
            done = sorted(results, key=lambda result: result.name)
            reports = [suite_report(arguments.folder, r, texts[r.name]) for r in done]
            stdout.write_line(sarif_text(reports, _exit_code(done)))
    if arguments.write_floor is not None:
        _write_floor(done, arguments)
    return _exit_code(done)


def _write_floor(done: list[ProgramResult], arguments: argparse.Namespace) -> None:
    about = "Programs that agree, written by `pitviper suite --write-floor FILE DIR`."
    write_floor(arguments.write_floor, floor_text(done, about))


def _show_text(done: list[ProgramResult], arguments: argparse.Namespace, elapsed: float) -> None:
    page = stdout.page_for(arguments)
    for result in done:
        if result.status in (*FAILURES, Status.UNDECIDED):
            stdout.write_line(mismatch_text(result, page) + "\n")
    stdout.write_line(summary_text(done, page, elapsed))


def _exit_code(results: Iterable[ProgramResult]) -> ExitCode:
    statuses = [result.status for result in results]
    if any(status in FAILURES for status in statuses):
        return ExitCode.FINDINGS
    return ExitCode.UNDECIDED if Status.UNDECIDED in statuses else ExitCode.FINE
