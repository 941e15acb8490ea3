"""The options of `pitviper mcp`."""

from __future__ import annotations

from pathlib import Path

from pitviper.cli.arguments import common

EXAMPLES = """\
  pitviper mcp                     for an agent that starts it (standard input and output)
  pitviper mcp --root proofs       its tools read files below that folder only

Needs the extra `agents`: pip install 'pitviper[agents]'.
"""


def add_to(commands: common.Commands) -> None:
    parser = common.add_command(
        commands,
        "mcp",
        "tools for agents (model context protocol)",
        "Offers check, verify, suggest, explain, state, counterexample and explore as tools.",
        EXAMPLES,
    )
    parser.add_argument(
        "--root", type=Path, default=Path(), metavar="DIR", help="folder whose files may be read"
    )
