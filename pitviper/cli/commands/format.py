"""`pitviper format`: lays out programs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from pitviper.cli.output import stdout
from pitviper.driver.front.formatting import FormattedFile, format_file, rewrite
from pitviper.results.exit_code import ExitCode
from pitviper.source.reading import named, require_readable
from pitviper.views.paths import display_path
from pitviper.views.terminal.diff import diff_text
from pitviper.views.terminal.report import counted, report_text

if TYPE_CHECKING:
    from collections.abc import Iterator


def run(arguments: argparse.Namespace) -> ExitCode:
    """Writes, or only tells; the answer is the same set of values in each output format."""
    code = ExitCode.FINE
    done = []
    for formatted in _formatted_files(arguments):
        if not formatted.ok or (formatted.changed and _only_tells(arguments)):
            code = ExitCode.FINDINGS
        if formatted.ok and formatted.changed and not (_only_tells(arguments) or formatted.piped):
            rewrite(formatted)
        _show(formatted, arguments)
        done.append(formatted)
    _show_end(done, arguments, code)
    return code


def _only_tells(arguments: argparse.Namespace) -> bool:
    return bool(arguments.check or arguments.diff)


def _formatted_files(arguments: argparse.Namespace) -> Iterator[FormattedFile]:
    paths = [named(name) for name in arguments.files]
    require_readable(paths)
    return (format_file(path) for path in paths)


def _show(formatted: FormattedFile, arguments: argparse.Namespace) -> None:
    match arguments.output:
        case "text":
            _show_text(formatted, arguments)
        case "json":
            from pitviper.views.json.lines import json_line, report_objects

            *findings, result = report_objects(formatted.report)
            for value in (*findings, result | {"changed": formatted.changed}):
                stdout.write_line(json_line(value))
        case _:
            return  # one log at the end


def _show_text(formatted: FormattedFile, arguments: argparse.Namespace) -> None:
    page = stdout.page_for(arguments)
    name = display_path(formatted.report.file)
    stdout.write(report_text(formatted.report, page))
    if not formatted.ok:
        return
    if arguments.diff:
        stdout.write(diff_text(name, formatted.before, formatted.after, page.paint))
    elif arguments.check:
        stdout.write(f"would reformat {name}\n" if formatted.changed else "")
    elif formatted.piped:
        stdout.write(formatted.after)
    else:
        stdout.write(f"reformatted {name}\n" if formatted.changed else "")


def _show_end(done: list[FormattedFile], arguments: argparse.Namespace, code: ExitCode) -> None:
    if arguments.output == "sarif":
        from pitviper.views.sarif import sarif_text

        stdout.write_line(sarif_text([formatted.report for formatted in done], code))
    elif arguments.output == "text" and not any(f.piped for f in done) and not arguments.diff:
        changed = sum(1 for formatted in done if formatted.changed)
        fine = sum(1 for formatted in done if formatted.ok) - changed
        verb = "would change" if arguments.check else "changed"
        stdout.write_line(f"{counted(changed, 'file')} {verb}, {fine} left alone.")
