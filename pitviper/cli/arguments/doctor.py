"""The options of `pitviper doctor`."""

from __future__ import annotations

from pitviper.cli.arguments import common

EXAMPLES = """\
  pitviper doctor
  pitviper doctor --format json

The exit code is 0 if everything that is needed is there and works, 1 if something is not. What is
optional and missing is said, and is no fault.
"""


def add_to(commands: common.Commands) -> None:
    parser = common.add_plain_command(
        commands,
        "doctor",
        "is everything there that is needed, and does it work?",
        "Looks at the installation: versions, solver, pictures, cache, daemon.",
        EXAMPLES,
    )
    parser.add_argument(
        "--format", dest="output", choices=("text", "json"), default="text", help="text or json"
    )
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="")
