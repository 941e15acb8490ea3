"""Tests that exploration keeps: replayed, run by pytest, small, and honest about bad files."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import pitviper
from pitviper.cli.main import main
from tests.unit.engines.explore.exploring import explored, inputs_at
from tests.unit.engines.explore.kept import CALLS, failing_test, kept_tests

LARGE = """field next: Ref
field val: Int
method m(a: Int, b: Int, s: Seq[Int], x: Ref, y: Ref)
  requires acc(x.next) && acc(x.val) && |s| < 5
{
  if (a > b && |s| > 1) {
    assert s[1] < 3 || a < 2 || x.val > -4
  }
}
"""


def _pytest(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=300, check=False, cwd=folder
    )


def test_pytest_runs_what_was_kept(tmp_path: Path) -> None:
    program, folder = tmp_path / "p.vpr", tmp_path / "t"
    program.write_text("method m(a: Int)\n{\n  if (a > 3) {\n    assert a != 5\n  }\n}\n")
    assert main(["explore", "--save-tests", str(folder), str(program)]) == 1
    done = _pytest(folder)

    assert done.returncode == 1
    assert "1 failed, 2 passed" in done.stdout
    assert "assert.failed:assertion.false in line 4" in done.stdout

    program.write_text("method m(a: Int) requires a != 5\n{\n  assert a != 5\n}\n")
    done = _pytest(folder)
    assert done.returncode == 0
    assert "2 passed, 1 skipped" in done.stdout


def test_replay_ends_as_the_run_did(tmp_path: Path) -> None:
    for path in kept_tests(tmp_path, CALLS):
        replayed = pitviper.replay(path)
        assert replayed.as_expected
        assert not replayed.changed
        assert main(["replay", str(path)]) == 0


def test_a_changed_program_is_told_with_what_fails_now(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    test = failing_test(tmp_path, CALLS)
    (tmp_path / "p.vpr").write_text(CALLS.replace("x.f == 3", "x.f == 4"))
    assert main(["replay", str(test)]) == 1
    out = capsys.readouterr().out
    assert "method m: passed" in out
    assert "it was kept as: failed with assert.failed:assertion.false in line 11" in out
    assert "the program has another text than the one the test was made for" in out

    (tmp_path / "p.vpr").write_text(CALLS.replace("x.f := 3", "x.f := 3 / 0"))
    assert main(["replay", "--format", "json", str(test)]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["changed"] is True
    assert (told["id"], told["line"]) == ("assignment.failed:division.by.zero", 9)
    assert told["was"] == {
        "status": "failed",
        "id": "assert.failed:assertion.false",
        "line": 11,
    }


def test_sarif_has_what_fails_now(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "--format", "sarif", str(failing_test(tmp_path, CALLS))]) == 0
    (run,) = json.loads(capsys.readouterr().out)["runs"]

    assert [r["ruleId"] for r in run["results"]] == ["assert.failed:assertion.false"]


def test_limits_and_language_are_kept_with_a_test(tmp_path: Path) -> None:
    program, folder = tmp_path / "p.vpr", tmp_path / "t"
    program.write_text("method m(s: Seq[Int])\n{\n  assert |s| < 8\n}\n")
    assert main(["explore", "--size", "12", "--save-tests", str(folder), str(program)]) == 1
    (failing,) = [p for p in folder.glob("*.json") if "failed" in p.name]

    assert pitviper.replay(failing).as_expected


GOOD = {
    "pitviper-test": 1, "program": "p.vpr", "method": "m", "loops": "unroll", "calls": "inline",
    "expect": {"status": "passed", "finding": "", "line": 0}, "inputs": {}, "values": {},
    "tables": {},
}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pitviper-test": 7}, '"pitviper-test" is not 1'),
        ({"method": None}, '"method" is no text'),
        ({"method": "nobody"}, "has no method nobody, which the test is for"),
        ({"method": "abstract"}, "method abstract of"),
        ({"expect": []}, '"expect" is no object'),
        ({"expect": {"status": "passed"}}, '"expect.finding" is missing'),
        ({"loops": "maybe"}, "'maybe' is not a valid Loops"),
        ({"values": {"a": "much"}}, '"values.a" is no number and no truth value'),
        ({"values": {"a": [1]}}, '"values.a" is no number and no truth value'),
        ({"tables": {"f": {"entries": [3], "default": 0}}}, '"tables.f.entries" is no list'),
        ({"limits": [1, 2]}, '"limits" is no list of three numbers'),
        ({"program": "elsewhere.vpr"}, "elsewhere.vpr"),
        ({"program": "wrong.vpr"}, "is no accepted program: undec"),
    ],
)
def test_a_bad_test_gets_a_message(
    change: dict[str, object], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "p.vpr").write_text("method m() { }\nmethod abstract()\n")
    (tmp_path / "wrong.vpr").write_text("method m()\n{ x := 1 }\n")
    test = tmp_path / "t.json"
    test.write_text(json.dumps({**GOOD, **change}))

    for way in ([], ["--step"]):
        assert main(["replay", str(test), *way]) == 2
        told = capsys.readouterr().err
        assert told.startswith("pitviper: error: ")
        assert message in told


@pytest.mark.parametrize("text", ["", "{", "[]", "3", "{}", '{"a": ' * 100_000, "\udcff"])
def test_what_is_no_test_at_all_gets_a_message(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    test = tmp_path / "t.json"
    test.write_bytes(text.encode("utf-8", "surrogateescape"))

    assert main(["replay", str(test)]) == 2
    assert capsys.readouterr().err.startswith("pitviper: error: cannot use ")


def test_inputs_are_small() -> None:
    inputs = inputs_at(explored(LARGE), 7)

    assert inputs["a"] == "2"
    assert int(inputs["b"]) in (-1, 0, 1)
    assert inputs["s"] == "Seq(0, 3)"
    assert inputs["object1.val"] == "-4"
    objects = {word for value in inputs.values() for word in value.split() if "object" in word}
    assert objects == {"object1"}


def test_inputs_are_what_the_run_depends_on() -> None:
    text = """field f: Int
method m(x: Ref, y: Ref) returns (r: Int, s: Int)
  requires acc(x.f, 1/2) && acc(y.f, 1/2)
{
  var i: Int
  var j: Int := 3
  if (x != y) { var k: Int := 1 } else { var k: Bool := true }
  if (x == y && r == 4) {
    assert x.f > 0
  }
}
"""
    assert inputs_at(explored(text), 9) == {
        "x": "object1", "y": "object1", "object1.f": "0", "r": "4",
    }  # fmt: skip


def test_kept_tests_cover_what_the_runs_covered(tmp_path: Path) -> None:
    text = """method m(a: Int) returns (r: Int)
{
  if (a > 0) { r := 1 } else { r := 2 }
  if (a > 5) { r := 3 } else { r := 4 }
  if (a > 9) { r := 5 } else { r := 6 }
}
"""
    kept = [pitviper.replay(path).test for path in kept_tests(tmp_path, text)]

    found = [int(dict(test.inputs)["a"]) for test in kept]
    assert len(found) == 3
    sides = {(a > 0, "first") for a in found} | {(a > 5, "second") for a in found}
    assert len(sides | {(a > 9, "third") for a in found}) == 6
