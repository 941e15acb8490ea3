"""A command that is given once more says what it would say: nothing else, and never too long."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

FINE = "method fine(x: Int) requires x > 0 { assert x != 0 }\n"
WRONG = "method wrong(x: Int) { assert x != 0 }\n"

COMMAND = (
    "import sys; sys.argv = ['pitviper', *sys.argv[1:]];"
    "from pitviper.cli import start;"
    "from os import _exit;"
    "start.os._exit = lambda code: (print('argparse' in sys.modules, file=sys.stderr),"
    " sys.stderr.flush(), _exit(code));"
    "start.command()"
)


class Terminal:
    """A folder with programs, and a cache of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = folder / "cache"

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)

    def verify(
        self, *words: str, variables: dict[str, str] | None = None, cwd: str = "."
    ) -> tuple[int, str, bool]:
        """Exit code, text without times, and whether it was known without understanding words."""
        done = subprocess.run(
            [sys.executable, "-c", COMMAND, "verify", *words],
            capture_output=True,
            text=True,
            cwd=self.folder / cwd,
            env=os.environ
            | {"PITVIPER_DAEMON": "off", "PITVIPER_CACHE": str(self.cache)}
            | (variables or {}),
            timeout=300,
            check=False,
        )
        assert done.stderr in ("True\n", "False\n")
        text = re.sub(r"\d+\.\d+ s", "T s", done.stdout)
        return done.returncode, text, done.stderr == "False\n"


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    made = Terminal(tmp_path)
    made.write("a.vpr", FINE)
    made.write("b.vpr", WRONG)
    return made


def test_the_third_time_is_as_the_second_would_have_been(terminal: Terminal) -> None:
    """With a word that is not kept, the second run tells what the cache of files knows."""
    code, _, known = terminal.verify("a.vpr", "b.vpr")
    assert (code, known) == (1, False)
    code, text, known = terminal.verify("a.vpr", "b.vpr", "--timeout", "600")
    assert not known
    again = terminal.verify("a.vpr", "b.vpr")
    assert again == (code, text, True)
    assert "2 remembered, T s" in text


def test_another_text_is_another_question(terminal: Terminal) -> None:
    assert terminal.verify("a.vpr")[0] == 0
    assert terminal.verify("a.vpr")[::2] == (0, True)
    terminal.write("a.vpr", WRONG)
    code, text, known = terminal.verify("a.vpr")
    assert (code, known) == (1, False)
    assert "wrong" in text
    terminal.write("a.vpr", FINE)
    assert terminal.verify("a.vpr")[0] == 0, "what was true then is true again"


def test_words_variables_and_folders_count(terminal: Terminal) -> None:
    terminal.verify("a.vpr")
    assert terminal.verify("a.vpr")[2]
    assert not terminal.verify("--quiet", "a.vpr")[2]
    assert not terminal.verify("a.vpr", variables={"NO_COLOR": "1"})[2]
    (terminal.folder / "inner").mkdir()
    terminal.write("inner/a.vpr", FINE)
    assert not terminal.verify("a.vpr", cwd="inner")[2]


@pytest.mark.parametrize(
    "words", [("--cache", "off"), ("--cache=off",), ("--timeout", "60"), ("--format", "json")]
)
def test_some_commands_are_always_carried_out(terminal: Terminal, words: tuple[str, ...]) -> None:
    for _ in range(2):
        assert not terminal.verify(*words, "a.vpr")[2]


def test_what_imports_is_looked_at(terminal: Terminal) -> None:
    terminal.write("c.vpr", 'import "a.vpr"\nmethod c() { assert true }\n')
    for _ in range(2):
        assert terminal.verify("c.vpr")[::2] == (0, False)
    terminal.write("a.vpr", WRONG)
    assert terminal.verify("c.vpr")[::2] == (1, False)


def test_a_folder_may_have_other_files_tomorrow(terminal: Terminal) -> None:
    (terminal.folder / "some").mkdir()
    terminal.write("some/a.vpr", FINE)
    for _ in range(2):
        assert terminal.verify("some")[::2] == (0, False)
    terminal.write("some/b.vpr", WRONG)
    assert terminal.verify("some")[0] == 1


def test_what_is_gone_is_missed(terminal: Terminal) -> None:
    terminal.verify("a.vpr")
    (terminal.folder / "a.vpr").unlink()
    done = subprocess.run(
        [sys.executable, "-m", "pitviper", "verify", "a.vpr"],
        capture_output=True,
        cwd=terminal.folder,
        env=os.environ | {"PITVIPER_DAEMON": "off", "PITVIPER_CACHE": str(terminal.cache)},
        timeout=300,
        check=False,
    )
    assert done.returncode == 2


def test_bytes_count_and_not_only_letters(terminal: Terminal) -> None:
    (terminal.folder / "a.vpr").write_bytes(b"\xef\xbb\xbf" + FINE.replace("\n", "\r\n").encode())
    terminal.verify("a.vpr")
    assert terminal.verify("a.vpr")[2], "a mark of the byte order and other line ends are kept"
    terminal.write("a.vpr", FINE)
    assert not terminal.verify("a.vpr")[2]


def test_an_undecided_program_is_tried_again(terminal: Terminal) -> None:
    terminal.write("hard.vpr", "method m(a: Int, b: Int, c: Int, n: Int) requires n > 2 && a > 0"
                   " && b > 0 && c > 0 { assert a*a*a + b*b*b != c*c*c }\n")  # fmt: skip
    first = terminal.verify("hard.vpr")
    assert first[0] in (1, 4)
    assert terminal.verify("hard.vpr")[2] is (first[0] == 1)
