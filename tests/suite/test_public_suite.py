"""The front end agrees with every program of the public suite, where the suite is at hand."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pitviper.driver.engines import check_engine
from pitviper.driver.suite import check_only, run_suite
from pitviper.driver.suite_differences import read_differences
from pitviper.driver.suite_programs import find_programs
from pitviper.driver.worker_pool import Limits
from pitviper.results.suite import FAILURES

SUITE = Path(os.environ.get("PITVIPER_SUITE", "/work/shared/suite"))
DIFFERENCES = Path(__file__).parent / "differences.toml"


@pytest.mark.skipif(not SUITE.is_dir(), reason="the conformance suite is not on this machine")
def test_check_only() -> None:
    differences = [d for d in read_differences(DIFFERENCES) if d.stage == "check"]
    programs = check_only(find_programs(SUITE, differences))
    limits = Limits(jobs=os.cpu_count() or 1, timeout=60.0)
    results = list(run_suite(programs, check_engine, limits))
    assert len(results) > 700
    assert {str(r.name): r.mismatches for r in results if r.status in FAILURES} == {}


def test_the_list_of_differences_can_be_read() -> None:
    assert all(difference.reason for difference in read_differences(DIFFERENCES))
