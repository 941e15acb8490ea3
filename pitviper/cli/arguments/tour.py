"""The options of `pitviper tour`."""

from __future__ import annotations

from pathlib import Path

from pitviper.cli.arguments import common

EXAMPLES = """\
  pitviper tour                  six steps, one after the other
  pitviper tour 3                the third one alone
  pitviper tour --write tour     its programs as files, to change them and try again
"""


def add_to(commands: common.Commands) -> None:
    parser = common.add_plain_command(
        commands,
        "tour",
        "the whole in ten minutes, on built-in programs",
        "Shows in six steps what the tool is for, by running it on built-in programs.",
        EXAMPLES,
    )
    parser.add_argument(
        "step", nargs="?", type=common.whole, metavar="STEP", help="only this one, 1 to 6"
    )
    parser.add_argument(
        "--write", type=Path, metavar="DIR", help="write the programs into a folder, and end"
    )
    parser.add_argument("--no-wait", action="store_true", help="do not wait between the steps")
