"""The options of `pitviper explain`."""

from __future__ import annotations

from pitviper.cli.arguments import common

EXAMPLES = """\
  pitviper explain assert.failed:insufficient.permission
  pitviper explain qp.not.injective
  pitviper explain                       all ids there are
"""


def add_to(commands: common.Commands) -> None:
    parser = common.add_plain_command(
        commands,
        "explain",
        "say what the id of an error means, with examples",
        "Says what the id of an error means, what causes it and what to do about it.",
        EXAMPLES,
    )
    parser.add_argument("id", nargs="?", metavar="ID", help="as in brackets after `error`")
