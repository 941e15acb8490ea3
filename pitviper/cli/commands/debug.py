"""`pitviper debug`: stand inside a failed proof and try things."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from pitviper.cli.arguments import common
from pitviper.cli.arguments.verify import member_names, resources
from pitviper.cli.exit_code import ExitCode

if TYPE_CHECKING:
    from pitviper.driver.debug.debugging import DebugSession
    from pitviper.driver.verify.options import VerifyOptions

EXAMPLES = """\
  pitviper debug list.vpr
  pitviper debug --commands script.txt list.vpr
  echo 'why-not' | pitviper debug --commands - list.vpr
  pitviper debug --format json --commands script.txt list.vpr

The program is verified once, with a record of what happens; after that only the solver runs. In the
session, `help` lists all commands. A script has one command a line; `#` starts a comment.
"""


def add_to(commands: common.Commands) -> None:
    parser = common.add_command(
        commands,
        "debug",
        "stand inside a failed proof and try things",
        "Verifies a program and opens a session on what failed: shows what the verifier knew in\n"
        "Viper's own words, takes further assumptions and goals, says what is missing.",
        EXAMPLES,
    )
    parser.add_argument("file", metavar="FILE", help="a program, or - for stdin")
    parser.add_argument(
        "--commands",
        metavar="SCRIPT",
        default=None,
        help="take commands from a file, or - for stdin, instead of the terminal",
    )
    _add_options(parser)
    parser.set_defaults(run=run)


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--select",
        metavar="A,B",
        type=member_names,
        action="extend",
        default=[],
        help="only these methods, functions and predicates, and what they depend on",
    )
    parser.add_argument(
        "--backend",
        choices=("symbolic", "vcg"),
        default="symbolic",
        help="the engine (default symbolic; vcg records no states, and facts about its heaps\n"
        "have no words)",
    )
    parser.add_argument(
        "--no-join",
        dest="join",
        action="store_false",
        help="do not merge the states at the end of branches: longer paths, plainer states",
    )
    parser.add_argument(
        "--assertTimeout",
        dest="limit",
        metavar="N",
        type=resources,
        default=None,
        help="what one proof obligation may cost, in solver resources",
    )
    parser.add_argument(
        "--timeout",
        metavar="SECONDS",
        type=common.seconds,
        default=None,
        help="for the verification before the session",
    )
    common.add_language_options(parser)


def _options(arguments: argparse.Namespace) -> VerifyOptions:
    from pitviper.driver.verify.options import VerifyOptions
    from pitviper.solver.session import ASSERT

    return VerifyOptions(
        check=common.language_options(arguments),
        join=arguments.join,
        backend=arguments.backend,
        select=tuple(arguments.select),
        limit=ASSERT if arguments.limit is None else arguments.limit,
        timeout=arguments.timeout,
    )


def run(arguments: argparse.Namespace) -> ExitCode:
    from pitviper.base.usage_error import UsageError

    if arguments.output == "sarif":
        raise UsageError("a session has no SARIF: use --format text or json")
    if arguments.file == "-" and arguments.commands == "-":
        raise UsageError("program and commands cannot both come from standard input")
    session = _open(arguments)
    if session.debugger is None:
        return _tell_rejected(session, arguments)
    for crash in session.crashed:
        sys.stderr.write(f"pitviper: {crash}\n")
    if not session.debugger.obligations:
        unfinished = " in the members that could be finished" if session.crashed else ""
        common.write_line(f"nothing failed{unfinished}: there is nothing to debug")
        return ExitCode.OUR_FAULT if session.crashed else ExitCode.FINE
    _converse(session, arguments)
    return ExitCode.FINDINGS


def _open(arguments: argparse.Namespace) -> DebugSession:
    from pitviper.driver.debug.debugging import open_debugger
    from pitviper.source.reading import STDIN, require_readable

    path = STDIN if arguments.file == "-" else Path(arguments.file)
    require_readable([path])
    if arguments.commands not in (None, "-"):
        require_readable([Path(arguments.commands)])
    return open_debugger(path, _options(arguments), common.library_folders(arguments))


def _tell_rejected(session: DebugSession, arguments: argparse.Namespace) -> ExitCode:
    from pitviper.driver.verify.report import diagnosed
    from pitviper.views.terminal.problem import problem_text

    page = common.page_for(arguments)
    front = session.front
    for problem in diagnosed(front, (*front.diagnostics, *session.rejected)):
        common.write(f"{problem_text(problem, page)}\n\n")
    return ExitCode.FINDINGS


def _converse(session: DebugSession, arguments: argparse.Namespace) -> None:
    from pitviper.cli.output.prompt import Prompt, Writer

    writer = Writer(session, common.page_for(arguments), as_json=arguments.output == "json")
    if arguments.commands is None and sys.stdin.isatty():
        writer.greet()
        writer.run(Prompt(session), echo=False)
    else:
        writer.run(_script(arguments.commands), echo=True)


def _script(name: str | None) -> Iterator[str]:
    lines: Iterable[str]
    if name is None or name == "-":
        lines = sys.stdin
    else:
        lines = Path(name).read_text(encoding="utf-8").splitlines()
    for line in lines:
        yield line.rstrip("\n")
