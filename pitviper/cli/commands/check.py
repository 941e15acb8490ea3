"""`pitviper check`: reads and type-checks programs."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator

from pitviper.cli.options import language_options, library_folders
from pitviper.cli.output import stdout
from pitviper.cli.output.machine import show_json, show_sarif
from pitviper.driver.verify.verify import check_file
from pitviper.results.exit_code import ExitCode
from pitviper.results.report import FileReport
from pitviper.source.reading import named, require_readable
from pitviper.views.terminal.report import check_summary, report_text


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
    paths = [named(name) for name in arguments.files]
    require_readable(paths)
    options = language_options(arguments)
    library = library_folders(arguments)
    return (check_file(path, options, library) for path in paths)


def _show_text(reports: Iterable[FileReport], arguments: argparse.Namespace) -> ExitCode:
    page = stdout.page_for(arguments)
    done = []
    for report in reports:
        stdout.write(report_text(report, page))
        done.append(report)
    stdout.write_line(check_summary(done, page))
    return _exit_code(done)


def _exit_code(reports: list[FileReport]) -> ExitCode:
    accepted = all(report.accepted for report in reports)
    return ExitCode.FINE if accepted else ExitCode.FINDINGS
