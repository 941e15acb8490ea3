"""What `pitviper verify` says about mistakes of newcomers: one program each, one text of messages.

`python -m tests.golden.newcomer` writes `messages.txt` anew; a test compares, reviewers read it.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
from pathlib import Path

from pitviper.cli.main import main

HERE = Path(__file__).parent
MESSAGES = HERE / "messages.txt"


def programs() -> list[Path]:
    return sorted(HERE.glob("*.vpr"))


def messages() -> str:
    """The report about each program, without the programs that are correct."""
    return "\n".join([report for program in programs() if (report := said(program))])


def said(program: Path) -> str:
    """What is said about one program, without times; empty where it verifies without a word."""
    before = Path.cwd()
    os.chdir(HERE)
    try:
        with contextlib.redirect_stdout(io.StringIO()) as stream:
            main(["verify", "--color", "never", "--cache", "off", program.name])
    finally:
        os.chdir(before)
    text = re.sub(r" \(\d+\.\d+ s\)", "", stream.getvalue()).replace(f"{HERE}{os.sep}", "")
    return text if "error[" in text or "warning[" in text or "undecided" in text else ""
