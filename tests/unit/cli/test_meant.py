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
        ("--quiet verify list.vpr", "--quiet stands behind the command"),
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
