"""The options of `pitviper report`."""

from __future__ import annotations

from pathlib import Path

from pitviper.cli.arguments import common
from pitviper.source.reading import named

EXAMPLES = """\
  pitviper report list.vpr --html list.html             one file to send to somebody
  pitviper report list.vpr --html list.html --explore   the same with runs and colours

Whoever opens the file needs a browser only.
"""


def add_to(commands: common.Commands) -> None:
    parser = common.add_command(
        commands,
        "report",
        "what is known about a program, as one page",
        "Writes the views of the workbench about one program into one file that opens without\n"
        "server and network: failed checks with path and heap graph, steps, states.",
        EXAMPLES,
    )
    parser.add_argument(
        "file", type=named, metavar="FILE", help="a program, a folder of programs, or - for stdin"
    )
    parser.add_argument(
        "--html",
        type=Path,
        required=True,
        metavar="OUT",
        help="the file to write; of a folder, each program has one with its name added",
    )
    parser.add_argument("--explore", action="store_true", help="run the methods, too")
    common.add_time_limit(parser)
