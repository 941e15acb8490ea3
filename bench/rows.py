"""What a measurement says: results of programs, rows of the table, percentiles of many."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from warm_process import Timing

DECIDED = ("verified", "refuted", "rejected")


@dataclass(frozen=True, slots=True)
class Result:
    """One program in one mode, asked of all contenders in turn; `timings` by contender."""

    mode: str
    set: str
    name: str
    timings: dict[str, Timing]

    def decided_by(self, *names: str) -> bool:
        """A program that one of them did not decide says too little about a ratio."""
        timings = [self.timings.get(name) for name in names]
        return all(t is not None and t.verdict in DECIDED for t in timings)

    def ratio(self, theirs: str, ours: str) -> float:
        return self.timings[theirs].seconds / max(self.timings[ours].seconds, 1e-4)


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: `reached` is None where nothing could be measured."""

    work: str
    against: str
    needed: str
    measured: str
    reached: bool | None

    @property
    def cells(self) -> tuple[str, ...]:
        verdict = {True: "yes", False: "**no**", None: "not measured"}[self.reached]
        return self.work, self.against, self.needed, self.measured, verdict


def percentile(values: Sequence[float], part: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(part * (len(ordered) - 1)))]


def compared(results: list[Result], theirs: str, ours: str) -> list[Result]:
    return [r for r in results if r.decided_by(theirs, ours)]


def seconds(results: list[Result], who: str) -> list[float]:
    return [r.timings[who].seconds for r in results]


def cpu(results: list[Result], who: str) -> list[float]:
    """Ticks of the processor clock are a hundredth of a second: only sums say much."""
    return [r.timings[who].cpu_seconds for r in results]


def median_ratio(results: list[Result], theirs: str, ours: str) -> float:
    return statistics.median(r.ratio(theirs, ours) for r in results)


def factor(value: float) -> str:
    return f"{value:.1f}" if value < 100 else f"{value:.0f}"
