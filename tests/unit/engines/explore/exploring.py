"""Explores texts: what the tests of this folder share."""

from __future__ import annotations

from collections import Counter

from pitviper.driver.explore.explore import Explorer
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.front.frontend import load_text
from pitviper.engines.explore.options import ModelOptions, SearchOptions
from pitviper.engines.explore.runtime.run import NO_LIMITS, RunLimits
from pitviper.results.exploration import MethodExploration


def explored(
    text: str,
    method: str = "m",
    *,
    model: ModelOptions | None = None,
    frontier: str = "breadth-first",
    runs: int = 300,
    limits: RunLimits = NO_LIMITS,
    solver: int = 2_000_000,
) -> MethodExploration:
    front = load_text(text, "test.vpr")
    assert front.program is not None, front.errors
    options = ExploreOptions(
        methods=(method,),
        model=model or ModelOptions(),
        search=SearchOptions(frontier, runs, limits=limits, solver=solver),
    )
    explorer = Explorer(front.program, "test.vpr", options)
    try:
        return explorer.explore(method)
    finally:
        explorer.close()


def failed_lines(done: MethodExploration) -> list[int]:
    """Lines of certain failures, each once."""
    lines = Counter(r.finding.span.line for r in done.certain_failures if r.finding is not None)
    return sorted(lines)


def inputs_at(done: MethodExploration, line: int) -> dict[str, str]:
    """Inputs of the first failure in a line."""
    for run in done.certain_failures:
        if run.finding is not None and run.finding.span.line == line and run.test is not None:
            return dict(run.test.inputs)
    raise AssertionError(f"nothing fails in line {line}: {done.counts}")
