"""`pitviper debug`: stand inside a failed proof and try things."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from pitviper.base.time_box import lift
from pitviper.base.usage_error import UsageError
from pitviper.cli.options import language_options, library_folders
from pitviper.cli.output import stdout
from pitviper.cli.output.files import tell_if_nothing
from pitviper.cli.output.prompt import Prompt, Writer
from pitviper.cli.start import tell
from pitviper.driver.debug.debugging import DebugSession, open_debugger
from pitviper.driver.verify.options import ASSERT, VerifyOptions
from pitviper.driver.verify.verify import diagnosed
from pitviper.results.exit_code import ExitCode
from pitviper.source.reading import named, require_readable
from pitviper.views.terminal.problem import problem_text


def _options(arguments: argparse.Namespace) -> VerifyOptions:
    return VerifyOptions(
        check=language_options(arguments),
        join=arguments.join,
        backend=arguments.backend,
        select=tuple(arguments.select),
        limit=arguments.limit or ASSERT,
        timeout=arguments.timeout,
    )


def run(arguments: argparse.Namespace) -> ExitCode:
    if arguments.output == "sarif":
        raise UsageError("a session has no SARIF: use --format text or json")
    if arguments.file == "-" and arguments.commands == "-":
        raise UsageError("program and commands cannot both come from standard input")
    if arguments.commands is None and not stdout.is_read_from_terminal():
        tell(
            "pitviper: note: standard input is no terminal: commands are read from there, one a"
            " line (--commands SCRIPT reads a file)\n"
        )
    session = _open(arguments)
    lift()  # the session has all the time
    if session.debugger is None:
        return _tell_rejected(session, arguments)
    for crash in (*session.crashed, *session.late):
        tell(f"pitviper: {crash}\n")
    if not session.debugger.obligations:
        tell_if_nothing(session.front)
        if session.crashed or session.late:
            stdout.write_line("nothing has failed in the members that could be finished")
            return ExitCode.OUR_FAULT if session.crashed else ExitCode.UNDECIDED
        stdout.write_line("nothing failed: there is nothing to debug")
        return ExitCode.FINE
    _converse(session, arguments)
    return ExitCode.FINDINGS


def _open(arguments: argparse.Namespace) -> DebugSession:
    path = named(arguments.file)
    require_readable([path])
    if arguments.commands not in (None, "-"):
        require_readable([Path(arguments.commands)])
    return open_debugger(path, _options(arguments), library_folders(arguments))


def _tell_rejected(session: DebugSession, arguments: argparse.Namespace) -> ExitCode:
    page = stdout.page_for(arguments)
    front = session.front
    for problem in diagnosed(front, (*front.diagnostics, *session.rejected)):
        stdout.write(f"{problem_text(problem, page)}\n\n")
    return ExitCode.FINDINGS


def _converse(session: DebugSession, arguments: argparse.Namespace) -> None:
    writer = Writer(session, stdout.page_for(arguments), as_json=arguments.output == "json")
    if arguments.commands is None and stdout.is_read_from_terminal():
        writer.greet()
        writer.run(Prompt(session), echo=False)
    else:
        ran = writer.run(_script(arguments.commands), echo=True)
        if not ran:
            tell("pitviper: note: there was no command; `errors`, `show` or `help` is one\n")
            writer.run(("errors",), echo=False)


def _script(name: str | None) -> Iterator[str]:
    lines: Iterable[str]
    if name is None or name == "-":
        lines = sys.stdin or ()
    else:
        lines = Path(name).read_text(encoding="utf-8").splitlines()
    for line in lines:
        yield line.rstrip("\n")
