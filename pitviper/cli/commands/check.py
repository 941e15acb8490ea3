"""`pitviper check`: reads and type-checks programs."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from pitviper.cli.arguments import common
from pitviper.cli.exit_code import ExitCode
from pitviper.cli.output.machine import show_json, show_sarif

if TYPE_CHECKING:
    from pitviper.results.report import FileReport

EXAMPLES = """\
  pitviper check list.vpr tree.vpr
  cat list.vpr | pitviper check -
  pitviper check --format json list.vpr | jq 'select(.kind == "finding")'
  pitviper check --format sarif src/*.vpr > findings.sarif
"""


def add_to(commands: common.Commands) -> None:
    parser = common.add_command(
        commands,
        "check",
        "read and type-check programs",
        "Reads programs with their imports and macros, resolves names, checks types and the\n"
        "consistency rules of the language. Says nothing about whether a program is correct.",
        EXAMPLES,
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="a program, or - for stdin")
    common.add_language_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> ExitCode:
    match arguments.output:
        case "text":
            return _show_text(_reports(arguments), arguments)
        case "json":
            return show_json(_reports(arguments), _exit_code)
        case _:
            return show_sarif(_reports(arguments), _exit_code)


def _reports(arguments: argparse.Namespace) -> Iterator[FileReport]:
    """One report per file, made when it is asked for; all files are readable before the first."""
    from pathlib import Path

    from pitviper.driver.verify.report import check_file
    from pitviper.source.reading import STDIN, require_readable

    paths = [STDIN if name == "-" else Path(name) for name in arguments.files]
    require_readable(paths)
    options = common.language_options(arguments)
    library = common.library_folders(arguments)
    return (check_file(path, options, library) for path in paths)


def _show_text(reports: Iterable[FileReport], arguments: argparse.Namespace) -> ExitCode:
    from pitviper.views.terminal.report import check_summary, report_text

    page = common.page_for(arguments)
    done = []
    for report in reports:
        common.write(report_text(report, page))
        done.append(report)
    common.write_line(check_summary(done, page))
    return _exit_code(done)


def _exit_code(reports: list[FileReport]) -> ExitCode:
    accepted = all(report.accepted for report in reports)
    return ExitCode.FINE if accepted else ExitCode.FINDINGS
