"""Options that all sub-commands share, and how their answers are written."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from pitviper.cli.exit_code import EXPLANATION
from pitviper.version import VERSION

if TYPE_CHECKING:
    from pitviper.checking.options import CheckOptions
    from pitviper.views.terminal.excerpt import Page

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
        "--library",
        metavar="DIR",
        type=Path,
        action="append",
        default=[],
        help="look for `import <...>` here, too, after the built-in library; may be repeated",
    )


def library_folders(arguments: argparse.Namespace) -> tuple[Path, ...]:
    """The folders given with --library; UsageError for one that is none."""
    from pitviper.base.usage_error import UsageError

    folders: tuple[Path, ...] = tuple(arguments.library)
    for folder in folders:
        if not folder.is_dir():
            raise UsageError(f"cannot use {folder} as a library: no such folder")
    return folders


def language_options(arguments: argparse.Namespace) -> CheckOptions:
    from pitviper.checking.options import CheckOptions

    return CheckOptions(
        smoke_detection=arguments.smoke_detection,
        respect_function_perm_amounts=arguments.exact_amounts,
    )


def seconds(text: str) -> float:
    """The value of an option that is a time."""
    number = float(text)
    if not number > 0:
        raise argparse.ArgumentTypeError("a time is more than 0 seconds")
    return number


def jobs(text: str) -> int:
    """The value of an option that is a number of workers."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least one worker is needed")
    return number


def megabytes(text: str) -> int:
    """The value of an option that is an amount of memory, in bytes."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1 MB")
    return number << 20


def processors() -> int:
    """Those that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def page_for(arguments: argparse.Namespace) -> Page:
    """How text looks on standard output."""
    from pitviper.views.terminal.excerpt import Page
    from pitviper.views.terminal.style import choose_painter

    return Page(choose_painter(arguments.color, sys.stdout), _width())


def write(text: str) -> None:
    sys.stdout.write(text)


def write_line(text: str) -> None:
    sys.stdout.write(text + "\n")


def _width() -> int:
    """Characters of a program line that fit beside the line number; generous without terminal."""
    if not sys.stdout.isatty():
        return 160
    try:
        columns = os.get_terminal_size(sys.stdout.fileno()).columns
    except OSError:
        columns = 100
    return max(40, columns - 10)
