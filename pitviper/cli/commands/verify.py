"""`pitviper verify`: proves or refutes what programs promise."""

from __future__ import annotations

import argparse
import os
import sys
import time

from pitviper.base.usage_error import UsageError
from pitviper.cli.output import stdout
from pitviper.cli.output.files import reports
from pitviper.cli.output.machine import show_json, show_sarif
from pitviper.cli.output.verification import TextWatch, show_profile_json, show_profile_text
from pitviper.results.exit_code import ExitCode
from pitviper.results.report import FileReport
from pitviper.results.verdict import Verdict
from pitviper.views.terminal.bars import MembersBar
from pitviper.views.terminal.verification import closing_line


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
    start = time.perf_counter()
    page = stdout.page_for(arguments)
    with MembersBar(shown=not (arguments.quiet or arguments.profile)) as bar:
        watch = TextWatch(page, bar, quiet=arguments.quiet, suggest=arguments.suggest)
        done = list(reports(arguments, watch, show_profile_text))
    if not arguments.quiet:
        stdout.write_line(closing_line(done, page, time.perf_counter() - start))
    return _exit_code(done)


def _exit_code(done: list[FileReport]) -> ExitCode:
    """The worst of all files: our own failure, then findings, then what is undecided."""
    verdicts = {report.verdict for report in done}
    if any(report.crashed for report in done):
        return ExitCode.OUR_FAULT
    if verdicts & {Verdict.REFUTED, Verdict.REJECTED}:
        return ExitCode.FINDINGS
    return ExitCode.UNDECIDED if Verdict.UNDECIDED in verdicts else ExitCode.FINE
