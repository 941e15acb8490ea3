"""The options of `pitviper replay`."""

from __future__ import annotations

from pitviper.cli.arguments import common
from pitviper.source.reading import named

EXAMPLES = """\
  pitviper replay tests/insert-1-passed.json
  pitviper replay --step tests/insert-2-assert-failed-assertion-false.json

A test was kept with the way its run ended, often a failure. Exit code 0: it ends so again, also if
it fails as before. Exit code 1: it ends otherwise, also because the program is mended.
"""


def add_to(commands: common.Commands) -> None:
    parser = common.add_command(
        commands,
        "replay",
        "run a test that explore has kept",
        "Runs a method with the inputs of a test, and compares how it ends: exit code 0 if as it\n"
        "did when the test was kept (which may be a failure), 1 if not.",
        EXAMPLES,
    )
    parser.add_argument(
        "test",
        metavar="TEST",
        type=named,
        nargs="*",
        help="a test of `explore --save-tests`, a folder of tests, or - for stdin",
    )
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--step", action="store_true", help="walk through the run; ? for help")
    way.add_argument(
        "--dap",
        action="store_true",
        help="speak the debug adapter protocol on standard input and output; the editor may "
        "name the test",
    )
    common.add_time_limit(parser)
    common.add_language_options(parser)
