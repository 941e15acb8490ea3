"""The terminal reports in docs/reports.md, made by running the command they show.

`python -m tests.golden.reports` writes them anew; a test compares.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
from pathlib import Path

from pitviper.cli.main import main

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "reports.md"

HEAD = """\
# What a report looks like

Captured from the programs in `examples/broken/` of a clone by `python -m tests.golden.reports`; a
test compares this page with what the command prints today. Every error has the place and the text
that other Viper tools give it, and below the place the part of it that fails.
"""

REPORTS = (
    (
        "A postcondition of which one half fails",
        "The whole clause is marked with `^`, the conjunct that might not hold with `-`.",
        "examples/broken/swap.vpr",
    ),
    (
        "Permission that is not there",
        "Two members with a mistake each: all of them are found in one run.",
        "examples/broken/list.vpr",
    ),
    (
        "What became of a permission",
        "The report names the decisions on the failing path, the step that took the permission\n"
        "away, and which permissions to the same field are held.",
        "examples/broken/account.vpr",
    ),
    (
        "Several errors in one method, and a warning",
        "After a failed check verification goes on as if it had held, so what depends on it is\n"
        "not reported again, and what is independent of it is.",
        "examples/broken/sum.vpr",
    ),
)


def page() -> str:
    """The whole document, with times left out."""
    return "\n".join([HEAD, *[_section(*report) for report in REPORTS]])


def _section(title: str, explanation: str, file: str) -> str:
    text = _output(["verify", "--color", "never", file])
    shown = re.sub(r"\(\d+\.\d+ s\)\.", "(... s).", re.sub(r" \(\d+\.\d s\)\n", "\n", text))
    command = f"$ pitviper verify {file}"
    return f"## {title}\n\n{explanation}\n\n```text\n{command}\n{shown}```\n"


def _output(arguments: list[str]) -> str:
    """What the command prints, run in the root of the project."""
    before = Path.cwd()
    os.chdir(ROOT)
    try:
        with contextlib.redirect_stdout(io.StringIO()) as stream:
            main(arguments)
    finally:
        os.chdir(before)
    return stream.getvalue()


if __name__ == "__main__":
    DOCUMENT.write_text(page(), encoding="utf-8")
