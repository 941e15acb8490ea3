"""`pitviper verify`: proves or refutes what programs promise."""

from __future__ import annotations

import argparse
import os
import sys
import time
from typing import TYPE_CHECKING

from pitviper.base.usage_error import UsageError
from pitviper.cli.arguments import common
from pitviper.cli.arguments.verify import add_options
from pitviper.cli.exit_code import ExitCode
from pitviper.cli.output.files import reports
from pitviper.cli.output.machine import show_json, show_sarif
from pitviper.cli.output.verification import show_profile_json, show_profile_text

if TYPE_CHECKING:
    from pitviper.results.report import FileReport

EXAMPLES = """\
  pitviper verify list.vpr tree.vpr
  pitviper verify --select append,length list.vpr
  pitviper verify --errors 1 --timeout 60 list.vpr
  pitviper verify --format json list.vpr | jq 'select(.kind == "finding").readable'
  pitviper verify --jobs 4 --cache build/cache *.vpr
  pitviper verify --backend both list.vpr
  pitviper verify --emit boogie list.bpl list.vpr && boogie list.bpl
  pitviper verify --solver-log list.smt2 list.vpr && z3 list.smt2
  pitviper verify --profile --select append list.vpr

A program is verified if every member is: then no execution that meets the preconditions fails a
check. Loops and calls need not end unless `decreases` clauses say so. A member that is neither
proved nor refuted is undecided, and never counts as verified.
"""


def add_to(commands: common.Commands) -> None:
    parser = common.add_command(
        commands,
        "verify",
        "prove or refute what programs promise",
        "Verifies methods, functions and predicates by symbolic execution, and shows for each\n"
        "what was proved, what fails and where, and what could not be decided.",
        EXAMPLES,
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="a program, or - for stdin")
    add_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> ExitCode:
    if arguments.emit is not None:
        from pitviper.cli.output import emit

        return emit.run(arguments)
    if not arguments.files:
        raise UsageError("which program? give at least one FILE")
    if arguments.counterexample is not None and arguments.output == "sarif":
        raise UsageError("a counterexample has no SARIF form: use --format json")
    code = _by_daemon(arguments)
    if code is not None:
        return ExitCode(code)
    code = _show(arguments)
    if code == ExitCode.FINDINGS and arguments.counterexample is not None:
        from pitviper.cli.commands.counterexample import show_for_failures

        show_for_failures(arguments)
    return ExitCode(code)


def _show(arguments: argparse.Namespace) -> ExitCode:
    match arguments.output:
        case "text":
            return _show_text(arguments)
        case "json":
            return show_json(reports(arguments, show_profile=show_profile_json), _exit_code)
        case _:
            return show_sarif(reports(arguments), _exit_code)


def _by_daemon(arguments: argparse.Namespace) -> int | None:
    """The exit code of a daemon that does the work; None where it is done here."""
    if os.environ.get("PITVIPER_DAEMON") == "off" or arguments.profile:
        return None
    if "-" in arguments.files and sys.stdin.isatty():
        return None
    from pitviper.servers.daemon.place import seems_there

    if not arguments.daemon and not seems_there():
        return None
    from pitviper.servers.daemon.client import run_by_daemon

    return run_by_daemon(arguments.argv, start=arguments.daemon)


def _show_text(arguments: argparse.Namespace) -> ExitCode:
    """Each member as soon as it is done."""
    from pitviper.cli.output.verification import TextWatch
    from pitviper.views.terminal.bars import MembersBar
    from pitviper.views.terminal.verification import closing_line

    start = time.perf_counter()
    page = common.page_for(arguments)
    with MembersBar(shown=not (arguments.quiet or arguments.profile)) as bar:
        watch = TextWatch(page, bar, quiet=arguments.quiet, suggest=arguments.suggest)
        done = list(reports(arguments, watch, show_profile_text))
    if not arguments.quiet:
        common.write_line(closing_line(done, page, time.perf_counter() - start))
    return _exit_code(done)


def _exit_code(done: list[FileReport]) -> ExitCode:
    """The worst of all files: our own failure, then findings, then what is undecided."""
    from pitviper.results.verdict import Verdict

    verdicts = {report.verdict for report in done}
    if any(report.crashed for report in done):
        return ExitCode.OUR_FAULT
    if verdicts & {Verdict.REFUTED, Verdict.REJECTED}:
        return ExitCode.FINDINGS
    return ExitCode.UNDECIDED if Verdict.UNDECIDED in verdicts else ExitCode.FINE
