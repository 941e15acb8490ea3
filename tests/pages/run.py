"""Runs what pages of the documentation show: programs, commands with their output, Python.

A block ```viper title="NAME" is a file of that name. In a block ```console, each line that begins
with `$ ` is a command, the lines below it are what it prints; a line `...` stands for any lines,
and seconds may differ, as may the number of runs of a search that came to no end. A block
```python is a doctest if it has a prompt, else it is executed. All run in one folder for each page,
those in folded answers, too. `python -m tests.pages.run PAGE...` writes what commands print now
into the pages.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from pitviper.cli.main import main

ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(
    r"(?P<indent>^ *)```(?P<info>[^\n`]+)\n(?P<body>.*?)^(?P=indent)```$", re.M | re.S
)
_TITLE = re.compile(r'title="([^"]+)"')
_SECONDS = re.compile(r"\d+(\.\d+)? s\b")
_SLOW = re.compile(r"^(  (?:verified|refuted|undecided) .*) \(\d+\.\d s\)$", re.MULTILINE)
_RUNS = re.compile(r"\b\d+ runs(?=.*\n +open: )")
_SHELL = re.compile(r"[|<>;&$*`]|^(?!pitviper )")

Run = Callable[[str], str]
"""A command line to what it prints."""


def pages() -> list[Path]:
    """All pages whose commands are run."""
    docs = ROOT / "docs"
    found = [ROOT / "README.md", docs / "index.md"]
    for folder in ("tutorial", "howto", "reference", "explanation"):
        found += sorted((docs / folder).glob("*.md"))
    return [page for page in found if page.exists()]


class Mismatch(AssertionError):
    """A page says something else than what happens."""


def check_page(page: Path, run: Run | None = None) -> int:
    """Returns the number of commands and examples; Mismatch at the first that differs."""
    number = 0
    for command, expected, printed in _executed(page, run or typed):
        number += 1
        if not agrees(expected, printed):
            raise Mismatch(
                f"{page.name}: {command}\n--- expected\n{expected}--- printed\n{printed}"
            )
    return number


def update_page(page: Path) -> None:
    """Writes what commands print now into the page; what agrees stays as it is."""
    outputs = iter([one for one in _executed(page, typed) if not one[0].startswith(">>> ")])

    def shown(block: re.Match[str]) -> str:
        if block["info"] != "console":
            return block[0]
        indent = block["indent"]
        lines = ""
        for command, expected in commands_of(_body(block)):
            printed = next(outputs)[2]
            lines += f"$ {command}\n{expected if agrees(expected, printed) else printed}"
        end = "" if lines.endswith("\n") else "\n"
        return re.sub(r"^(?=.)", indent, f"```console\n{lines}{end}```", flags=re.MULTILINE)

    text = page.read_text(encoding="utf-8")
    page.write_text(_BLOCK.sub(shown, text), encoding="utf-8")


def agrees(expected: str, printed: str) -> bool:
    """Seconds may differ, and `...` in a line of its own stands for any lines."""
    wanted, got = (_timeless(text.strip("\n")) for text in (expected, printed))
    parts = re.split(r"^ *\.\.\.$", wanted, flags=re.MULTILINE)
    pattern = "(?:.|\n)*?".join(re.escape(part.strip("\n")) + "\n?" for part in parts)
    return re.fullmatch("\n*".join(["", pattern, ""]), got) is not None


def _timeless(text: str) -> str:
    """Without seconds; members that take long are shown with their time."""
    return _RUNS.sub("# runs", _SECONDS.sub("# s", _SLOW.sub(r"\1", text)))


def _executed(page: Path, run: Run) -> Iterator[tuple[str, str, str]]:
    """Gives each command with what the page says, and what it prints."""
    scope: dict[str, object] = {}
    with _folder(page):
        for block in _BLOCK.finditer(page.read_text(encoding="utf-8")):
            body = _body(block)
            kind, title = block["info"].split()[0], _TITLE.search(block["info"])
            if title is not None:
                file = Path(title[1])
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(body, encoding="utf-8")
            elif kind == "console":
                for command, expected in commands_of(body):
                    yield command, expected, run(command)
            elif kind == "python":
                yield _python(page, body, scope)


def _body(block: re.Match[str]) -> str:
    indent = len(block["indent"])
    return "".join(line[indent:] or "\n" for line in block["body"].splitlines(keepends=True))


def commands_of(body: str) -> list[tuple[str, str]]:
    """The commands of a block, each with the lines below it."""
    found: list[tuple[str, str]] = []
    for line in body.splitlines(keepends=True):
        if line.startswith("$ "):
            found.append((line[2:].rstrip("\n"), ""))
        else:
            assert found, f"a block begins with output: {line}"
            found[-1] = found[-1][0], found[-1][1] + line
    return found


def _python(page: Path, body: str, scope: dict[str, object]) -> tuple[str, str, str]:
    said = io.StringIO()
    if ">>> " not in body:
        with contextlib.redirect_stdout(said):
            exec(compile(body, page.name, "exec"), scope)
        return ">>> a block", "", ""
    examples = doctest.DocTestParser().get_doctest(body, scope, page.name, page.name, 0)
    doctest.DocTestRunner(verbose=False).run(examples, out=said.write, clear_globs=False)
    scope.update(examples.globs)
    return ">>> examples", "", said.getvalue()


@contextlib.contextmanager
def _folder(page: Path) -> Iterator[None]:
    """An empty folder with the examples, and an empty cache; the README is read in a clone."""
    before, cache = os.getcwd(), os.environ.get("PITVIPER_CACHE")
    with (
        tempfile.TemporaryDirectory(prefix="pitviper-page-") as folder,
        tempfile.TemporaryDirectory(prefix="pitviper-page-cache-") as remembered,
    ):
        (Path(folder) / "examples").symlink_to(ROOT / "examples")
        (Path(folder) / "docs").mkdir()
        os.chdir(folder)
        os.environ["PITVIPER_CACHE"] = remembered
        try:
            yield
        finally:
            os.chdir(before)
            os.environ.pop("PITVIPER_CACHE")
            if cache is not None:
                os.environ["PITVIPER_CACHE"] = cache


def typed(command: str) -> str:
    """What a command prints, both streams as they come; quick where no shell is needed."""
    if _SHELL.search(command):
        return _by_shell(command)
    said = io.StringIO()
    ended = contextlib.suppress(SystemExit)
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said), _environment(), ended:
        main(shlex.split(command)[1:])
    return said.getvalue()


SETTINGS = {"PITVIPER_DAEMON": "off", "NO_COLOR": "1", "COLUMNS": "80"}
"""For each command. Answers are remembered for a page, as for a reader who begins with it."""


@contextlib.contextmanager
def _environment() -> Iterator[None]:
    before = dict(os.environ)
    os.environ.update(SETTINGS)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _by_shell(command: str) -> str:
    """With `pitviper` being the one that is tested."""
    with tempfile.TemporaryDirectory() as folder:
        tool = Path(folder) / "pitviper"
        tool.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m pitviper "$@"\n')
        tool.chmod(0o755)
        path = os.pathsep.join([folder, os.environ.get("PATH", "")])
        environment = {**os.environ, **SETTINGS, "PATH": path, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            ["bash", "-c", command],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=300,
        )
    return done.stdout


if __name__ == "__main__":
    for name in sys.argv[1:]:
        update_page(Path(name).resolve())
