"""A wrong word on the command line is answered by the one that was meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.cli.main import main
from pitviper.results.exit_code import ExitCode


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list.vpr").write_text("method append(x: Int) { assert x == x }\n")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("verfy list.vpr", "there is no command verfy: did you mean `verify`?"),
        ("list.vpr", "say what to do with list.vpr: `pitviper verify list.vpr`"),
        ("help verify", "there is no command help: try `pitviper --help`"),
        ("frobnicate list.vpr", "there is no command frobnicate (see `pitviper --help`)"),
        ("verify --erors list.vpr", "there is no option --erors: did you mean --errors?"),
        ("verify --cache_size list.vpr", "there is no option --cache_size (see"),
        ("verify -j list.vpr", "there is no option -j: did you mean --jobs?"),
        ("--quiet verify list.vpr", "--quiet stands after the command"),
        ("counterexample list.vpr b.vpr", "too much is given: b.vpr"),
        ("verify --backend carbon list.vpr", "not carbon: did you mean vcg?"),
        ("verify --format xml list.vpr", "one of text, json, sarif is expected, not xml (see"),
        ("verify --select apend list.vpr", "named apend: did you mean append?"),
        ("explore --method apend list.vpr", "no method or function apend: did you mean append?"),
        ("verify lst.vpr", "cannot read lst.vpr: no such file: did you mean list.vpr?"),
        ("verify list", "cannot read list: no such file: did you mean list.vpr?"),
        ("verify other.vpr", "cannot read other.vpr: no such file\n"),
    ],
)
def test_what_was_meant(words: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code = main(words.split())
    except SystemExit as ended:
        assert isinstance(ended.code, int)
        code = ended.code
    shown = capsys.readouterr()
    assert code == ExitCode.USAGE
    assert told in shown.err


def test_names_that_there_are_are_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Up to ten, where none is alike."""
    members = [f"method m{n}() {{ assert true }}\n" for n in range(12)]
    (tmp_path / "many.vpr").write_text("".join(members))
    names = ", ".join([f"m{n}" for n in range(10)])
    for words in ("verify --select", "counterexample --select", "explore --method"):
        assert main([*words.split(), "zz", "many.vpr"]) == ExitCode.USAGE
        assert f" zz: there are {names} and 2 more\n" in capsys.readouterr().err


def test_an_unknown_ending_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file is read as Viper all the same."""
    for name, is_told in (("it.claims", True), ("plain", False), ("it.vpr", False)):
        (tmp_path / name).write_text("method m() { assert true }\n")
        assert main(["verify", name]) == ExitCode.FINE
        said = capsys.readouterr().err
        assert (
            said == f"pitviper: note: {name} is read as Viper: its programs end in .vpr\n" * is_told
        )


def test_no_command_at_all_shows_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == ExitCode.USAGE
    shown = capsys.readouterr()
    assert shown.err.startswith("usage: pitviper COMMAND")
    assert shown.err.endswith("\npitviper: error: no command is given\n")
    assert shown.out == ""


@pytest.mark.parametrize("word", ["-v", "-V", "--version"])
def test_the_version(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([word])
    assert ended.value.code == ExitCode.FINE
    assert capsys.readouterr().out.startswith("pitviper ")
