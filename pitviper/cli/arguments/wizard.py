"""The options of `pitviper wizard`."""

from __future__ import annotations

from pathlib import Path

from pitviper.cli.arguments import common
from pitviper.cli.arguments.explore import add_search_options
from pitviper.source.reading import named

EXAMPLES = """\
  pitviper wizard list.vpr
  pitviper wizard --mark list.vpr      write @verified_under("true") before what was proved
  pitviper wizard --unmark list.vpr    take these marks away

green: verified, or proved by running all paths. red: there are inputs that make it fail.
yellow: neither; those that may fail come first, then those with the least share of paths run.
Exit codes: 0 all are green, 1 one is red, 4 one is yellow and none is red.
"""


def add_to(commands: common.Commands) -> None:
    parser = common.add_command(
        commands,
        "wizard",
        "verify and explore side by side, and colour the assertions",
        "Colours every assertion: green is proved, red fails for the inputs shown, yellow is open."
        "\nVerifier and exploration share the work: what one has proved, the other leaves out.",
        EXAMPLES,
    )
    parser.add_argument(
        "file", metavar="FILE", type=named, help="a program, a folder of programs, or - for stdin"
    )
    marks = parser.add_mutually_exclusive_group()
    marks.add_argument("--mark", action="store_true", help="mark assertions that were proved")
    marks.add_argument("--unmark", action="store_true", help="remove all marks, do nothing else")
    parser.add_argument("--html", metavar="FILE", type=Path, help="the colours on the source")
    parser.add_argument(
        "--save-tests", metavar="DIR", type=Path, help="a test for each red assertion, as JSON"
    )
    parser.add_argument(
        "--step", action="store_true", help="then walk through the run of the first red assertion"
    )
    parser.add_argument("--watch", action="store_true", help="run again whenever the file changes")
    add_search_options(parser)
