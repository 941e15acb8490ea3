"""From red into the run: stepping through failing inputs, tests kept, loops as they are."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import pitviper
from pitviper.base.usage_error import UsageError
from pitviper.cli.main import main
from pitviper.driver.explore.steps import walk_of_method
from pitviper.results.exploration import Claim

LOOPS = """method m(n: Int) returns (s: Int) requires 0 <= n && n < 30 {
  var i: Int := 0
  s := 0
  while (i < n) invariant 0 <= i {
    i := i + 1
    s := s + i
  }
  assert s <= 20
}
method fine(n: Int) returns (i: Int) requires 0 <= n && n < 5 {
  i := 0
  while (i < n) { i := i + 1 }
  assert i == n
}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "loops.vpr"
    path.write_text(LOOPS, encoding="utf-8")
    return path


@pytest.mark.parametrize("command", ["explore", "wizard"])
def test_one_option_leads_into_the_failing_run(
    command: str, file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("c\np s\nq\n"))

    assert main([command, "--step", "--method", "m", str(file)]) == 1
    out = capsys.readouterr().out
    assert "steps; ? for help." in out
    assert "s = 21" in out


def test_without_a_failing_run_there_is_nothing_to_step_through(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explore", "--step", "--method", "fine", str(file)]) == 0
    assert "nothing to step through" in capsys.readouterr().out


def test_the_wizard_keeps_tests_of_red_assertions(file: Path) -> None:
    folder = file.parent / "kept"

    assert main(["wizard", "--save-tests", str(folder), str(file)]) == 1
    (kept,) = folder.glob("*.json")
    done = pitviper.replay(kept)
    assert done.as_expected
    assert done.line == 8


def test_a_method_is_walked_through_without_a_kept_test(file: Path) -> None:
    assert walk_of_method(file, "m").ending.text.startswith("failed: ")
    assert walk_of_method(file, "fine").ending.text == "passed"
    with pytest.raises(UsageError):
        walk_of_method(file, "missing")


@pytest.mark.parametrize("loops", ["auto", "invariant"])
@pytest.mark.parametrize("workers", ["0", "1"])
def test_doubtful_failures_of_invariants_are_settled_by_the_loops_themselves(
    loops: str, workers: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explore", "--loops", loops, "--workers", workers, str(file)]) == 1
    out = capsys.readouterr().out
    assert "n = 6" in out
    assert f"{Claim.PROVED.value}  method fine" in out
    assert "doubtful: " not in out
