"""The options of `pitviper debug`."""

from __future__ import annotations

import argparse

from pitviper.cli.arguments import common

EXAMPLES = """\
  pitviper debug list.vpr
  pitviper debug --commands script.txt list.vpr
  echo 'why-not' | pitviper debug --commands - list.vpr
  pitviper debug --format json --commands script.txt list.vpr

The program is verified once, with a record of what happens; after that only the solver runs. In the
session, `help` lists all commands. A script has one command a line; `#` starts a comment.
"""


def add_to(commands: common.Commands) -> None:
    parser = common.add_command(
        commands,
        "debug",
        "stand inside a failed proof and try things",
        "Verifies a program and opens a session on what failed: shows what the verifier knew in\n"
        "Viper's own words, takes further assumptions and goals, says what is missing.",
        EXAMPLES,
    )
    parser.add_argument(
        "file", metavar="FILE", help="a program, a folder of programs, or - for stdin"
    )
    parser.add_argument(
        "--commands",
        metavar="SCRIPT",
        help="take commands from a file, or - for stdin, instead of the terminal",
    )
    _add_options(parser)


def _add_options(parser: argparse.ArgumentParser) -> None:
    common.add_selection(parser)
    parser.add_argument(
        "--backend",
        choices=("symbolic", "vcg"),
        default="symbolic",
        help="the engine (default symbolic; vcg records no states, and facts about its heaps\n"
        "have no words)",
    )
    parser.add_argument(
        "--no-join",
        dest="join",
        action="store_false",
        help="do not merge the states at the end of branches: longer paths, plainer states",
    )
    parser.add_argument(
        "--assertTimeout",
        dest="limit",
        metavar="N",
        type=common.resources,
        help="what one proof obligation may cost, in solver resources",
    )
    common.add_time_limit(parser, "for the verification before the session")
    common.add_language_options(parser)
