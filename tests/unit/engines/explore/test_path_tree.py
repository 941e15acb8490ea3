"""The order of runs in a report depends on their paths alone."""

from __future__ import annotations

import itertools
import random

from pitviper.engines.explore.search.engine import FIRST
from pitviper.engines.explore.search.frontier import FRONTIERS, Entry, half_of
from pitviper.engines.explore.search.path_tree import arranged, side_name
from pitviper.solver.session import Path


def order(paths: list[str], runs: list[bool] | None = None) -> list[tuple[str, int]]:
    found = arranged(paths, runs or [True] * len(paths))
    return [(paths[p.index], p.parent) for p in found]


def test_short_paths_come_first_and_others_hang_below_them() -> None:
    assert order(["111", "10", "0", "110"]) == [("0", -1), ("10", 0), ("110", 1), ("111", 2)]


def test_what_was_not_run_comes_last() -> None:
    assert order(["1", "00", "01"], [False, True, True]) == [("00", -1), ("01", 0), ("1", 0)]


def test_a_path_that_another_one_continues() -> None:
    assert order(["0101", "01", "00"]) == [("00", -1), ("01", 0), ("0101", 1)]


def test_the_order_of_arrival_does_not_matter() -> None:
    paths = ["".join(bits) for bits in itertools.product("01", repeat=6)]
    expected = order(paths)
    shuffled = paths.copy()
    random.Random(1).shuffle(shuffled)

    assert order(shuffled) == expected
    assert [parent for _, parent in expected].count(-1) == 1
    for number, (path, parent) in enumerate(expected[1:], 1):
        assert parent < number
        assert path.startswith(_common(path, expected[parent][0]))


def _common(one: str, other: str) -> str:
    pairs = zip(one, other, strict=False)
    return "".join([a for a, _ in itertools.takewhile(lambda p: p[0] == p[1], pairs)])


def test_names_of_sides() -> None:
    assert side_name("1010", 1) == "11"
    assert side_name("1010", None) == "1010r"


def entry(number: int, bound: int) -> Entry:
    return Entry(number, 0, Path(), (), None, bound)


def test_half_of_the_work_is_in_few_entries() -> None:
    for make in FRONTIERS.values():
        frontier = make(0)
        for number in range(12):
            frontier.add(entry(number, number + 1))
        assert [e.bound for e in half_of(frontier)] == [1]
        assert sorted(e.bound for e in frontier) == list(range(2, 13))
        assert len(frontier) == 11
        assert sorted(frontier.next().number for _ in range(11)) == list(range(1, 12))


def test_half_of_many_alike_are_half_of_them() -> None:
    frontier = FRONTIERS["breadth-first"](0)
    for number in range(10):
        frontier.add(entry(number, 5))

    assert len(half_of(frontier)) == 5


def test_the_last_entry_is_kept() -> None:
    frontier = FRONTIERS["depth-first"](0)
    frontier.add(FIRST)

    assert half_of(frontier) == []
    assert len(frontier) == 1
