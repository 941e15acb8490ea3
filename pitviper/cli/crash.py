"""What a user sees when Pitviper itself is wrong."""

from __future__ import annotations

import platform
import sys
import tempfile
import traceback
from pathlib import Path

from pitviper.version import VERSION


def describe(error: Exception, *, debug: bool) -> str:
    """A short text; the trace follows it with `--debug`, and is in a file otherwise."""
    trace = _trace(error)
    said = traceback.format_exception_only(error)[-1].strip()
    headline = f"pitviper: internal error: {said[:300]}\n"
    request = "This is a bug in Pitviper, not in your program. Please report it"
    if debug:
        return f"{headline}{request} with the text below.\n\n{trace}"
    file = _kept(trace)
    if file is None:
        return f"{headline}{request}; run again with --debug for the details.\n"
    return f"{headline}{request} with the file {file}\n"


def _trace(error: Exception) -> str:
    about = f"pitviper {VERSION}, Python {platform.python_version()}, {sys.platform}"
    return f"{about}\n{' '.join(sys.argv)}\n\n{''.join(traceback.format_exception(error))}"


def _kept(trace: str) -> Path | None:
    """The file with the trace; None where there is no place to write one."""
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="pitviper-crash-", suffix=".txt", delete=False, encoding="utf-8"
        ) as file:
            file.write(trace)
    except OSError:
        return None
    return Path(file.name)
