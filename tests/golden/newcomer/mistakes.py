"""Small mistakes with the edits that their messages suggest: `mistakes.txt` has one a paragraph.

`### name` begins a program, `~ 'old' ~> 'new'` is an edit of it that some help names. The messages
are in `mistakes_messages.txt`, written by `python -m tests.golden.newcomer`.
"""

from __future__ import annotations

import ast
import contextlib
import io
import os
import re
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pitviper.cli.main import main

HERE = Path(__file__).parent
MESSAGES = HERE / "mistakes_messages.txt"


class Mistake(NamedTuple):
    name: str
    program: str
    edits: tuple[tuple[str, str], ...]

    @property
    def mended(self) -> str:
        """The program behind all edits."""
        text = self.program
        for old, new in self.edits:
            assert old in text, (self.name, old)
            text = text.replace(old, new, 1)
        return text


@cache
def mistakes() -> tuple[Mistake, ...]:
    parts = re.split(r"^### (\w+)\n", (HERE / "mistakes.txt").read_text("utf-8"), flags=re.M)
    return tuple(_mistake(*each) for each in zip(parts[1::2], parts[2::2], strict=True))


def _mistake(name: str, text: str) -> Mistake:
    lines = text.splitlines(keepends=True)
    edits = [line[2:].strip().split(" ~> ") for line in lines if line.startswith("~ ")]
    read = [(ast.literal_eval(old), ast.literal_eval(new)) for old, new in edits]
    program = "".join([line for line in lines if not line.startswith("~ ")])
    return Mistake(name, program, tuple(read))


def said_of(name: str, program: str) -> str:
    """What `pitviper verify` prints about a program, without times and folders."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, f"{name}.vpr").write_text(program, encoding="utf-8")
        os.chdir(folder)
        try:
            with contextlib.redirect_stdout(io.StringIO()) as stream:
                main(["verify", "--color", "never", "--cache", "off", f"{name}.vpr"])
        finally:
            os.chdir(before)
        text = re.sub(r" \(\d+\.\d+ s\)", "", stream.getvalue())
        return text.replace(f"{Path(folder).resolve()}{os.sep}", "").replace(
            f"{folder}{os.sep}", ""
        )


@cache
def mistake_messages() -> str:
    """Each program with what is said about it."""
    return "\n".join([f"{m.program}\n{said_of(m.name, m.program)}" for m in mistakes()])
