"""The process `pitviper`: what comes before a command is understood, and after it is done."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

QUICK = ("check", "format", "verify", "cache")
"""Commands that leave nothing to be tidied up but memory."""


def command() -> NoReturn:
    """Giving all memory back takes longer than some commands, so that is left out."""
    code = _by_daemon(sys.argv[1:])
    if code is None:
        from pitviper.cli.main import main

        code = main()
    observed = sys.getprofile() is not None or sys.gettrace() is not None
    if sys.argv[1:] and sys.argv[1] in QUICK and not observed:
        sys.stderr.flush()
        os._exit(code)  # standard output is flushed, or gone
    sys.exit(code)


def _by_daemon(argv: list[str]) -> int | None:
    """The exit code of a daemon that is there and does all of the work; None where none does.

    It understands the words as we would. What it cannot do by itself goes the usual way.
    """
    if argv[:1] != ["verify"] or {"-", "--profile", "--daemon"} & {*argv}:
        return None
    if os.environ.get("PITVIPER_DAEMON") == "off":
        return None
    from pitviper.servers.daemon.place import seems_there

    if not seems_there():
        return None
    from pitviper.servers.daemon.client import run_by_daemon

    code = run_by_daemon(argv, start=False)
    if code is None:
        os.environ["PITVIPER_DAEMON"] = "off"  # it was asked in vain: not a second time
    return code
