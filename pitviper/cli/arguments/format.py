"""The options of `pitviper format`."""

from __future__ import annotations

from pitviper.cli.arguments import common

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
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="a program, a folder of programs, or - for stdin"
    )
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument(
        "--check", action="store_true", help="write nothing; exit code 1 if a file would change"
    )
    mode.add_argument(
        "--diff", action="store_true", help="like --check, and print the changes as a diff"
    )
    common.add_time_limit(parser)
