"""`--seconds` is the time of a method, however many searches it takes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pitviper.base.record import replace
from pitviper.driver.explore.explore import FIRST_SHARE, Explorer, explore_loaded, first_share
from pitviper.driver.explore.host import Host
from pitviper.driver.explore.messages import Batch
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.front.frontend import load_text
from pitviper.driver.work.stop import Stop
from pitviper.engines.explore.options import Calls, ModelOptions, SearchOptions
from pitviper.engines.explore.report.summary import Summary
from pitviper.engines.explore.search.engine import Search
from pitviper.results.exploration import Claim, MethodExploration

TEXT = """
method called(n: Int) returns (r: Int) ensures r >= n { r := n }
method calls(n: Int) { var i: Int := 0; while (i < n) { i := called(i + 1) } }
method alone(n: Int) { var i: Int := 0; while (i < n) { i := i + 1 } }
"""
SECONDS, TAKEN = 400.0, 300.0
OPTIONS = ExploreOptions(search=SearchOptions(seconds=SECONDS, runs=5))


@pytest.mark.parametrize("workers", [0, 1])
def test_later_searches_have_what_earlier_ones_left(
    workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Searches end soon here, and pretend to have taken five minutes."""
    given: dict[str, list[float | None]] = {"calls": [], "alone": []}
    batches, nodes, result = Host.batches, Search.nodes, Summary.result

    def noted_batches(
        self: Host, method: str, stop: Stop, seconds: float | None, *part: Any
    ) -> Iterator[Batch]:
        given[method].append(seconds)
        return batches(self, method, stop, seconds, *part)

    def noted_nodes(self: Search) -> object:
        given["calls" if "calls" in self.entry else "alone"].append(self.seconds)
        return nodes(self)

    def slow(self: Summary, seconds: float) -> MethodExploration:
        return result(self, TAKEN)

    monkeypatch.setattr(Host, "batches", noted_batches)
    monkeypatch.setattr(Search, "nodes", noted_nodes)
    monkeypatch.setattr(Summary, "result", slow)
    explore_loaded(load_text(TEXT), replace(OPTIONS, workers=workers, methods=("calls", "alone")))
    assert given == {"calls": [FIRST_SHARE * SECONDS, SECONDS - TAKEN], "alone": [SECONDS]}


def test_a_search_without_time_leaves_its_method_open() -> None:
    program = load_text(TEXT).program
    assert program is not None
    explorer = Explorer(program, "a.vpr", OPTIONS)
    try:
        done = explorer.explore("alone", seconds=0.0)
    finally:
        explorer.close()
    assert done.claim is Claim.OPEN
    assert any("--seconds 400" in line for line in done.open)


def test_the_first_search_leaves_time_only_where_a_second_may_come() -> None:
    program = load_text(TEXT).program
    assert program is not None
    assert first_share("alone", program, OPTIONS) == SECONDS
    assert first_share("calls", program, OPTIONS) == FIRST_SHARE * SECONDS
    by_contract = replace(OPTIONS, model=ModelOptions(calls=Calls.CONTRACT))
    assert first_share("calls", program, by_contract) == SECONDS
    assert first_share("calls", program, ExploreOptions()) is None
