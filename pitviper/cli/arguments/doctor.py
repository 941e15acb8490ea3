"""The options of `pitviper doctor`."""

from __future__ import annotations

import argparse

from pitviper.cli.arguments import common

EXAMPLES = """\
  pitviper doctor
  pitviper doctor --format json

The exit code is 0 if everything that is needed is there and works, 1 if something is not. What is
optional and missing is said, and is no fault.
"""


def add_to(commands: common.Commands) -> None:
    parser = commands.add_parser(
        "doctor",
        help="is everything there that is needed, and does it work?",
        description="Looks at the installation: versions, solver, pictures, cache, daemon.",
        epilog=f"examples:\n{EXAMPLES}",
        formatter_class=common.HelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "--format", dest="output", choices=("text", "json"), default="text", help="text or json"
    )
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="")
    parser.add_argument("--debug", action="store_true", help=argparse.SUPPRESS)
