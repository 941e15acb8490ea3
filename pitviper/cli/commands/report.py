"""`pitviper report`: what is known about a program, as one page to send."""

from __future__ import annotations

import argparse

from pitviper.base.file import write_file
from pitviper.base.usage_error import UsageError
from pitviper.cli.output import stdout
from pitviper.results.exit_code import ExitCode
from pitviper.servers.web.report import report_html
from pitviper.source.reading import decode, read_bytes


def run(arguments: argparse.Namespace) -> ExitCode:
    decoded = decode(arguments.file, read_bytes(arguments.file))
    if decoded.problem is not None:
        raise UsageError(f"cannot read {arguments.file}: {decoded.problem.message}")
    made = report_html(arguments.file, decoded.source.text, explored=arguments.explore)
    size = write_file(arguments.html, made)
    stdout.write_line(f"Wrote {arguments.html} ({size // 1000} KB).")
    return ExitCode.FINE
