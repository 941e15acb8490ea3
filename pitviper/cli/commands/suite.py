"""`pitviper suite`: runs annotated programs and compares outputs with annotations."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from pitviper.cli.arguments import common
from pitviper.cli.exit_code import ExitCode

if TYPE_CHECKING:
    from pitviper.driver.suite.engines import Engine
    from pitviper.driver.suite.programs import SuiteProgram
    from pitviper.results.suite import ProgramResult

EXAMPLES = """\
  pitviper suite --check-only tests/programs
  pitviper suite --jobs 4 --timeout 20 silver/wands
  pitviper suite --check-only --json silver | jq 'select(.status == "mismatch").file'
  pitviper suite --write-floor tests/suite/floor.txt ../shared/suite/silver
  pitviper suite --frontends frontends.csv frontends

annotations, each on the line before the one it speaks about:
  //:: ExpectedOutput(assert.failed:assertion.false)
  //:: UnexpectedOutput(typechecker.error, /pitviper/issue/7/)    known to be wrong
  //:: MissingOutput(assert.failed, /pitviper/issue/7/)           known to be missing
  //:: IgnoreFile(/pitviper/issue/7/)                             not run as a test
Those of other projects than silver and pitviper do not count.

In the layout of the public suite, programs in the folders smoke and oldpermsemantics run with the
options they are written for; those in the folders import, graphs and tutorial are run but not
judged; the folder import is also a library for `import <...>`.
"""


def add_to(commands: common.Commands) -> None:
    parser = common.add_command(
        commands,
        "suite",
        "run annotated programs and compare",
        "Runs all programs below a folder and compares what they give with their annotations.",
        EXAMPLES,
    )
    parser.add_argument("folder", metavar="DIR", type=Path, help="a folder, or one program")
    parser.add_argument(
        "--check-only",
        action="store_true",
        help="judge reading and type-checking only: exactly the expected parser, typechecker\n"
        "and consistency errors, and every other program accepted",
    )
    parser.add_argument(
        "--backend",
        choices=("symbolic", "vcg", "both"),
        default="symbolic",
        help="the engine (default symbolic); both: a program on which they differ is a crash",
    )
    parser.add_argument(
        "--jobs",
        type=_jobs,
        default=os.cpu_count() or 1,
        metavar="N",
        help="worker processes (default: one for each processor)",
    )
    parser.add_argument(
        "--timeout",
        type=common.seconds,
        default=60.0,
        metavar="SECONDS",
        help="for one program (default 60)",
    )
    parser.add_argument(
        "--differences", type=Path, metavar="FILE", help="list of deliberate differences (TOML)"
    )
    parser.add_argument(
        "--frontends",
        type=Path,
        metavar="CSV",
        help="table with the verdict of another verifier for some programs, which are judged by\n"
        "it (default: frontends.csv in DIR, if there is one)",
    )
    parser.add_argument(
        "--write-floor",
        type=Path,
        metavar="FILE",
        help="write the names of the programs that agree, for tests that no longer let them differ",
    )
    parser.add_argument(
        "--json", dest="output", action="store_const", const="json", help="like --format json"
    )
    parser.set_defaults(run=run)


def _jobs(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least one job is needed")
    return number


def run(arguments: argparse.Namespace) -> ExitCode:
    from pitviper.driver.suite.suite import run_suite
    from pitviper.driver.work.tasks import Limits
    from pitviper.views.terminal.bars import with_progress

    programs = _programs(arguments)
    engine = _engine(arguments)
    limits = Limits(min(arguments.jobs, len(programs)), arguments.timeout)
    results: Iterable[ProgramResult] = run_suite(programs, engine, limits)
    if arguments.output != "json" or not sys.stdout.isatty():
        results = with_progress(results, len(programs), "programs")
    return _show(results, arguments)


def _engine(arguments: argparse.Namespace) -> Engine:
    if arguments.check_only:
        from pitviper.driver.suite.engines import check_engine

        return check_engine
    from pitviper.driver.suite.engines import ENGINES

    return ENGINES[arguments.backend]


def _programs(arguments: argparse.Namespace) -> list[SuiteProgram]:
    from pitviper.driver.suite.lists import (
        FILE_NAME,
        read_differences,
        read_verdicts,
        with_verdicts,
    )
    from pitviper.driver.suite.programs import find_programs
    from pitviper.driver.suite.suite import check_only

    listed = [] if arguments.differences is None else read_differences(arguments.differences)
    wanted = [d for d in listed if d.stage == "check" or not arguments.check_only]
    programs = find_programs(arguments.folder, wanted)
    if arguments.check_only:
        return check_only(programs)
    beside = arguments.folder / FILE_NAME
    table = arguments.frontends or (beside if beside.is_file() else None)
    return programs if table is None else with_verdicts(programs, read_verdicts(table))


def _show(results: Iterable[ProgramResult], arguments: argparse.Namespace) -> ExitCode:
    start = time.perf_counter()
    done: list[ProgramResult] = []
    match arguments.output:
        case "text":
            done = sorted(results, key=lambda result: result.name)
            _show_text(done, arguments, time.perf_counter() - start)
        case "json":
            from pitviper.views.json.lines import json_line
            from pitviper.views.json.suite import program_object, summary_object

            for result in results:
                common.write_line(json_line(program_object(result)))
                done.append(result)
            elapsed = time.perf_counter() - start
            common.write_line(json_line(summary_object(done, elapsed)))
        case _:
            from pitviper.driver.suite.suite import suite_report
            from pitviper.views.sarif import sarif_text

            done = sorted(results, key=lambda result: result.name)
            reports = [suite_report(arguments.folder, result) for result in done]
            common.write_line(sarif_text(reports, _exit_code(done)))
    if arguments.write_floor is not None:
        _write_floor(done, arguments)
    return _exit_code(done)


def _write_floor(done: list[ProgramResult], arguments: argparse.Namespace) -> None:
    from pitviper.driver.suite.lists import floor_text, write_floor

    about = "Programs that agree, written by `pitviper suite --write-floor FILE DIR`."
    write_floor(arguments.write_floor, floor_text(done, about))


def _show_text(done: list[ProgramResult], arguments: argparse.Namespace, elapsed: float) -> None:
    from pitviper.results.suite import FAILURES, Status
    from pitviper.views.terminal.suite import mismatch_text, summary_text

    page = common.page_for(arguments)
    for result in done:
        if result.status in (*FAILURES, Status.UNDECIDED):
            common.write_line(mismatch_text(result, page) + "\n")
    common.write_line(summary_text(done, page, elapsed))


def _exit_code(results: Iterable[ProgramResult]) -> ExitCode:
    from pitviper.results.suite import FAILURES, Status

    statuses = [result.status for result in results]
    if any(status in FAILURES for status in statuses):
        return ExitCode.FINDINGS
    return ExitCode.UNDECIDED if Status.UNDECIDED in statuses else ExitCode.FINE
