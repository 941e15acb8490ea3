"""`pitviper suite` on small suites of our own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pitviper.cli.commands import suite as suite_command
from pitviper.cli.main import main
from pitviper.results.exit_code import ExitCode
from tests.unit.driver.work.worker_functions import named_engine

FINE = "method m() { assert true }\n"
PROMISED = "method m() {\n  //:: ExpectedOutput(assert.failed:assertion.false)\n  assert false\n}\n"
ANNOTATED = "method m() {\n  //:: ExpectedOutput(typechecker.error)\n  assert x\n}\n"
IRREDUCIBLE = """\
method m(b: Bool) {
  if (b) { goto inner }
  label outer
  label inner
  if (b) { goto outer }
}
"""
WRONG = "method m() {\n  assert x\n}\n"


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    for name, text in {
        "a/fine.vpr": FINE,
        "a/promised.vpr": PROMISED,
        "b/annotated.vpr": ANNOTATED,
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_agreement(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suite", "--check-only", str(suite)]) == ExitCode.FINE
    assert "all 3 as expected, 3 programs in" in capsys.readouterr().out


def test_the_verifier_decides(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suite", "--jobs", "1", str(suite)]) == ExitCode.FINE
    assert "all 3 as expected" in capsys.readouterr().out
    (suite / "a/wrong.vpr").write_text("method m() { assert false }\n")
    assert main(["suite", "--jobs", "1", str(suite)]) == ExitCode.FINDINGS
    assert "1     -         assert.failed:assertion.false" in capsys.readouterr().out


def test_what_is_undecided_is_shown_and_agrees_with_nothing(
    suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (suite / "a/fine.vpr").write_text(IRREDUCIBLE)
    assert main(["suite", "--jobs", "1", str(suite)]) == ExitCode.UNDECIDED
    text = capsys.readouterr().out
    assert "1 of 3 undecided" in text
    assert "undecided: a/fine.vpr" in text
    assert "flow enters this loop past its head" in text


def test_verdicts_of_another_verifier(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (suite / "frontends.csv").write_text(
        "path,silicon_verdict\na/fine.vpr,ok\na/promised.vpr,ok\nb/annotated.vpr,timeout\n"
    )
    assert main(["suite", "--jobs", "1", str(suite)]) == ExitCode.FINDINGS
    text = capsys.readouterr().out
    assert "verified was expected, it is refuted" in text
    assert "1 of 2 differ" in text
    assert main(["suite", "--frontends", str(suite / "none.csv"), str(suite)]) == ExitCode.USAGE


def test_the_floor_is_written(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (suite / "b/wrong.vpr").write_text(WRONG)
    floor = suite / "floor.txt"
    assert main(["suite", "--check-only", "--write-floor", str(floor), str(suite)]) == 1
    assert floor.read_text().splitlines()[1:] == [
        "a/fine.vpr",
        "a/promised.vpr",
        "b/annotated.vpr",
    ]
    assert "1 of 4 differ" in capsys.readouterr().out


def test_mismatch(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (suite / "b/wrong.vpr").write_text(WRONG)
    assert main(["suite", "--check-only", str(suite)]) == ExitCode.FINDINGS
    text = capsys.readouterr().out
    assert "mismatch: b/wrong.vpr" in text
    assert "2     -         typechecker.error" in text
    assert "1 of 4 differ" in text


def test_differences_on_purpose(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (suite / "b/wrong.vpr").write_text(WRONG)
    listed = suite / "differences.toml"
    entry = '[[difference]]\npath = "b/wrong.vpr"\nreason = "so"\nstage = "{}"\n'
    listed.write_text(entry.format("check"))
    arguments = ["suite", "--check-only", "--differences", str(listed), str(suite)]
    assert main(arguments) == ExitCode.FINE
    assert "all 4 as expected" in capsys.readouterr().out
    listed.write_text(entry.format("verify"))
    assert main(arguments) == ExitCode.FINDINGS


def test_json(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (suite / "b/wrong.vpr").write_text(WRONG)
    assert main(["suite", "--check-only", "--json", str(suite)]) == ExitCode.FINDINGS
    *programs, summary = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {p["file"]: p["status"] for p in programs} == {
        "a/fine.vpr": "agrees",
        "a/promised.vpr": "agrees",
        "b/annotated.vpr": "agrees",
        "b/wrong.vpr": "mismatch",
    }
    assert summary["kind"] == "summary"
    assert (summary["judged"], summary["agreeing"]) == (4, 3)
    assert sorted(summary["folders"]) == ["a", "b"]


def test_sarif(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (suite / "b/wrong.vpr").write_text(WRONG)
    assert main(["suite", "--check-only", "--format", "sarif", str(suite)]) == 1
    (result,) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    assert result["ruleId"] == "suite.mismatch"
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 2


def test_no_suite(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suite", str(tmp_path / "missing")]) == ExitCode.USAGE
    assert main(["suite", str(tmp_path)]) == ExitCode.USAGE
    assert "no programs" in capsys.readouterr().err


def test_a_worker_that_is_killed_leaves_the_suite_undecided(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suite_command, "_engine", lambda arguments: named_engine)
    for name in ("fine", "killed"):
        (tmp_path / f"{name}.vpr").write_text("")
    assert main(["suite", "--jobs", "2", str(tmp_path)]) == ExitCode.UNDECIDED
    assert "the worker process ended with signal SIGKILL" in capsys.readouterr().out
    (tmp_path / "die.vpr").write_text("")
    assert main(["suite", "--jobs", "2", str(tmp_path)]) == ExitCode.FINDINGS


def test_programs_of_the_object_language_are_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "it.cool").write_text(
        "class C {\n  void m(int n) {\n    //:: ExpectedOutput(assert.failed:assertion.false)\n"
        "    assert n > 0;\n  }\n}\n"
    )
    assert main(["suite", str(tmp_path)]) == 0
    assert "all 1 as expected, 1 programs" in capsys.readouterr().out
