"""The process `pitviper`: what comes before a command is understood, and after it is done.

It loads nothing that Python has not loaded: before `command` begins, Ctrl-C shows a trace.
"""

from __future__ import annotations

import _signal as signal
import io
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

QUICK = ("check", "format", "verify", "cache", "explain")
"""Commands that leave nothing to be tidied up but memory."""


BETWEEN_COLLECTIONS = 50_000
"""So many objects more than before make Python look for garbage; by itself it does after 700, some
twenty times before the first line of a program is read, when there is none."""


def end_at_once(*_: object) -> NoReturn:
    """What Ctrl-C does before a command has begun and after it is done: nothing is under way."""
    try:
        os.write(2, b"\npitviper: interrupted\n")
    finally:
        os._exit(130)


def interrupts_end_at_once() -> None:
    """From now on; a process that was told to ignore Ctrl-C goes on doing so."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, end_at_once)


def command() -> NoReturn:
    """Giving all memory back takes longer than some commands, so that is left out."""
    interrupts_end_at_once()
    _collect_seldom()
    _open_standard_files()
    _tell_errors_at_once()
    code = _by_daemon(sys.argv[1:])
    if code is None:
        code = _as_before(sys.argv[1:])
    if code is None:
        from pitviper.base.time_box import process_is_ours
        from pitviper.cli.main import main

        process_is_ours()
        code = main()
    observed = sys.getprofile() is not None or sys.gettrace() is not None
    is_quick = sys.argv[1:] and sys.argv[1] in QUICK and not observed
    if is_quick or _is_work_left_behind():
        sys.stderr.flush()
        os._exit(code)  # standard output is flushed, or gone
    sys.exit(code)


def _collect_seldom() -> None:
    import gc

    gc.set_threshold(BETWEEN_COLLECTIONS, *gc.get_threshold()[1:])


def _is_work_left_behind() -> bool:
    """Whether a thread goes on that was too late, which must not see the interpreter end."""
    deep = sys.modules.get("pitviper.base.deep_stack")
    return deep is not None and deep.is_work_left_behind()


def _open_standard_files() -> None:
    """Standard files that are closed lead to nowhere: a file that we open must not become one.

    Nothing can be read from a closed standard input: `sys.stdin` stays None.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, os.O_RDWR if number else os.O_WRONLY)
            os.set_inheritable(opened, True)  # noqa: FBT003
            if number:
                setattr(sys, name, open(number, "w", encoding="utf-8", closefd=False))  # noqa: SIM115


def _tell_errors_at_once() -> None:
    """Nothing that is said on standard error waits to be written.

    What could not be written would otherwise be tried again: where a process is forked, which fails
    then, and at the end of the interpreter, which makes 120 of any exit code.
    """
    said = sys.stderr
    if isinstance(said, io.TextIOWrapper) and isinstance(said.buffer, io.BufferedWriter):
        sys.stderr = io.TextIOWrapper(
            io.FileIO(2, "w", closefd=False),
            encoding=said.encoding,
            errors=said.errors,
            write_through=True,
        )


def tell(text: str) -> None:
    """On standard error, if somebody can hear it: the exit code says what matters, too."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except (OSError, ValueError):
        return


def _as_before(argv: list[str]) -> int | None:
    """The exit code of a command that has been given before, about files that are unchanged."""
    if argv[:1] != ["verify"]:
        return None
    from pitviper.cli.said import say_again

    return say_again(argv[1:])


def _by_daemon(argv: list[str]) -> int | None:
    """The exit code of a daemon that is there and does all of the work; None where none does.

    It understands the words as we would. What it cannot do by itself goes the usual way.
    """
    if argv[:1] != ["verify"] or {"-", "--profile", "--daemon", "--fix"} & {*argv}:
        return None
    if os.environ.get("PITVIPER_DAEMON") == "off":
        return None
    from pitviper.servers.daemon.place import is_ours_alone, seems_there

    if not seems_there() or any(map(is_ours_alone, argv)):
        return None
    from pitviper.servers.daemon.client import run_by_daemon

    code = run_by_daemon(argv, start=False)
    if code is None:
        os.environ["PITVIPER_DAEMON"] = "off"  # it was asked in vain: not a second time
    return code
