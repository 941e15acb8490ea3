"""Failures are told at the moment they are found, with small inputs, and once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pitviper.base.record import replace
from pitviper.cli.main import main
from pitviper.driver.explore.explore import explore_program
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.front.frontend import load_text
from pitviper.driver.work.stop import Stop
from pitviper.engines.explore.options import SearchOptions
from pitviper.results.exploration import FIRST_FOUND, ExploredRun, MethodExploration

FAILS_EARLY = """method m(a: Int, b: Int, n: Int)
{
  if (a > 3) { assert b != a + 2 }
  var i: Int := 0
  while (i < n) { i := i + 1 }
}
method other(x: Int) { assert x != 7 }
"""


class Heard(Stop):
    """Keeps what it hears, in order."""

    def __init__(self, *, first: bool = False) -> None:
        super().__init__()
        self.first = first
        self.events: list[str] = []
        self.runs: list[ExploredRun] = []

    def told(self, method: str, run: ExploredRun) -> None:
        self.events.append(f"{method} fails")
        self.runs.append(run)
        if self.first:
            self.enough(FIRST_FOUND)

    def tried(self, attempts: int) -> None:
        if self.events and self.events[-1] != "tried":
            self.events.append("tried")


def heard(text: str, stop: Heard, workers: int = 0) -> list[MethodExploration]:
    options = ExploreOptions(search=SearchOptions(runs=40), workers=workers)
    return list(explore_program(load_text(text, "p.vpr"), options, stop))


@pytest.mark.parametrize("workers", [0, 1, 2])
def test_a_failure_is_told_before_the_search_ends(workers: int) -> None:
    stop = Heard()
    first, _ = heard(FAILS_EARLY, stop, workers)
    assert stop.events[:2] == ["m fails", "tried"]
    assert any("--runs 40" in why for why in first.open)
    test = stop.runs[0].test
    assert test is not None
    assert dict(test.inputs)["a"] == "4"
    assert dict(test.inputs)["b"] == "6"


@pytest.mark.parametrize("workers", [0, 1])
def test_one_failure_can_be_enough(workers: int) -> None:
    stop = Heard(first=True)
    (done,) = heard(FAILS_EARLY, stop, workers)
    assert len(stop.runs) == 1
    assert done.certain_failures
    assert FIRST_FOUND in done.open
    assert done.left > 0


def test_what_was_told_is_what_the_report_shows() -> None:
    stop = Heard()
    first, second = heard(FAILS_EARLY, stop)
    shown = [replace(run, number=0, parent=0) for run in (*first.failures, *second.failures)]
    assert all(replace(run, number=0, parent=0) in shown for run in stop.runs)


def test_each_failure_is_written_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "p.vpr"
    program.write_text(FAILS_EARLY)
    assert main(["explore", "--runs", "40", str(program)]) == 1
    text = capsys.readouterr().out
    assert text.count("error[assert.failed") == 2
    assert text.index("b != a + 2") < text.index("fails   method m") < text.index("x != 7")

    assert main(["explore", "--runs", "40", "--format", "json", str(program)]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["kind"] for one in lines if one.get("method") == "other"] == [
        "failing-run",
        "explored-method",
    ]


def test_first_ends_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "p.vpr"
    program.write_text(FAILS_EARLY)
    assert main(["explore", "--first", str(program)]) == 1
    text = capsys.readouterr().out
    assert text.count("error[assert.failed") == 1
    assert f"skipped method other: {FIRST_FOUND}" in text


ENDLESS_FIRST = """method endless(n: Int) { var i: Int := 0  while (i < n) { i := i + 1 } }
method quick(x: Int) { assert x != 7 }
"""


@pytest.mark.parametrize("workers", [1, 2])
def test_a_search_without_end_keeps_no_failure_of_another_method_back(workers: int) -> None:
    stop = Heard(first=True)
    search = SearchOptions(runs=1 << 40, nodes=1 << 40, work=1 << 60, seconds=120.0)
    options = ExploreOptions(search=search, workers=workers)
    found = list(explore_program(load_text(ENDLESS_FIRST, "p.vpr"), options, stop))
    assert stop.events[0] == "quick fails"
    assert [done.method for done in found] == ["endless", "quick"]
    assert FIRST_FOUND in found[0].open
