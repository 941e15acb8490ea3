"""A short search: the same whenever it is run, in whichever process."""

from __future__ import annotations

from pitviper.driver.fuzz.campaign import FuzzOptions, fuzz, run_case
from pitviper.results.fuzzing import Kind

MISTAKES = (Kind.WRONG, Kind.CRASH)


def test_a_case_is_the_same_whenever_it_is_run() -> None:
    assert run_case(11, 3) == run_case(11, 3)
    assert run_case(11, 3) != run_case(11, 4)


def test_a_short_search_finds_no_mistake() -> None:
    done = fuzz(FuzzOptions(seed=20, cases=6))
    assert done.cases == 6
    assert done.judged > 20
    assert done.oracles["symbolic against vcg"] > 20
    assert done.oracles["verifiers against the interpreter"] > 5
    assert [c.signature for c in done.contradictions if c.kind in MISTAKES] == []


def test_workers_find_what_one_process_finds() -> None:
    done = fuzz(FuzzOptions(seed=4, cases=4, jobs=2))
    alone = [run_case(4, number) for number in range(4)]
    assert done.judged == sum(sum(case.programs.values()) for case in alone)


def test_time_ends_a_search() -> None:
    done = fuzz(FuzzOptions(minutes=0.001, cases=1000))
    assert 0 < done.cases < 1000
