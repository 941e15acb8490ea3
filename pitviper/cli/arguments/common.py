"""Options and values of options that sub-commands share."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from pitviper.results.exit_code import EXPLANATION
from pitviper.version import VERSION

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
Options: TypeAlias = "argparse.ArgumentParser | argparse._ArgumentGroup"


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """One is made for each option; the standard one asks for the terminal's width each time."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_help_width())

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        """Texts as they are written; what does not fit into the width is broken between words."""
        return "\n".join(fitted(text, width - len(indent)))

    def _format_usage(self, *given: Any, **named: Any) -> str:
        """An option with many choices has a line of its own, which is broken between them."""
        usage = super()._format_usage(*given, **named)
        return "\n".join(
            [part for line in usage.split("\n") for part in _narrow(line, self._width)]
        )


def fitted(text: str, width: int) -> list[str]:
    """The lines of a text, none wider than that: prose is filled, an example keeps its lines.

    Of an example that is too wide, what stands behind its command comes in the next line.
    """
    found, prose = list[str](), list[str]()
    for line in (*text.splitlines(), ""):
        if line and not line[0].isspace():
            prose.append(line)
            if not line.endswith(":"):
                continue
        found += _filled(prose, width)
        prose = []
        if not line or line[0].isspace():
            found += _narrow_example(line, width)
    return found[:-1]


def _filled(prose: list[str], width: int) -> list[str]:
    if all(len(line) <= width for line in prose):
        return prose
    return _wrapped(" ".join(prose), width)


def _narrow_example(line: str, width: int) -> list[str]:
    if len(line) <= width:
        return [line]
    shown = len(line) - len(line.lstrip())
    command, gap, rest = line.strip().partition("   ")
    lead, deeper = " " * shown, " " * (shown + 4)
    *first, last = _wrapped(lead + command, width - len(_GOES_ON), deeper)
    return [
        *[part + _GOES_ON for part in first],
        last,
        *(_wrapped(deeper + rest.strip(), width, deeper) if gap else []),
    ]


_GOES_ON = " \\"
"""What a shell takes for the same line."""


def _narrow(line: str, width: int) -> list[str]:
    """A line of a usage, broken behind commas where it has no blanks."""
    if len(line) <= width:
        return [line]
    shown = " " * (len(line) - len(line.lstrip()) + 2)
    return _wrapped(line.replace(",", ", "), width, shown)


def _wrapped(text: str, width: int, deeper: str = "") -> list[str]:
    import textwrap  # where help is shown only

    return textwrap.wrap(
        text, width, subsequent_indent=deeper, break_long_words=False, break_on_hyphens=False
    )


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
    epilog = f"examples:\n{examples}\n{EXPLANATION}"
    parser = _added(commands, name, summary, description, epilog)
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


def add_plain_command(
    commands: Commands, name: str, summary: str, description: str, examples: str
) -> argparse.ArgumentParser:
    """A sub-command that is not about programs: it has its own options only."""
    parser = _added(commands, name, summary, description, f"examples:\n{examples}")
    parser.add_argument("--debug", action="store_true", help=argparse.SUPPRESS)
    return parser


def _added(
    commands: Commands, name: str, summary: str, description: str, epilog: str
) -> argparse.ArgumentParser:
    return commands.add_parser(
        name,
        help=summary,
        description=description,
        epilog=epilog,
        formatter_class=HelpFormatter,
        allow_abbrev=False,
    )


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
        help="what makes a proof mean nothing is an error: recursive functions of which nothing\n"
        "says that they end; for `verify`, axioms that contradict each other, preconditions that\n"
        "nobody can meet, and all else that is warned of",
    )
    group.add_argument(
        "--infer-depth",
        metavar="N",
        type=depth,
        default=3,
        help="predicates that are opened or closed in a row for one place, where that is left to\n"
        "inference (default 3)",
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
        help='confine `import "..."` to files in this folder, links followed (for services)',
    )


LATE_HAS_NO_RESULT = "for the whole run: after that it is stopped, and undecided"
"""Of commands that tell nothing before their end."""


def add_time_limit(options: Options, meaning: str = LATE_HAS_NO_RESULT) -> None:
    options.add_argument("--timeout", metavar="SECONDS", type=seconds, help=meaning)


def add_selection(options: Options) -> None:
    options.add_argument(
        "--select",
        metavar="A,B",
        type=member_names,
        action="extend",
        default=[],
        help="only these methods, functions and predicates, and what they depend on",
    )


def depth(text: str) -> int:
    """A number of at least one; raises what argparse tells."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a number of at least 1, found `{text}`")
    return int(text)


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


def whole_from(least: int, complaint: str, most: int | None = None) -> Callable[[str], int]:
    """The value of an option that is a whole number between bounds; `complaint` says them."""

    def value(text: str) -> int:
        number = whole(text)
        if number < least or (most is not None and number > most):
            raise argparse.ArgumentTypeError(complaint)
        return number

    return value


jobs = whole_from(1, "at least one worker is needed")
positive = whole_from(1, "a number from 1 on")
natural = whole_from(0, "a number from 0 on")

MOST_RESOURCES = 2**32 - 1
"""What the solver can count to."""
resources = whole_from(1, f"between 1 and {MOST_RESOURCES}", MOST_RESOURCES)


def megabytes(text: str) -> int:
    """The value of an option that is an amount of memory, in bytes."""
    return whole_from(1, "at least 1 MB")(text) << 20


def member_names(text: str) -> list[str]:
    """The value of an option that is a list of members."""
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        raise argparse.ArgumentTypeError("names with commas between them are expected")
    return names
