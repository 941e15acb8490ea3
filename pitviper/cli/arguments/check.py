"""The options of `pitviper check`."""

from __future__ import annotations

from pitviper.cli.arguments import common

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
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="a program, a folder of programs, or - for stdin"
    )
    common.add_time_limit(parser)
    common.add_language_options(parser)
