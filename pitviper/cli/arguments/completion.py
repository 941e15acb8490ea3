"""The options of `pitviper completion`."""

from __future__ import annotations

from pitviper.cli.arguments import common

EXAMPLES = """\
  eval "$(pitviper completion bash)"        in ~/.bashrc
  eval "$(pitviper completion zsh)"         in ~/.zshrc, after compinit
  pitviper completion fish > ~/.config/fish/completions/pitviper.fish
"""


def add_to(commands: common.Commands) -> None:
    parser = common.add_plain_command(
        commands,
        "completion",
        "let a shell complete commands, options and files",
        "Writes a script that lets a shell complete commands, options and files.",
        EXAMPLES,
    )
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="which shell")
