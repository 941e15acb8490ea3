"""Reports of files as JSON lines or as a SARIF log on standard output."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeAlias

from pitviper.cli.output import stdout
from pitviper.results.exit_code import ExitCode

if TYPE_CHECKING:
    from pitviper.results.report import FileReport

Judge: TypeAlias = "Callable[[list[FileReport]], ExitCode]"
"""The exit code for all files of a run."""


def show_json(reports: Iterable[FileReport], judge: Judge) -> ExitCode:
    """Each file's objects as soon as it is done."""
    from pitviper.views.json.lines import json_line, report_objects

    done = []
    for report in reports:
        for value in report_objects(report):
            stdout.write_line(json_line(value))
        sys.stdout.flush()
        done.append(report)
    return judge(done)


def show_sarif(reports: Iterable[FileReport], judge: Judge) -> ExitCode:
    """One log for all files."""
    from pitviper.views.sarif import sarif_text

    done = list(reports)
    code = judge(done)
    stdout.write_line(sarif_text(done, code))
    return code
