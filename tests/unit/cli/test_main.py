"""Exit codes, help, and what happens when something goes wrong outside the program."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pitviper.cli.commands import check as check_command
from pitviper.cli.main import COMMANDS, Terminated, main
from pitviper.results.exit_code import ExitCode
from pitviper.version import VERSION

COMMAND = [sys.executable, "-m", "pitviper"]


def exit_of(arguments: list[str]) -> object:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    return caught.value.code


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_of(["--version"]) == 0
    assert capsys.readouterr().out.startswith(f"pitviper {VERSION} (Z3 ")


@pytest.mark.parametrize("command", ["check", "format", "verify", "suite"])
def test_the_full_help_teaches(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_of([command, "--help-all"]) == 0
    text = capsys.readouterr().out
    assert f"  pitviper {command}" in text
    assert "examples:" in text
    assert "exit codes:" in text
    assert max(len(line) for line in text.split("\n")) <= 100


@pytest.mark.parametrize(
    "arguments",
    [
        ["chekc"],
        ["check"],
        ["check", "--unknown", "a.vpr"],
        ["check", "--format", "xml", "a.vpr"],
        ["format", "--check", "--diff", "a.vpr"],
        ["suite"],
        ["suite", "--jobs", "0", "."],
        ["suite", "--timeout", "nan", "."],
        ["suite", "--timeout", "-1", "."],
    ],
)
def test_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_of(arguments) == 2
    assert "pitviper: error: " in capsys.readouterr().err


@pytest.mark.parametrize("command", ["check", "format", "verify"])
def test_files_that_cannot_be_read_are_wrong_usage(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, str(tmp_path / "missing.vpr"), str(tmp_path)]) == ExitCode.USAGE
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "missing.vpr: no such file\n" in captured.err
    assert f"{tmp_path}: it is a folder, not a file\n" in captured.err


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(arguments: argparse.Namespace) -> ExitCode:
        raise ZeroDivisionError("our bug")

    monkeypatch.setattr(check_command, "run", fails)


@pytest.mark.usefixtures("broken")
def test_our_own_bugs_ask_for_a_report(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "a.vpr"]) == ExitCode.OUR_FAULT
    text = capsys.readouterr().err
    assert "internal error: ZeroDivisionError: our bug" in text
    assert "Traceback" not in text
    file = Path(text.split()[-1])
    assert "Traceback" in file.read_text()
    file.unlink()


@pytest.mark.usefixtures("broken")
def test_debug_prints_the_trace(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--debug", "a.vpr"]) == ExitCode.OUR_FAULT
    assert "Traceback" in capsys.readouterr().err


def test_an_interrupt_is_no_trace(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(arguments: argparse.Namespace) -> ExitCode:
        raise KeyboardInterrupt

    monkeypatch.setattr(check_command, "run", interrupted)
    assert main(["check", "a.vpr"]) == ExitCode.INTERRUPTED
    assert capsys.readouterr().err == "\npitviper: interrupted\n"


@pytest.mark.parametrize(
    ("ended", "code"),
    [(KeyboardInterrupt, ExitCode.INTERRUPTED), (Terminated, ExitCode.TERMINATED)],
)
def test_a_signal_while_a_class_is_made_is_no_bug_of_ours(
    ended: type[BaseException],
    code: ExitCode,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Python makes a RuntimeError of what an attribute raises that is told its name."""

    class Attribute:
        def __set_name__(self, *_: object) -> None:
            raise ended

    def interrupted(arguments: argparse.Namespace) -> ExitCode:
        type("Made", (), {"attribute": Attribute()})
        return ExitCode.FINE

    monkeypatch.setattr(check_command, "run", interrupted)
    assert main(["check", "a.vpr"]) == code
    assert "internal error" not in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("pause", [0.0, 0.02, 0.05, 0.1, 0.2, 0.5])
def test_a_real_interrupt_at_any_moment(pause: float) -> None:
    code = (
        "import sys\n"
        "class Alive:\n"
        "  def find_spec(self, name, *_):\n"
        "    if name == 'pitviper.cli.main': print('alive', flush=True)\n"
        "sys.meta_path.insert(0, Alive()); sys.argv = ['pitviper', 'check', '-']\n"
        "from pitviper.cli.start import command; command()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"alive\n"
        time.sleep(pause)  # it may be loading modules, or waiting: no moment is a wrong one
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=300)
    assert process.returncode == ExitCode.INTERRUPTED
    assert said == b"\npitviper: interrupted\n"


def test_nothing_is_loaded_before_interrupts_are_heard() -> None:
    """Until then Ctrl-C shows a trace; Python loads `os` itself when it starts."""
    code = (
        "import __future__, os, sys; before = {*sys.modules}; import pitviper.cli.start\n"
        "print(*sorted({*sys.modules} - before))"
    )
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], cwd=root, capture_output=True, text=True, check=True
    )
    assert all(name.startswith("pitviper") for name in done.stdout.split()), done.stdout


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_termination_ends_in_order(tmp_path: Path) -> None:
    """Whoever has something to tidy up is told by an exception."""
    code = (
        "import sys, time; sys.argv = ['pitviper', 'check', 'a']\n"
        "import pitviper.cli.commands.check as c\n"
        "def run(arguments):\n"
        "  try: print('alive', flush=True); time.sleep(60)\n"
        "  finally: print('tidied up', flush=True)\n"
        "c.run = run\n"
        "from pitviper.cli.start import command; command()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"alive\n"
        process.send_signal(signal.SIGTERM)
        out, said = process.communicate(timeout=300)
    assert process.returncode == ExitCode.TERMINATED
    assert (out, said) == (b"tidied up\n", b"")


@pytest.mark.skipif(os.name != "posix", reason="pipes")
def test_a_reader_that_goes_away_is_no_trace(tmp_path: Path) -> None:
    """The output is larger than a pipe holds, and nobody reads it."""
    file = tmp_path / "a.vpr"
    file.write_text("method m( { }\n" * 90)
    with subprocess.Popen(
        [*COMMAND, "check", *[str(file)] * 40], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        said = process.stderr.read()
    assert said == b""
    assert process.returncode == ExitCode.BROKEN_PIPE


def test_a_check_loads_no_solver_no_terminal_library_and_no_pool(tmp_path: Path) -> None:
    """They would cost more than the budget of a cold start."""
    file = tmp_path / "a.vpr"
    file.write_text("method m() { assert true }")
    code = (
        "import sys; from pitviper.cli.main import main; main(['check', sys.argv[1]]);"
        "heavy = {'rich', 'z3', 'multiprocessing', 'tempfile', 'platform'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(file)], capture_output=True, timeout=300, check=True
    )
    assert done.stdout.splitlines()[-1] == b"[]"


def test_the_options_of_all_commands_load_no_command() -> None:
    code = (
        "import sys; from pitviper.cli.main import COMMANDS, _parser; _parser(COMMANDS);"
        "print(' '.join(sorted(m for m in sys.modules if m.startswith('pitviper.'))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, timeout=300, check=True, text=True
    )
    rooms = {".".join(name.split(".")[:3]) for name in done.stdout.split()}
    assert "pitviper.cli.arguments" in rooms
    assert not rooms & {"pitviper.cli.commands", "pitviper.cli.options", "pitviper.cli.output"}
    assert not any(room.startswith(("pitviper.driver", "pitviper.views")) for room in rooms)


def test_each_command_has_options_and_a_file() -> None:
    folder = Path(check_command.__file__).parent
    for room, others in (("commands", set()), ("arguments", {"common"})):
        files = {path.stem for path in (folder.parent / room).glob("[!_]*.py")}
        assert files == {*COMMANDS, *others}


def test_characters_that_the_terminal_cannot_show(tmp_path: Path) -> None:
    file = tmp_path / "é.vpr"
    file.write_text("method m() { é }")
    done = subprocess.run(
        [*COMMAND, "check", str(file)],
        capture_output=True,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        timeout=300,
        check=False,
    )
    assert done.returncode == ExitCode.FINDINGS
    assert done.stderr == b""
    assert b"\\xe9" in done.stdout


def test_verify_loads_what_it_needs(tmp_path: Path) -> None:
    """Each of these takes milliseconds of every run; a known file needs no front end either."""
    file = tmp_path / "a.vpr"
    file.write_text("method m() { assert true }")
    code = (
        "import sys; from pitviper.cli.main import main;"
        "main(['verify', '--jobs', '1', '--cache', sys.argv[1], sys.argv[2]]);"
        "print(' '.join(sorted(sys.modules)))"
    )
    heavy = {"dataclasses", "inspect", "rich", "tempfile", "shutil", "socket", "traceback"}
    heavy |= {"subprocess", "difflib", "z3", "_hashlib", "pitviper.engines.symbolic.wands.package"}
    known = {"pitviper.syntax.tree", "pitviper.program.expr", "ctypes", "pitviper.terms.term"}
    known |= {"fractions", "unicodedata", "pitviper.results.exploration"}
    for unwanted in (heavy, heavy | known):
        done = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "cache"), str(file)],
            capture_output=True,
            env=os.environ | {"PITVIPER_DAEMON": "off"},
            timeout=300,
            check=True,
        )
        loaded = set(done.stdout.decode().splitlines()[-1].split())
        assert unwanted & loaded == set()
