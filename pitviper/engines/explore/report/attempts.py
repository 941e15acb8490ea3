"""What a number of attempts adds up to, and each of them as plain data: both cross processes."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeVar

from pitviper.base.record import record
from pitviper.engines.explore.report.inputs import Recorder
from pitviper.engines.explore.runtime.ending import Site, Status
from pitviper.engines.explore.runtime.inputs import Assignment
from pitviper.engines.explore.runtime.run import Run
from pitviper.engines.explore.search.engine import Node
from pitviper.results.exploration import ExploredRun

K = TypeVar("K", bound=Hashable)

FINISHED = (Status.PASSED, Status.FAILED, Status.UNMET, Status.RETRY, Status.INFEASIBLE)
"""Ends that leave nothing open; all others are reasons against completeness."""

_DONE = {status.value for status in FINISHED}


@record
class Trace:
    """Where a run came by."""

    covered: tuple[Site, ...] = ()
    edges: tuple[tuple[str, int, int], ...] = ()
    reached: tuple[Site, ...] = ()
    failed: Site | None = None


def trace_of(run: Run | None) -> Trace:
    if run is None:
        return Trace()
    seen = run.coverage
    return Trace(
        tuple(seen.instructions),
        tuple(seen.edges),
        tuple(seen.reached),
        run.site,
    )


@record
class Repeatable:
    """All that is needed to make a run again; `path` is its name."""

    path: str
    values: Assignment
    given: int


@record
class Attempt:
    """One node of a search. `entry`, `path` and `sides` are as there; `run` has no number yet.

    `given` and `values` are enough to repeat the run. `values` is None where there was none, and
    where the test case of the run has them.
    """

    entry: str
    path: str
    run: ExploredRun
    sides: tuple[int | None, ...] = ()
    given: int = 0
    values: Assignment | None = None
    site: Site | None = None

    @property
    def has_run(self) -> bool:
        return self.values is not None or self.run.test is not None

    @property
    def assignment(self) -> Assignment | None:
        test = self.run.test
        return self.values if test is None else Assignment(test.values, test.tables)

    def repeatable(self) -> Repeatable:
        values = self.assignment
        assert values is not None
        return Repeatable(self.path, values, self.given)


def attempt_of(node: Node, recorder: Recorder) -> Attempt:
    run = recorder.record(node)
    values = node.assignment if node.run is not None and run.test is None else None
    given = 0 if node.run is None else node.run.path.given
    return Attempt(node.entry, node.path, run, node.sides, given, values, node.site)


class Tally:
    """Counts of runs by place and end, and reasons why they are not all."""

    def __init__(self, method: str) -> None:
        self.method = method
        self.counts: dict[str, int] = {}
        self.left = 0
        self.open: dict[str, None] = {}
        self.assumed: dict[Site, int] = {}
        """Assumptions in bodies of callees that were not met."""
        self.covered: dict[Site, int] = {}
        self.edges: dict[tuple[str, int, int], int] = {}
        self.reached: dict[Site, int] = {}
        self.failed: dict[Site, int] = {}

    def add(self, run: ExploredRun, trace: Trace) -> None:
        self.counts[run.status] = self.counts.get(run.status, 0) + 1
        if run.status not in _DONE:
            self.open[f"{run.status}: {run.detail}" if run.detail else run.status] = None
            self.left += 1
        for what in run.unjudged:
            self.open[what] = None
        if run.status == Status.UNMET.value and trace.failed is not None:
            self._note_assumption(trace.failed)
        _count(self.covered, trace.covered)
        _count(self.edges, trace.edges)
        _count(self.reached, trace.reached)
        if run.finding is not None and trace.failed is not None:
            _count(self.failed, (trace.failed,))

    def merge(self, other: Tally) -> None:
        """What another process counted."""
        _merge(self.counts, other.counts)
        self.left += other.left
        self.open.update(other.open)
        _merge(self.assumed, other.assumed)
        _merge(self.covered, other.covered)
        _merge(self.edges, other.edges)
        _merge(self.reached, other.reached)
        _merge(self.failed, other.failed)

    def _note_assumption(self, site: Site) -> None:
        """What the body of a callee assumes is none of the caller's promises."""
        is_member = " " not in site[0]
        if is_member and site[0] != self.method:
            _count(self.assumed, (site,))


def _count(counts: dict[K, int], keys: tuple[K, ...]) -> None:
    for key in keys:
        counts[key] = counts.get(key, 0) + 1


def _merge(counts: dict[K, int], more: dict[K, int]) -> None:
    for key, number in more.items():
        counts[key] = counts.get(key, 0) + number
