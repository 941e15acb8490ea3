"""All that a command says about its files, as text."""

from __future__ import annotations

from pitviper.results.report import FileReport
from pitviper.source.diagnostic import Severity
from pitviper.views.terminal.excerpt import Page
from pitviper.views.terminal.problem import problem_text, told_once
from pitviper.views.terminal.style import Style


def report_text(report: FileReport, page: Page) -> str:
    """The problems of one file, an empty line behind each; empty where there are none."""
    return "".join(problem_text(one, page) + "\n\n" for one in told_once(report.problems))


def check_summary(reports: list[FileReport], page: Page) -> str:
    """The last line of `pitviper check`."""
    errors = sum(report.count(Severity.ERROR) for report in reports)
    warnings = sum(report.count(Severity.WARNING) for report in reports)
    files = counted(len(reports), "file")
    noticed = f", {counted(warnings, 'warning')}" if warnings else ""
    if errors == 0:
        return f"{page.paint(Style.HELP, 'Accepted')} {files}{noticed}."
    found = page.paint(Style.ERROR, f"Found {counted(errors, 'error')}")
    if len(reports) == 1:
        return f"{found}{noticed}."
    rejected = sum(1 for report in reports if not report.accepted)
    return f"{found}{noticed} in {rejected} of {files}."


def counted(number: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
