"""`pitviper format`: lays out programs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from pitviper.cli.arguments import common
from pitviper.cli.exit_code import ExitCode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pitviper.driver.front.formatting import FormattedFile

EXAMPLES = """\
  pitviper format list.vpr             rewrite the file
  pitviper format --check src/*.vpr    only say which files would change (for CI)
  pitviper format --diff list.vpr      show what would change
  pitviper format - < list.vpr         from stdin to stdout
"""


def add_to(commands: common.Commands) -> None:
    parser = common.add_command(
        commands,
        "format",
        "lay out programs",
        "Lays out programs; keeps comments, blank lines and parentheses. Files are rewritten in\n"
        "place unless --check or --diff is given; a program that does not parse is left alone.",
        EXAMPLES,
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="a program, or - for stdin")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument(
        "--check", action="store_true", help="write nothing; exit code 1 if a file would change"
    )
    mode.add_argument(
        "--diff", action="store_true", help="like --check, and print the changes as a diff"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> ExitCode:
    """Writes, or only tells; the answer is the same set of values in each output format."""
    from pitviper.driver.front.formatting import rewrite

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
    from pathlib import Path

    from pitviper.driver.front.formatting import format_file
    from pitviper.source.reading import STDIN, require_readable

    paths = [STDIN if name == "-" else Path(name) for name in arguments.files]
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
                common.write_line(json_line(value))
        case _:
            return  # one log at the end


def _show_text(formatted: FormattedFile, arguments: argparse.Namespace) -> None:
    from pitviper.views.paths import display_path
    from pitviper.views.terminal.diff import diff_text
    from pitviper.views.terminal.report import report_text

    page = common.page_for(arguments)
    name = display_path(formatted.report.file)
    common.write(report_text(formatted.report, page))
    if not formatted.ok:
        return
    if arguments.diff:
        common.write(diff_text(name, formatted.before, formatted.after, page.paint))
    elif arguments.check:
        common.write(f"would reformat {name}\n" if formatted.changed else "")
    elif formatted.piped:
        common.write(formatted.after)
    else:
        common.write(f"reformatted {name}\n" if formatted.changed else "")


def _show_end(done: list[FormattedFile], arguments: argparse.Namespace, code: ExitCode) -> None:
    if arguments.output == "sarif":
        from pitviper.views.sarif import sarif_text

        common.write_line(sarif_text([formatted.report for formatted in done], code))
    elif arguments.output == "text" and not any(f.piped for f in done) and not arguments.diff:
        from pitviper.views.terminal.report import counted

        changed = sum(1 for formatted in done if formatted.changed)
        fine = sum(1 for formatted in done if formatted.ok) - changed
        verb = "would change" if arguments.check else "changed"
        common.write_line(f"{counted(changed, 'file')} {verb}, {fine} left alone.")
