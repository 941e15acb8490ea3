"""What a user sees when Pitviper itself is wrong."""

from __future__ import annotations

import platform
import sys
import tempfile
import traceback
from pathlib import Path

from pitviper.results.verdict import Crash
from pitviper.version import VERSION

LONGEST = 300
"""Characters of a headline: an exception may quote the program."""


def describe(error: Exception, *, debug: bool) -> str:
    """A short text; the trace follows it with `--debug`, and is in a file otherwise."""
    said = traceback.format_exception_only(error)[-1].strip()
    trace = "".join(traceback.format_exception(error))
    return _report(f"internal error: {said}", trace, debug=debug)


def describe_member(file: str, member: str, crash: Crash, *, debug: bool) -> str:
    """The same about one member; the others went on."""
    where = f"internal error in member {member} of {file}"
    return _report(f"{where}: {crash.said}", crash.trace, debug=debug)


def _report(headline: str, trace: str, *, debug: bool) -> str:
    about = f"pitviper {VERSION}, Python {platform.python_version()}, {sys.platform}"
    full = f"{about}\n{' '.join(sys.argv)}\n\n{trace}"
    first = f"pitviper: {headline[:LONGEST]}\n"
    request = "This is a bug in Pitviper, not in your program. Please report it"
    if debug:
        return f"{first}{request} with the text below.\n\n{full}"
    file = _kept(full)
    if file is None:
        return f"{first}{request}; run again with --debug for the details.\n"
    return f"{first}{request} with the file {file}\n"


def _kept(trace: str) -> Path | None:
    """The file with the trace; None where there is no place to write one."""
    try:
        with tempfile.NamedTemporaryFile(
            "w",
            prefix="pitviper-crash-",
            suffix=".txt",
            delete=False,
            encoding="utf-8",
            errors="backslashreplace",
        ) as file:
            file.write(trace)
    except OSError:
        return None
    return Path(file.name)
