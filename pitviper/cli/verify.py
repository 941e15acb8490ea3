"""`pitviper verify`: checks programs; there is no verifier to prove anything about them yet."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from pitviper.cli import common
from pitviper.cli.check import reports_for, show_json, show_sarif, worst
from pitviper.cli.exit_code import ExitCode

if TYPE_CHECKING:
    from pitviper.results.report import FileReport

REASON = "no verifier is built in: the program was read and checked, nothing was proved"

EXAMPLES = """\
  pitviper verify list.vpr
  pitviper verify --format json list.vpr
"""


def add_to(commands: common.Commands) -> None:
    parser = common.add_command(
        commands,
        "verify",
        "verify programs (today: checks them and says undecided)",
        "Reads and checks programs like `pitviper check`. This version has no verifier built in,\n"
        "so every accepted program is undecided (exit code 4), never verified.",
        EXAMPLES,
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="a program, or - for stdin")
    common.add_language_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> ExitCode:
    reports = (_with_reason(report) for report in reports_for(arguments))
    match arguments.output:
        case "text":
            return _show_text(reports, arguments)
        case "json":
            return show_json(reports, ExitCode.UNDECIDED)
        case _:
            return show_sarif(reports, ExitCode.UNDECIDED)


def _with_reason(report: FileReport) -> FileReport:
    return replace(report, reason=REASON) if report.accepted else report


def _show_text(reports: Iterable[FileReport], arguments: argparse.Namespace) -> ExitCode:
    from pitviper.views.terminal.report import report_text, verify_line

    page = common.page_for(arguments)
    done = []
    for report in reports:
        common.write(report_text(report, page))
        common.write_line(verify_line(report, page))
        done.append(report)
    return worst(done, ExitCode.UNDECIDED)
