"""The front end agrees with every program of the public suite, where the suite is at hand."""

from __future__ import annotations

import os
from pathlib import Path

from pitviper.driver.suite.lists import read_differences
from pitviper.driver.suite.programs import check_engine, find_programs
from pitviper.driver.suite.suite import check_only, run_suite
from pitviper.driver.work.tasks import Limits
from pitviper.results.suite import FAILURES
from tests.suite.location import SUITE, needs_suite

DIFFERENCES = Path(__file__).parent / "differences.toml"


@needs_suite
def test_check_only() -> None:
    differences = [d for d in read_differences(DIFFERENCES) if d.stage == "check"]
    programs = check_only(find_programs(SUITE, differences))
    limits = Limits(jobs=os.cpu_count() or 1, timeout=600.0)
    results = list(run_suite(programs, check_engine, limits))
    assert len(results) > 700
    assert {str(r.name): r.mismatches for r in results if r.status in FAILURES} == {}


def test_the_list_of_differences_can_be_read() -> None:
    assert all(difference.reason for difference in read_differences(DIFFERENCES))
