"""Narrow terminals: every command that draws ends as in a wide one, and shows no trace."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

WRONG = """field value: Int
predicate cell(this: Ref) { acc(this.value) }
method a_name_that_is_wider_than_the_terminal(this: Ref, by: Int)
  requires cell(this)
{
  unfold cell(this); this.value := this.value + by
  assert this.value > by || by == 0 || this.value < 100000000000000000000000000000000
  fold cell(this)
}
"""
COMMANDS = {
    "check": 0, "verify": 1, "verify --counterexample": 1, "verify --profile": 1,
    "explore --runs 30": 1, "counterexample": 1, "wizard --runs 30": 1, "debug": 1,
    "suite": 1, "format --diff": 1, "explain assert.failed": 0, "doctor": 0, "--help": 0,
}  # fmt: skip


@pytest.mark.parametrize("columns", [1, 20, 40])
@pytest.mark.parametrize("command", COMMANDS)
def test_exit_codes_are_those_of_a_wide_terminal(
    command: str, columns: int, tmp_path: Path
) -> None:
    (tmp_path / "wrong.vpr").write_text(WRONG)
    files = [] if command.split()[0] in ("explain", "doctor", "--help") else ["wrong.vpr"]
    code, shown = in_terminal(columns, [*command.split(), *files], tmp_path)
    assert code == COMMANDS[command], shown
    assert shown.strip()
    assert "Traceback" not in shown
    assert "internal error" not in shown


def test_a_bar_in_a_narrow_terminal(tmp_path: Path) -> None:
    """It appears after a second."""
    endless = "method m(n: Int) { var i: Int := 0 while (i < n) { i := i + 1 } }\n"
    (tmp_path / "endless.vpr").write_text(endless)
    limits = "--seconds 3 --runs 1000000 --nodes 1000000 --steps 1000000 --work 999999999999"
    code, shown = in_terminal(20, ["explore", *limits.split(), "endless.vpr"], tmp_path)
    assert code == 4
    assert "Traceback" not in shown


def in_terminal(columns: int, words: list[str], folder: Path) -> tuple[int, str]:
    """The exit code of a command in a terminal of that width, and all that it shows there."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES")}
    process = subprocess.Popen(
        [sys.executable, "-m", "pitviper", *words],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        cwd=folder,
        env={**environment, "TERM": "xterm"},
    )
    os.close(theirs)
    shown = all_of(ours)
    return process.wait(300), shown


def all_of(ours: int) -> str:
    """What is shown in a terminal until nobody has it open any more."""
    shown = b""
    while True:
        try:
            part = os.read(ours, 1 << 16)
        except OSError:  # nobody has it open any more
            break
        if not part:
            break
        shown += part
    os.close(ours)
    return shown.decode("utf-8", "replace")


def test_sentences_about_a_state_fit(tmp_path: Path) -> None:
    (tmp_path / "wrong.vpr").write_text(WRONG)
    for words in (["counterexample"], ["debug", "--commands", "script"]):
        (tmp_path / "script").write_text("help\nshow all\nerrors\nassert nobody_knows_this(by)\n")
        code, shown = in_terminal(80, [*words, "wrong.vpr"], tmp_path)
        assert code == 1
        tables = ("  this", "  by", "  held", "  --")
        for line in shown.replace("\r", "").split("\n"):
            bare = re.sub(r"\x1b\[[0-9;]*m", "", line)
            assert len(bare) <= 80 or bare.startswith(tables), bare


def test_the_debugger_starts_with_its_prompt(tmp_path: Path) -> None:
    """Its first answers are longer than the terminal: no pager takes what is typed."""
    (tmp_path / "wrong.vpr").write_text(WRONG)
    (tmp_path / "pager").write_text("#!/bin/sh\necho PAGED\ncat\n")
    (tmp_path / "pager").chmod(0o755)
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 5, 80, 0, 0))
    environment = {**os.environ, "PAGER": str(tmp_path / "pager"), "TERM": "xterm"}
    command = [sys.executable, "-m", "pitviper", "debug", "wrong.vpr"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdin=theirs, stdout=theirs, stderr=theirs, env=environment
    ) as process:
        os.close(theirs)
        os.write(ours, b"help\nquit\n")
        shown = all_of(ours)
        assert process.wait(120) == 1
    assert "(pitviper)" in shown
    assert "PAGED" not in shown


def test_errors_of_usage_are_broken_between_words(tmp_path: Path) -> None:
    (tmp_path / "wrong.vpr").write_text(WRONG)
    for words in ("verify --select nobody_at_all wrong.vpr", "verify --counterexamples wrong.vpr"):
        code, shown = in_terminal(60, words.split(), tmp_path)
        assert code == 2
        lines = shown.replace("\r", "").splitlines()
        errors = [line for line in lines if "wrong.vpr" not in line]
        assert len(errors) > 1 and max(map(len, errors)) <= 60
        assert errors[0].startswith("pitviper: error: ")
