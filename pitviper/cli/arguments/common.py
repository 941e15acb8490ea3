"""Options and values of options that sub-commands share."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from functools import cache
from pathlib import Path
from typing import TypeAlias

from pitviper.results.exit_code import EXPLANATION
from pitviper.version import VERSION

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """One is made for each option; the standard one asks for the terminal's width each time."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_help_width())


@cache
def _help_width() -> int:
    with contextlib.suppress(ValueError):
        return int(os.environ.get("COLUMNS", "")) - 2
    with contextlib.suppress(OSError, ValueError):
        return os.get_terminal_size(sys.__stdout__.fileno() if sys.__stdout__ else -1).columns - 2
    return 78


def add_command(
    commands: Commands, name: str, summary: str, description: str, examples: str
) -> argparse.ArgumentParser:
    """A sub-command with the common options, and help that starts with examples."""
    parser = commands.add_parser(
        name,
        help=summary,
        description=description,
        epilog=f"examples:\n{examples}\n{EXPLANATION}",
        formatter_class=HelpFormatter,
        allow_abbrev=False,
    )
    common = parser.add_argument_group("common options")
    common.add_argument(
        "--format",
        dest="output",
        choices=("text", "json", "sarif"),
        default="text",
        help="text for people (default), json: one object a line, sarif: SARIF 2.1.0",
    )
    common.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="colours in text (default auto: only on a terminal, not if NO_COLOR is set)",
    )
    common.add_argument("--debug", action="store_true", help="print the trace of an internal error")
    common.add_argument("--version", action="version", version=f"pitviper {VERSION}")
    return parser


def add_language_options(parser: argparse.ArgumentParser) -> None:
    """Options that change which programs are accepted; named as in other Viper tools."""
    group = parser.add_argument_group("language options")
    group.add_argument(
        "--enableSmokeDetection",
        dest="smoke_detection",
        action="store_true",
        help="`unreachable` is a statement",
    )
    group.add_argument(
        "--respectFunctionPrePermAmounts",
        dest="exact_amounts",
        action="store_true",
        help="permission amounts in functions are exact, as before 2025",
    )
    group.add_argument(
        "--strict",
        action="store_true",
        help="recursive functions of which nothing says that they end are errors",
    )
    group.add_argument(
        "--library",
        metavar="DIR",
        type=Path,
        action="append",
        default=[],
        help="look for `import <...>` here, too, after the built-in library; may be repeated",
    )
    group.add_argument(
        "--import-root",
        metavar="DIR",
        type=Path,
        default=None,
        help='confine `import "..."` to files in this folder, links followed (for services)',
    )


def add_time_limit(parser: argparse.ArgumentParser) -> None:
    """The option of commands that tell nothing before their end: what is late has no result."""
    parser.add_argument(
        "--timeout",
        metavar="SECONDS",
        type=seconds,
        default=None,
        help="for the whole run: after that it is stopped, and undecided",
    )


def seconds(text: str) -> float:
    """The value of an option that is a time."""
    try:
        number = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"a number of seconds is expected, not {text}") from None
    if not number > 0:
        raise argparse.ArgumentTypeError("a time is more than 0 seconds")
    return number


def whole(text: str) -> int:
    """The value of an option that is a whole number."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"a whole number is expected, not {text}") from None


def jobs(text: str) -> int:
    """The value of an option that is a number of workers."""
    number = whole(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least one worker is needed")
    return number


def megabytes(text: str) -> int:
    """The value of an option that is an amount of memory, in bytes."""
    number = whole(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1 MB")
    return number << 20


def member_names(text: str) -> list[str]:
    """The value of an option that is a list of members."""
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        raise argparse.ArgumentTypeError("names with commas between them are expected")
    return names


MOST_RESOURCES = 2**32 - 1
"""What the solver can count to."""


def resources(text: str) -> int:
    """The value of an option that is a limit of the solver."""
    number = whole(text)
    if not 0 < number <= MOST_RESOURCES:
        raise argparse.ArgumentTypeError(f"between 1 and {MOST_RESOURCES}")
    return number
