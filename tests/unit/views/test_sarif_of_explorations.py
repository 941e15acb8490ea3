"""Exploration and wizard in SARIF: findings with inputs, open questions, rejected programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pitviper.cli.main import main

PROGRAM = """method fails(a: Int) { assert a != 5 }
method endless(n: Int)
  requires n > 0
{
  var i: Int := 0
  while (i < n) { i := i + 1 }
  assert i == n
}
"""


@pytest.mark.parametrize("command", ["explore", "wizard"])
def test_failures_and_open_questions(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.vpr"
    path.write_text(PROGRAM)
    code = main([command, "--runs", "5", "--format", "sarif", str(path)])

    (run,) = json.loads(capsys.readouterr().out)["runs"]
    errors = [r for r in run["results"] if r["level"] == "error"]
    still_open = [r for r in run["results"] if r.get("kind") == "open"]
    assert code == 1 and run["invocations"][0]["exitCode"] == 1
    assert [e["ruleId"] for e in errors] == ["assert.failed:assertion.false"]
    assert "a = 5" in errors[0]["message"]["text"]
    assert {r["locations"][0]["logicalLocations"][0]["name"] for r in still_open} == {"endless"}


@pytest.mark.parametrize("command", ["explore", "wizard"])
@pytest.mark.parametrize("form", ["json", "sarif"])
def test_a_rejected_program(
    command: str, form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.vpr"
    path.write_text("method m( {")

    assert main([command, "--format", form, str(path)]) == 1
    first = capsys.readouterr().out
    text = first.splitlines()[0] if form == "json" else first
    assert "parser.error" in json.dumps(json.loads(text))
