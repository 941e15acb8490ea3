"""The command `pitviper`: chooses the sub-command and turns what can go wrong into exit codes."""

from __future__ import annotations

import argparse
import errno
import io
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from pitviper.base.time_box import time_box
from pitviper.base.usage_error import UsageError
from pitviper.cli.arguments import common
from pitviper.cli.arguments.verify import with_values
from pitviper.cli.start import end_at_once, tell
from pitviper.results.exit_code import EXPLANATION, ExitCode
from pitviper.source.reading import ENDINGS
from pitviper.version import VERSION

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

COMMANDS = (
    "check",
    "format",
    "verify",
    "explore",
    "replay",
    "wizard",
    "counterexample",
    "debug",
    "explain",
    "tour",
    "doctor",
    "suite",
    "fuzz",
    "cache",
    "daemon",
    "lsp",
    "serve",
    "report",
    "completion",
    "server",
    "dap",
    "mcp",
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
  pitviper serve                     all of this in the browser
  pitviper explain assert.failed     what does this id of an error mean?
  pitviper suite tests/              do annotated programs behave as annotated?
  pitviper tour                      the whole in ten minutes
  pitviper check --help              about one command

{EXPLANATION}"""


def main(argv: list[str] | None = None) -> int:
    """The exit code. Exceptions end here: the only place that catches bugs of ours."""
    _prepare_streams()
    given = with_values(sys.argv[1:] if argv is None else argv)
    if not given:
        tell(f"{_overview()}\npitviper: error: no command is given\n")
        return ExitCode.USAGE
    try:
        arguments, given = _understood(given)
    except OSError as error:  # a help that cannot be written
        return answer_to(error, debug=False)
    arguments.argv = given
    try:
        with time_box(_time_for(arguments)):
            code = _carried_out(arguments)
    except (KeyboardInterrupt, Terminated) as ended:
        return _ended_by(ended)
    except Exception as error:
        behind = _interrupt_behind(error)
        return answer_to(error, debug=arguments.debug) if behind is None else _ended_by(behind)
    return code


def _ended_by(ended: BaseException) -> ExitCode:
    if isinstance(ended, Terminated):
        return ExitCode.TERMINATED
    tell("\npitviper: interrupted\n")
    return ExitCode.INTERRUPTED


def _interrupt_behind(error: BaseException | None) -> BaseException | None:
    """The signal that became this error on its way: Python does that where a class is made."""
    while error is not None and not isinstance(error, KeyboardInterrupt | Terminated):
        error = error.__cause__ or error.__context__
    return error


TIMED = (
    "check", "format", "verify", "counterexample", "debug", "explore", "wizard", "replay", "report",
)  # fmt: skip
"""Commands whose option `--timeout` is for all that they do."""


def _time_for(arguments: argparse.Namespace) -> float | None:
    seconds: float | None = arguments.timeout if arguments.command in TIMED else None
    return None if getattr(arguments, "watch", False) else seconds


def _carried_out(arguments: argparse.Namespace) -> ExitCode:
    command = import_module(f"pitviper.cli.commands.{arguments.command}")
    with _interruptible():
        code = _run(command.run, arguments)
        if not sys.stdout.closed:  # a server closes it when its client says goodbye
            sys.stdout.flush()
    return code


def _run(
    command: Callable[[argparse.Namespace], ExitCode], arguments: argparse.Namespace
) -> ExitCode:
    """Runs a command; a folder stands for the programs inside it."""
    files, file = getattr(arguments, "files", ()), getattr(arguments, "file", None)
    arguments.given = files
    _tell_odd_endings(files if file is None else [str(file)])
    if any(map(os.path.isdir, files)):
        from pitviper.cli.folders import expanded  # seldom needed

        arguments.files = expanded(files, arguments.command)
    elif isinstance(file, str | os.PathLike) and os.path.isdir(file):
        from pitviper.cli.folders import for_each_program

        return for_each_program(arguments, command)
    return command(arguments)


def _tell_odd_endings(names: Iterable[str]) -> None:
    """A file may have any name, but one with the ending of something else may be something else."""
    for name in names:
        ending = os.path.splitext(name)[1]
        if ending and not name.endswith(ENDINGS) and os.path.isfile(name):
            from pitviper.languages.registry import language_of  # seldom needed

            if language_of(Path(name)) is None:
                tell(f"pitviper: note: {name} is read as Viper: its programs end in .vpr\n")


def _understood(given: list[str]) -> tuple[argparse.Namespace, list[str]]:
    """The arguments and the words they were read from, without options of other Viper tools."""
    parser = _parser(_asked_for(given))
    arguments, unknown = parser.parse_known_args(given)
    if not unknown:
        return arguments, given
    from pitviper.cli.foreign import translated  # seldom needed

    words, notes = translated(given)
    arguments, unknown = parser.parse_known_args(words)
    if unknown:
        from pitviper.cli.meant import of_options  # seldom needed

        chosen = sub_parsers(parser).get(arguments.command, parser)
        chosen.error(of_options(unknown, chosen))
    tell("".join(f"pitviper: note: {note}\n" for note in notes))
    return arguments, words


class Terminated(BaseException):
    """Somebody wants this process to end: what is under way leaves nothing behind."""


def _terminate(*_: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough
    raise Terminated


@contextmanager
def _interruptible() -> Iterator[None]:
    """Signals end what is under way in order; before and after it, the process alone (`start`)."""
    before = signal.getsignal(signal.SIGINT)
    if before is not end_at_once:
        yield
        return
    try:
        signal.signal(signal.SIGTERM, _terminate)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What is wrong with the place that is written to, not with us."""

NO_MORE = (errno.EMFILE, errno.ENFILE, errno.EAGAIN)
"""What the system does not give: descriptors, processes."""


def answer_to(error: Exception, *, debug: bool) -> ExitCode:
    """Tells what went wrong, and returns what that means."""
    match error:
        case UsageError():
            lines = [f"pitviper: error: {_plain(line)}" for line in str(error).split("\n")]
            tell("".join(map(_fitting, lines)))
            return ExitCode.USAGE
        case BrokenPipeError():
            _silence_stdout()
            return ExitCode.BROKEN_PIPE
        case OSError(errno=number) if number in NO_ROOM:
            _silence_stdout()
            where = error.filename or "standard output"
            tell(f"pitviper: error: cannot write {where}: {error.strerror}\n")
            return ExitCode.USAGE
        case FileNotFoundError() if not _is_somewhere():
            tell("pitviper: error: the current folder is gone\n")
            return ExitCode.USAGE
        case OSError(errno=number) if number in NO_MORE:
            tell(f"pitviper: error: the system refuses what is needed: {error.strerror}\n")
            return ExitCode.USAGE
        case MemoryError():
            tell(f"pitviper: error: {str(error) or 'out of memory'}\n")
            return ExitCode.UNDECIDED
    from pitviper.cli import crash

    tell(crash.describe(error, debug=debug))
    return ExitCode.OUR_FAULT


def _fitting(line: str) -> str:
    """The line with its end; on a terminal it is broken between words and not within them."""
    if not sys.stderr.isatty():
        return f"{line}\n"
    from pitviper.views.terminal.paragraph import COLUMNS, folded

    try:
        columns = os.get_terminal_size(sys.stderr.fileno()).columns or COLUMNS
    except OSError:
        columns = COLUMNS
    return "".join(f"{part}\n" for part in folded(line, columns))


def _is_somewhere() -> bool:
    """Whether there is a current folder: somebody may have removed it."""
    try:
        return bool(os.getcwd())
    except FileNotFoundError:
        return False


def _asked_for(given: list[str]) -> Iterable[str]:
    """The commands whose options a parser must know for these words: all of them take time."""
    if given and given[0] in COMMANDS:
        return given[:1]
    return () if given[:1] and given[0] in (*SHOW_VERSION, "--help", "-h") else COMMANDS


SHOW_VERSION = ("--version", "-V", "-v")


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, and where to read more, instead of all options.

    Its help is what fits a screen; `format_help` still has everything.
    """

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        from pitviper.cli.brief import brief_help  # only if somebody asks

        _, _, command = self.prog.partition(" ")
        text = brief_help(command, self.description or "") if command else _overview()
        (file or sys.stdout).write(text)

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """What was written is out before: at the end of the interpreter nobody answers errors."""
        sys.stdout.flush()
        super().exit(status, message)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Says what was meant by a command or by a value that is not there."""
        if action.choices is None or value in action.choices:
            return
        from pitviper.cli.meant import of_command, of_value  # seldom needed

        if isinstance(action, argparse._SubParsersAction):
            self.error(of_command(str(value), COMMANDS))
        raise argparse.ArgumentError(action, of_value(str(value), action.choices))

    def error(self, message: str) -> NoReturn:
        line = f"pitviper: error: {message} (see `{self.prog} --help`)"
        self.exit(ExitCode.USAGE, _fitting(line))


def _overview() -> str:
    from pitviper.cli.brief import FIRST, overview  # only if somebody asks

    return overview(tuple([name for name in COMMANDS if name not in dict(FIRST)]))


def _parser(names: Iterable[str]) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = _Parser(
        prog="pitviper",
        description="Checks, formats and verifies programs in the Viper language.",
        epilog=EPILOG,
        formatter_class=common.HelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(*SHOW_VERSION, action=_ShowVersion, nargs=0, help="versions, and end")
    _add_full_help(parser)
    commands = parser.add_subparsers(
        title="commands", dest="command", metavar="COMMAND", required=True, prog="pitviper"
    )
    for name in names:
        add_to: Callable[[common.Commands], None] = import_module(
            f"pitviper.cli.arguments.{name}"
        ).add_to
        add_to(commands)
        _add_full_help(commands.choices[name])
    return parser


def full_parser() -> argparse.ArgumentParser:
    """The parser that knows all options of all commands."""
    return _parser(COMMANDS)


def sub_parsers(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The parser of each command."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def _add_full_help(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--help-all", action=_ShowAll, nargs=0, help="show all of this, and end")


class _ShowAll(argparse.Action):
    """The help with all options, all examples and all exit codes."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        sys.stdout.write(parser.format_help())
        parser.exit()


class _ShowVersion(argparse.Action):
    """Finding out takes time, so that it is done when somebody asks."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        sys.stdout.write(f"{_version()}\n")
        parser.exit()


def _version() -> str:
    """With what answers depend on: the solver and the interpreter."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        solver = version("z3-solver")
    except PackageNotFoundError:
        solver = "missing"
    return f"pitviper {VERSION} (Z3 {solver}, Python {sys.version.split()[0]})"


def _prepare_streams() -> None:
    """A terminal that cannot show a character gets an escape instead of a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _plain(text: str) -> str:
    """The text with escapes for characters that a terminal would act on."""
    return "".join([c if c.isprintable() else ascii(c)[1:-1] for c in text])


def _silence_stdout() -> None:
    """The reader is gone: nothing more can be written, not even by the interpreter's exit."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    with suppress(OSError, ValueError):  # a test's standard output is no file
        os.dup2(nothing, sys.stdout.fileno())
