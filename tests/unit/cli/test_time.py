"""`--timeout` ends every command, whatever it waits for, and the rest is undecided."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pitviper.results.exit_code import ExitCode

COMMAND = [sys.executable, "-m", "pitviper"]
LATEST = 300.0
"""Seconds after which a test gives up; nothing here waits so long on any machine."""

COMMANDS = ("verify", "counterexample", "debug", "explore", "wizard")
OTHERS = ("check", "format --check", "report --html page.html")
"""They ask no solver, or tell nothing before their end."""

DEAF = """
import sys, time
from pitviper.solver.z3 import solver

def check(self, limit):
    while True:
        time.sleep(60)  # and no interrupt is heard

solver.Z3Solver.check = check
from pitviper.cli.start import command
command()
"""

PROGRAM = "method m(x: Int, y: Int) requires x > y { assert x * x > y }"


def ended(words: list[str], *more: str) -> tuple[int, str]:
    done = subprocess.run(
        [*words, *more],
        capture_output=True,
        text=True,
        timeout=LATEST,
        stdin=subprocess.DEVNULL,
        env={k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"},
    )
    return done.returncode, done.stdout + done.stderr


def require_undecided(code: int, said: str) -> None:
    assert code == ExitCode.UNDECIDED, said
    assert "time" in said
    assert "nothing failed" not in said
    assert "Traceback" not in said


@pytest.mark.parametrize("command", COMMANDS)
def test_a_solver_that_does_not_heed_an_interrupt(command: str, tmp_path: Path) -> None:
    file = tmp_path / "m.vpr"
    file.write_text(PROGRAM)
    require_undecided(*ended([sys.executable, "-c", DEAF], command, "--timeout", "0.5", str(file)))


@pytest.mark.parametrize("command", [*COMMANDS, *OTHERS, "replay"])
def test_an_input_that_nobody_writes(command: str, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.vpr"
    os.mkfifo(pipe)
    require_undecided(*ended(COMMAND, *command.split(), "--timeout", "0.5", str(pipe)))


@pytest.mark.parametrize("command", ["check", "verify"])
@pytest.mark.parametrize("name", ["pipe.vpr", "/dev/zero"])
def test_an_import_that_never_ends_is_the_mistake_of_its_author(
    command: str, name: str, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe.vpr")
    file = tmp_path / "m.vpr"
    file.write_text(f'import "{name}"\n{PROGRAM}')
    code, said = ended(COMMAND, command, str(file))
    assert code == ExitCode.FINDINGS
    assert "it is no file with a text" in said


def test_a_report_that_is_late_is_not_written(tmp_path: Path) -> None:
    file, page = tmp_path / "m.vpr", tmp_path / "page.html"
    file.write_text(PROGRAM)
    script = [sys.executable, "-c", DEAF, "report", "--html", str(page)]
    require_undecided(*ended(script, "--timeout", "0.5", str(file)))
    assert sorted(tmp_path.iterdir()) == [file]


def test_a_time_limit_is_not_for_the_walk_through_a_run() -> None:
    """Somebody may read for longer than the search took."""
    script = """
import argparse
from pitviper.base import time_box
from pitviper.cli.output.stepping import step_through
from pitviper.results.steps import Ending, Walk
time_box.process_is_ours()
with time_box.time_box(500.0):
    step_through(Walk((), Ending("passed"), lambda *_: None), argparse.Namespace())
    assert time_box.left_of(500.0) == 500.0
"""
    assert ended([sys.executable, "-c", script]) == (0, "The run has no step: passed\n")


def test_what_was_found_before_is_told(tmp_path: Path) -> None:
    """The box around a command keeps the lines that were written before."""
    script = """
import sys, time
from pitviper.base import time_box
time_box.process_is_ours()
with time_box.time_box(0.01):
    sys.stdout.write("found")
    time.sleep(600)
"""
    code, said = ended([sys.executable, "-c", script])
    assert code == ExitCode.UNDECIDED
    assert said.startswith("found")
    assert "the time for the run is over (0.01 s)" in said


def test_the_time_of_a_box_has_begun_with_it() -> None:
    script = """
from pitviper.base import time_box
time_box.process_is_ours()
assert time_box.left_of(7.0) == 7.0
with time_box.time_box(500.0):
    assert time_box.left_of(500.0) < 500.0
    assert time_box.left_of(7.0) == 7.0
    time_box.lift()
    assert time_box.left_of(500.0) == 500.0
"""
    assert ended([sys.executable, "-c", script]) == (0, "")


def test_the_time_of_a_command_has_begun_with_its_process() -> None:
    """However long modules take to load."""
    script = """
import time
time.sleep(0.5)  # as long as loading may take, and longer on a slow machine
from pitviper.base import time_box
time_box.process_is_ours()
with time_box.time_box(500.0):
    assert time_box.left_of(500.0) < 499.6, time_box.left_of(500.0)
"""
    assert ended([sys.executable, "-c", script]) == (0, "")


def test_numbers_longer_than_literals_can_be(tmp_path: Path) -> None:
    """Factors are limited to 4300 digits each, which their product is not."""
    nines = "9" * 4000
    file = tmp_path / "m.vpr"
    file.write_text(
        f"method m(x: Int) {{ var y: Int := {nines}\n y := y * {nines} * {nines}\n assert y < 0 }}"
    )
    for command in ("verify", "counterexample", "debug", "explore"):
        code, said = ended(COMMAND, command, str(file))
        assert code == ExitCode.FINDINGS, (command, said[:500])
    assert ended(COMMAND, "verify", "--backend", "vcg", str(file))[0] == ExitCode.FINDINGS
