"""The options of `pitviper cache`."""

from __future__ import annotations

from pitviper.cli.arguments import common

EXAMPLES = """\
  pitviper cache info
  pitviper cache clear
  pitviper cache info --cache build/pitviper-cache

Answers of `pitviper verify` are remembered in the user's cache folder (PITVIPER_CACHE or --cache
name another one, `--cache off` uses none). An answer counts only as long as nothing has changed
that it rests on: the program, the options, the versions of pitviper and of its solver.
"""


def add_to(commands: common.Commands) -> None:
    parser = common.add_plain_command(
        commands,
        "cache",
        "show or forget what verifications have remembered",
        "Shows or forgets the answers that verifications have remembered.",
        EXAMPLES,
    )
    parser.add_argument("action", choices=("info", "clear"), help="show, or forget everything")
    parser.add_argument("--cache", metavar="DIR", default=None, help="the folder")
    parser.add_argument("--format", dest="output", choices=("text", "json"), default="text")
