"""The command `pitviper`: chooses the sub-command and turns what can go wrong into exit codes."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Iterable
from importlib import import_module

from pitviper.base.usage_error import UsageError
from pitviper.cli.arguments import common
from pitviper.cli.arguments.verify import with_values
from pitviper.results.exit_code import EXPLANATION, ExitCode
from pitviper.version import VERSION

COMMANDS = (
    "check",
    "format",
    "verify",
    "explore",
    "replay",
    "wizard",
    "counterexample",
    "debug",
    "suite",
    "cache",
    "daemon",
    "lsp",
)
"""Each has a file of its name in `arguments/`, and one in `commands/`."""

EPILOG = f"""\
examples:
  pitviper check list.vpr            is this a well-typed Viper program?
  pitviper format list.vpr           lay it out
  pitviper verify list.vpr           does it keep its promises?
  pitviper debug list.vpr            why not? stand inside a failed proof
  pitviper counterexample list.vpr   in which state does it not?
  pitviper explore list.vpr          which inputs make it fail?
  pitviper suite tests/              do annotated programs behave as annotated?
  pitviper check --help              all about one command

{EXPLANATION}"""


def main(argv: list[str] | None = None) -> int:
    """The exit code. Exceptions end here: the only place that catches bugs of ours."""
    _prepare_streams()
    given = with_values(sys.argv[1:] if argv is None else argv)
    arguments = _parser(_asked_for(given)).parse_args(given)
    arguments.argv = given
    try:
        command = import_module(f"pitviper.cli.commands.{arguments.command}")
        code: ExitCode = command.run(arguments)
        sys.stdout.flush()
    except UsageError as error:
        sys.stderr.write("".join(f"pitviper: error: {line}\n" for line in str(error).split("\n")))
        return ExitCode.USAGE
    except KeyboardInterrupt:
        sys.stderr.write("\npitviper: interrupted\n")
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        _silence_stdout()
        return ExitCode.BROKEN_PIPE
    except Exception as error:
        from pitviper.cli import crash

        sys.stderr.write(crash.describe(error, debug=arguments.debug))
        return ExitCode.OUR_FAULT
    return code


def _asked_for(given: list[str]) -> Iterable[str]:
    """The commands whose options a parser must know for these words: all of them take time."""
    if given and given[0] in COMMANDS:
        return given[:1]
    return () if given == ["--version"] else COMMANDS


def _parser(names: Iterable[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="pitviper",
        description="Checks, formats and verifies programs in the Viper language.",
        epilog=EPILOG,
        formatter_class=common.HelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"pitviper {VERSION}")
    commands = parser.add_subparsers(
        title="commands", dest="command", metavar="COMMAND", required=True, prog="pitviper"
    )
    for name in names:
        add_to: Callable[[common.Commands], None] = import_module(
            f"pitviper.cli.arguments.{name}"
        ).add_to
        add_to(commands)
    return parser


def _prepare_streams() -> None:
    """A terminal that cannot show a character gets an escape instead of a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _silence_stdout() -> None:
    """The reader is gone: nothing more can be written, not even by the interpreter's exit."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, sys.stdout.fileno())
