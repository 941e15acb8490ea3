"""Exit codes keep their meaning where standard files are closed or full, and names are no text."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pitviper.cli.crash import describe
from pitviper.cli.main import main
from pitviper.driver.cache.folder import own_folder
from pitviper.results.exit_code import ExitCode
from tests.unit.servers.rough import SLOW

COMMAND = [sys.executable, "-m", "pitviper"]
FILES = {
    "right.vpr": "method m(x: Int) requires x > 3 { assert x > 2 }\n",
    "wrong.vpr": "method m() { assert false }\n",
}
COMMANDS = ["check", "verify", "explore", "counterexample", "wizard", "debug", "suite"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def by_shell(redirections: str, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """As for most users, Python writes when it has much to write: here it may be told not to."""
    command = ["sh", "-c", f'exec "$@" {redirections}', "sh", *COMMAND, *words]
    environment = {**os.environ, "PYTHONUNBUFFERED": "", **more}
    return subprocess.run(
        command, capture_output=True, text=True, env=environment, stdin=subprocess.DEVNULL
    )


def expected(command: str, name: str) -> int:
    return 1 if name == "wrong.vpr" and command != "check" else 0


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("command", COMMANDS)
def test_closed_standard_files_change_no_exit_code(command: str, name: str) -> None:
    done = by_shell("<&- >&- 2>&-", command, name)
    assert done.returncode == expected(command, name)


@pytest.mark.parametrize("closed", ["<&-", "2>&-", "2>/dev/full"])
def test_one_closed_file_changes_nothing_of_the_rest(closed: str) -> None:
    usual, odd = by_shell("", "wizard", "wrong.vpr"), by_shell(closed, "wizard", "wrong.vpr")
    assert odd.returncode == usual.returncode == ExitCode.FINDINGS
    assert odd.stdout == usual.stdout


@pytest.mark.parametrize("command", ["check", "verify", "explore", "counterexample", "suite"])
def test_a_full_disk_is_no_bug_of_ours(command: str) -> None:
    done = by_shell(">/dev/full", command, "right.vpr")
    assert done.returncode == ExitCode.USAGE
    assert done.stderr == (
        "pitviper: error: cannot write standard output: No space left on device\n"
    )


@pytest.mark.parametrize("at_once", ["", "1"])
@pytest.mark.parametrize("words", [["--help"], ["--version"], ["verify", "--help-all"]])
def test_a_help_that_cannot_be_written_is_no_bug_of_ours(words: list[str], at_once: str) -> None:
    done = by_shell(">/dev/full", *words, PYTHONUNBUFFERED=at_once)
    assert done.returncode == ExitCode.USAGE
    assert done.stderr == (
        "pitviper: error: cannot write standard output: No space left on device\n"
    )


GONE = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"'


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["verify", "-"], ExitCode.FINDINGS, ""),
        (["explore", "-"], ExitCode.FINDINGS, ""),
        (["doctor"], ExitCode.FINE, ""),
        (["verify", "a.vpr"], ExitCode.USAGE, "cannot read a.vpr: no such file"),
        (["tour"], ExitCode.USAGE, "the current folder is gone"),
        (["mcp"], ExitCode.USAGE, "the current folder is gone"),
        (["serve", ".", "--port", "0", "--no-browser"], ExitCode.USAGE, "is gone"),
    ],
)
def test_a_current_folder_that_is_gone_is_no_bug_of_ours(
    words: list[str], code: ExitCode, said: str
) -> None:
    command = ["sh", "-c", GONE, "sh", *COMMAND, *words]
    done = subprocess.run(command, input=FILES["wrong.vpr"], capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr


HIRING = [
    ("verify --jobs 2", SLOW),
    ("explore --workers 2", FILES["wrong.vpr"]),
    ("wizard", FILES["wrong.vpr"]),
]
"""Commands that need processes for such a program."""


@pytest.mark.parametrize(("words", "text"), HIRING, ids=[words for words, _ in HIRING])
def test_too_few_descriptors_are_no_bug_of_ours(words: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / "hiring.vpr"
    file.write_text(text)
    command = ["sh", "-c", 'ulimit -n 8; exec "$@"', "sh", *COMMAND, *words.split(), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == ExitCode.USAGE, done.stderr
    assert "Too many open files" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_server_that_cannot_tell_its_port_says_why() -> None:
    done = by_shell(">/dev/full", "server", "--viper")
    assert done.returncode == ExitCode.USAGE
    assert done.stderr == (
        "pitviper: error: cannot write standard output: No space left on device\n"
    )


def test_tools_for_agents_that_cannot_answer_say_why() -> None:
    pytest.importorskip("mcp")
    hello = {
        "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-03-26", "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }  # fmt: skip
    command = ["sh", "-c", 'exec "$@" >/dev/full', "sh", *COMMAND, "mcp"]
    text = json.dumps(hello) + "\n"
    done = subprocess.run(command, capture_output=True, text=True, input=text)
    assert done.returncode == ExitCode.USAGE
    assert done.stderr == ("pitviper: error: cannot talk to the agent: No space left on device\n")


def without_files(*words: str) -> subprocess.CompletedProcess[str]:
    """A command on a machine where no file can grow, so that none can be made for a moment."""
    command = ["sh", "-c", 'ulimit -f 0; exec "$@"', "sh", *COMMAND, *words]
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)


@pytest.mark.parametrize("words", [["tour", "2"], ["server", "--viper"]])
def test_a_machine_without_room_for_temporary_files_is_told_so(words: list[str]) -> None:
    done = without_files(*words)
    assert done.returncode == ExitCode.USAGE
    assert done.stderr.startswith("pitviper: error: no temporary file can be written: ")


def test_pictures_and_profiles_need_no_temporary_files() -> None:
    profiled = without_files("verify", "--profile", "--cache", "off", "wrong.vpr")
    assert profiled.returncode == ExitCode.FINDINGS
    assert profiled.stderr == ""
    reported = without_files("report", "--html", "page.html", "wrong.vpr")
    assert reported.returncode == ExitCode.USAGE
    assert reported.stderr == "pitviper: error: cannot write page.html: File too large\n"


def test_a_log_that_cannot_grow_is_named(folder: Path) -> None:
    done = by_shell("", "verify", "--solver-log", "/dev/full", "wrong.vpr")
    assert done.returncode == ExitCode.USAGE
    assert done.stderr == "pitviper: error: cannot write /dev/full: No space left on device\n"
    done = by_shell("", "verify", "--solver-log", "no/such/log", "wrong.vpr")
    assert "cannot write no/such/log: No such file or directory" in done.stderr


@pytest.mark.parametrize("at_once", ["", "1"])
@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("verify none.vpr", ExitCode.FINE),
        ("verify --jobs 2 none.vpr wrong.vpr", ExitCode.FINDINGS),
        ("wizard none.vpr", ExitCode.FINE),
        ("wizard wrong.vpr", ExitCode.FINDINGS),
        ("explore none.vpr", ExitCode.UNDECIDED),
        ("explain nothing.of.the.kind", ExitCode.USAGE),
        ("no-such-command", ExitCode.USAGE),
        ("debug no-such-file.vpr", ExitCode.USAGE),
    ],
)
def test_a_word_that_nobody_hears_changes_no_exit_code(
    folder: Path, words: str, code: ExitCode, at_once: str
) -> None:
    (folder / "none.vpr").write_text("// nothing\n")
    for place in ("2>/dev/null", "2>/dev/full"):
        said = by_shell(place, *words.split(), PYTHONUNBUFFERED=at_once)
        assert (place, said.returncode) == (place, code)


@pytest.mark.parametrize("words", ["tour 2", "--help", "check wrong.vpr", "wizard wrong.vpr"])
def test_a_full_disk_that_nobody_can_be_told_of(words: str) -> None:
    assert by_shell(">/dev/full 2>/dev/full", *words.split()).returncode == ExitCode.USAGE


def test_what_a_solver_says_to_nobody_changes_no_exit_code(folder: Path) -> None:
    """A profile reads standard error, and passes on what others have written there."""
    (folder / "both.vpr").write_text(f"{FILES['wrong.vpr']}method n(x: Int) {{ assert x > 0 }}\n")
    for program in ("right.vpr", "both.vpr"):
        usual = by_shell("", "verify", "--profile", program).returncode
        assert by_shell("2>/dev/full", "verify", "--profile", program).returncode == usual


@pytest.mark.parametrize("home", ["", "not/absolute"])
def test_a_home_that_is_none_leaves_nothing_in_the_folder(home: str, folder: Path) -> None:
    before = sorted(os.listdir(folder))
    cache = {"PITVIPER_CACHE": "", "XDG_CACHE_HOME": str(folder.parent / "elsewhere")}
    done = by_shell("", "verify", "wrong.vpr", HOME=home, **cache)
    assert done.returncode == ExitCode.FINDINGS
    assert sorted(os.listdir(folder)) == before


@pytest.mark.parametrize("home", ["", "not/absolute"])
def test_a_user_without_home_has_no_cache(home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", home)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr("os.path.expanduser", lambda path: path)  # as for an unknown user
    assert own_folder("XDG_CACHE_HOME", ".cache") is None


@pytest.mark.parametrize(
    "command", ["verify", "counterexample", "wizard", "suite", "report --html page.html"]
)
def test_an_address_space_of_512_megabytes_is_enough(command: str) -> None:
    limited = ["sh", "-c", 'ulimit -v 524288; exec "$@"', "sh", *COMMAND]
    words = [*limited, *command.split(), "wrong.vpr"]
    done = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == (0 if "report" in command else ExitCode.FINDINGS), done.stderr


NAME = os.fsdecode(b"na\xffme.vpr")


@pytest.mark.parametrize("command", ["check", "verify", "explore", "wizard", "suite"])
@pytest.mark.parametrize("form", ["text", "json", "sarif"])
def test_names_that_are_no_text(command: str, form: str, folder: Path) -> None:
    (folder / NAME).write_text(FILES["wrong.vpr"])
    done = by_shell("", command, "--format", form, NAME)
    assert done.returncode == expected(command, "wrong.vpr"), done.stderr
    if form == "sarif":
        log = json.loads(done.stdout)
        uris = [
            place["physicalLocation"]["artifactLocation"]["uri"]
            for result in log["runs"][0]["results"]
            for place in result["locations"]
        ]
        assert set(uris) <= {"na%FFme.vpr"}


def test_files_about_names_that_are_no_text(folder: Path) -> None:
    (folder / NAME).write_text(FILES["wrong.vpr"])
    wanted = ["--html", "a.html", "--lcov", "a.lcov", "--cobertura", "a.xml"]
    explored = by_shell("", "explore", *wanted, "--save-tests", "tests", NAME)
    assert explored.returncode == ExitCode.FINDINGS, explored.stderr
    assert by_shell("", "wizard", "--html", "w.html", NAME).returncode == ExitCode.FINDINGS
    assert by_shell("", "verify", "--solver-log", "a.smt2", NAME).returncode == ExitCode.FINDINGS
    reported = by_shell("", "report", "--html", "r.html", NAME)
    assert reported.returncode == 0, reported.stderr
    for name in ("a.html", "a.lcov", "a.xml", "w.html", "a.smt2", "r.html"):
        assert (folder / name).read_text(encoding="utf-8")
    tests = [str(path) for path in (folder / "tests").glob("*.json")]
    replayed = by_shell("", "replay", *tests)
    assert replayed.returncode == 0, replayed.stderr  # they still fail as they did


def test_a_crash_report_about_names_that_are_no_text(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["pitviper", NAME])
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    said = describe(ValueError(NAME), debug=False)
    kept = Path(said.split()[-1])
    assert "na\\udcffme.vpr" in kept.read_text(encoding="utf-8")


def test_a_very_long_import_is_the_mistake_of_its_author(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "a.vpr").write_text(f'import "{"a" * 5000}.vpr"\n')
    assert main(["verify", "a.vpr"]) == ExitCode.FINDINGS
    assert "file name too long" in capsys.readouterr().out
