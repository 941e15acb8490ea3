"""The options of `pitviper explain`."""

from __future__ import annotations

import argparse

from pitviper.cli.arguments import common

EXAMPLES = """\
  pitviper explain assert.failed:insufficient.permission
  pitviper explain qp.not.injective
  pitviper explain                       all ids there are
"""


def add_to(commands: common.Commands) -> None:
    parser = commands.add_parser(
        "explain",
        help="say what the id of an error means, with examples",
        description="Says what the id of an error means, what causes it and what to do about it.",
        epilog=f"examples:\n{EXAMPLES}",
        formatter_class=common.HelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("id", nargs="?", metavar="ID", help="as in brackets behind `error`")
    parser.add_argument("--debug", action="store_true", help=argparse.SUPPRESS)
