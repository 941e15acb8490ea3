"""Rows about programs that several contenders verified: cold, the suite, programs of front ends."""

from __future__ import annotations

import statistics

from rows import Result, Row, compared, cpu, factor, median_ratio, percentile, seconds
from warm_process import CRASHED

OURS = "this"
SILICON = "Silicon"

MEDIAN, WORST_TENTH, FRONT_ENDS = 20.0, 8.0, 8.0
"""How many times faster than Silicon we have to be."""


def rows(results: list[Result]) -> list[Row]:
    """The rows of the issue that compare us with Silicon."""
    cold = compared([r for r in results if r.mode == "cold"], SILICON, OURS)
    warm = compared([r for r in results if r.mode == "warm"], SILICON, OURS)
    programs = [r for r in warm if r.set in ("silver", "wild")]
    frontends = [r for r in warm if r.set == "frontends"]
    return [
        _median("one small program from the command line", cold, "Silicon cold", 15.0),
        _median("median program of suite and wild", programs, "Silicon warm", MEDIAN),
        _tail(programs),
        _total(frontends),
        _slowest(warm),
    ]


def _median(work: str, results: list[Result], against: str, needed: float) -> Row:
    asked = f"at least {needed:g} times faster"
    if not results:
        return Row(work, against, asked, "", None)
    ratio = median_ratio(results, SILICON, OURS)
    ours = statistics.median(seconds(results, OURS))
    theirs = statistics.median(seconds(results, SILICON))
    work_done = sum(cpu(results, SILICON)) / max(sum(cpu(results, OURS)), 0.01)
    said = (
        f"{factor(ratio)} (median of {len(results)}: {theirs:.2f} s against {ours:.3f} s;"
        f" processor time of all {factor(work_done)})"
    )
    return Row(work, against, asked, said, ratio >= needed)


def _tail(results: list[Result]) -> Row:
    """The ratio that nine of ten programs reach; beside it, times of large programs."""
    work, asked = "worst tenth of suite and wild", f"at least {WORST_TENTH:g} times faster"
    if not results:
        return Row(work, "Silicon warm", asked, "", None)
    times = [percentile(seconds(results, who), 0.9) for who in (SILICON, OURS)]
    worst = percentile([r.ratio(SILICON, OURS) for r in results], 0.1)
    said = f"{factor(worst)} (90th percentile of times: {times[0]:.2f} s against {times[1]:.2f} s)"
    return Row(work, "Silicon warm", asked, said, worst >= WORST_TENTH)


def _total(results: list[Result]) -> Row:
    work, asked = "programs of front ends, total", f"at least {FRONT_ENDS:g} times faster"
    if not results:
        return Row(work, "Silicon warm", asked, "", None)
    theirs, ours = sum(seconds(results, SILICON)), sum(seconds(results, OURS))
    used = sum(cpu(results, SILICON)) / max(sum(cpu(results, OURS)), 0.01)
    said = (
        f"{factor(theirs / ours)} ({len(results)} programs: {theirs:.0f} s against {ours:.0f} s;"
        f" processor time {factor(used)})"
    )
    return Row(work, "Silicon warm", asked, said, theirs >= FRONT_ENDS * ours)


def _slowest(results: list[Result]) -> Row:
    work, asked = "no program of suite, wild and front ends", "slower than Silicon"
    if not results:
        return Row(work, "Silicon warm", asked, "", None)
    nearest = sorted(results, key=lambda r: r.ratio(SILICON, OURS))[:3]
    ratios = [f"{_short(r.name)} {factor(r.ratio(SILICON, OURS))}" for r in nearest]
    said = f"the nearest of {len(results)}: {', '.join(ratios)} times as fast"
    return Row(work, "Silicon warm", asked, said, nearest[0].ratio(SILICON, OURS) >= 1.0)


def against_commit(results: list[Result], other: str) -> Row:
    """The same programs in the tree of another commit."""
    warm = compared([r for r in results if r.mode == "warm"], other, OURS)
    work, against = "all programs of the list, warm", f"commit {other}"
    if not warm:
        return Row(work, against, "not slower", "", None)
    ratio = sum(seconds(warm, other)) / sum(seconds(warm, OURS))
    used = sum(cpu(warm, other)) / max(sum(cpu(warm, OURS)), 0.01)
    median = median_ratio(warm, other, OURS)
    said = f"sum {ratio:.2f}, processor time {used:.2f}, median program {median:.2f} times as fast"
    return Row(work, against, "not slower", said, ratio >= 0.95)


def left_out(results: list[Result], names: list[str]) -> list[str]:
    """Programs that do not count, and why."""
    found = []
    for result in results:
        for name in names:
            timing = result.timings.get(name)
            if timing is not None and not result.decided_by(name):
                said = f"{name} {timing.verdict} after {timing.seconds:.1f} s"
                found.append(f"{result.mode}, {_short(result.name)}: {said}")
    return found


def crashed(results: list[Result]) -> list[str]:
    """What was asked and not answered: a mistake of this bench, or of a contender."""
    return [
        f"{result.mode}, {result.name}: {name}: {timing.details}"
        for result in results
        for name, timing in result.timings.items()
        if timing.verdict.startswith(CRASHED)
    ]


def different_verdicts(results: list[Result], names: list[str]) -> list[str]:
    """Where contenders disagree; a comparison of times is of less use there."""
    found = []
    for result in results:
        verdicts = {n: t.verdict for n, t in result.timings.items() if n in names}
        if result.decided_by(*verdicts) and len(set(verdicts.values())) > 1:
            said = ", ".join(f"{name} {verdict}" for name, verdict in verdicts.items())
            found.append(f"{result.mode}, {_short(result.name)}: {said}")
    return found


def _short(name: str) -> str:
    return name.rpartition("/")[2]
