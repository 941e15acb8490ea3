"""Programs of the public suite that agreed once go on agreeing.

The floor is written by `pitviper suite --write-floor tests/suite/floor.txt ../shared/suite/silver`,
that of the second verifier with `--backend vcg` into `floor-vcg.txt`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.driver.suite.lists import AGREEING, read_differences, read_floor
from pitviper.driver.suite.programs import Engine, find_programs, vcg_engine, verify_engine
from pitviper.driver.suite.suite import run_suite
from pitviper.driver.work.tasks import Limits
from tests.suite.location import SUITE, needs_suite

HERE = Path(__file__).parent
FLOOR = read_floor(HERE / "floor.txt")
FLOOR_VCG = read_floor(HERE / "floor-vcg.txt")
SAMPLE = 4
"""Of the floor of the second verifier, each so many programs run with every test."""
LIMITS = Limits(jobs=2, timeout=600.0)


def no_longer_agreeing(names: list[str], engine: Engine = verify_engine) -> dict[str, str]:
    """What has become of the named programs that do not agree."""
    differences = read_differences(HERE / "differences.toml")
    programs = {str(p.expectation.name): p for p in find_programs(SUITE / "silver", differences)}
    chosen = [programs[name] for name in names if name in programs]
    results = {str(r.name): r for r in run_suite(chosen, engine, LIMITS)}
    missing = {name: "missing" for name in names if name not in results}
    return missing | {
        name: f"{result.status.value} {[(m.fault.value, m.id, m.line) for m in result.mismatches]}"
        for name, result in results.items()
        if result.status not in AGREEING
    }


@needs_suite
def test_the_floor_holds() -> None:
    assert no_longer_agreeing([name for name, slow in FLOOR.items() if not slow]) == {}


@needs_suite
@pytest.mark.slow
def test_the_floor_holds_for_slow_programs() -> None:
    assert no_longer_agreeing([name for name, slow in FLOOR.items() if slow]) == {}


@needs_suite
def test_the_floor_of_the_second_verifier_holds_in_a_sample() -> None:
    quick = [name for name, slow in FLOOR_VCG.items() if not slow]
    assert no_longer_agreeing(quick[::SAMPLE], vcg_engine) == {}


@needs_suite
@pytest.mark.slow
def test_the_whole_floor_of_the_second_verifier_holds() -> None:
    assert no_longer_agreeing(list(FLOOR_VCG), vcg_engine) == {}


@pytest.mark.parametrize(("file", "floor"), [("floor.txt", FLOOR), ("floor-vcg.txt", FLOOR_VCG)])
def test_the_floor_is_a_list_without_doubt(file: str, floor: dict[str, bool]) -> None:
    lines = [line for line in (HERE / file).read_text().splitlines() if line[:1] != "#"]
    assert len(lines) == len(floor) > 500
    assert lines == sorted(lines, key=lambda line: Path(line.removesuffix(" slow")).parts)
