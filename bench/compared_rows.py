"""Rows about programs that several contenders verified: cold, the suite, programs of front ends."""

from __future__ import annotations

import statistics

from rows import Result, Row, compared, cpu, factor, median_ratio, percentile, seconds

OURS = "this"
SILICON = "Silicon"


def rows(results: list[Result]) -> list[Row]:
    """The rows of the issue that compare us with Silicon."""
    cold = compared([r for r in results if r.mode == "cold"], SILICON, OURS)
    warm = compared([r for r in results if r.mode == "warm"], SILICON, OURS)
    silver = [r for r in warm if r.set == "silver"]
    frontends = [r for r in warm if r.set == "frontends"]
    found = [_median("one small program from the command line", cold, "Silicon cold", 15.0)]
    found.append(_median("median program of the suite", silver, "Silicon warm", 2.0))
    found.append(_tail(silver))
    found += _total(frontends)
    return found


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
    work, asked = "90th percentile of the suite", "at least 1.0"
    if not results:
        return Row(work, "Silicon warm", asked, "", None)
    times = [percentile(seconds(results, who), 0.9) for who in (SILICON, OURS)]
    worst = percentile([r.ratio(SILICON, OURS) for r in results], 0.1)
    ratio = times[0] / times[1]
    said = f"{factor(ratio)} ({times[0]:.2f} s against {times[1]:.2f} s; worst tenth of ratios"
    reached = ratio >= 1.0 and worst >= 1.0
    return Row(work, "Silicon warm", asked, f"{said} {factor(worst)})", reached)


def _total(results: list[Result]) -> list[Row]:
    work, against = "programs of front ends, total", "Silicon warm"
    none = "no program of front ends"
    if not results:
        return [Row(work, against, "at least 1.0", "", None), Row(none, against, "", "", None)]
    theirs, ours = sum(seconds(results, SILICON)), sum(seconds(results, OURS))
    used = sum(cpu(results, SILICON)) / max(sum(cpu(results, OURS)), 0.01)
    said = f"{factor(theirs / ours)} ({len(results)} programs: {theirs:.0f} s against {ours:.0f} s;"
    total = Row(
        work, against, "at least 1.0", f"{said} processor time {factor(used)})", theirs >= ours
    )
    slowest = min(results, key=lambda r: r.ratio(SILICON, OURS))
    ratio = slowest.ratio(SILICON, OURS)
    nearest = f"the slowest in comparison is {factor(ratio)} times as fast: {_short(slowest.name)}"
    return [total, Row(none, against, "more than 4 times slower", nearest, ratio >= 0.25)]


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
