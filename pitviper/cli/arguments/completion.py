"""The options of `pitviper completion`."""

from __future__ import annotations

import argparse

from pitviper.cli.arguments import common

EXAMPLES = """\
  eval "$(pitviper completion bash)"        in ~/.bashrc
  eval "$(pitviper completion zsh)"         in ~/.zshrc, behind compinit
  pitviper completion fish > ~/.config/fish/completions/pitviper.fish
"""


def add_to(commands: common.Commands) -> None:
    parser = commands.add_parser(
        "completion",
        help="let a shell complete commands, options and files",
        description="Writes a script that lets a shell complete commands, options and files.",
        epilog=f"examples:\n{EXAMPLES}",
        formatter_class=common.HelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="which shell")
    parser.add_argument("--debug", action="store_true", help=argparse.SUPPRESS)
