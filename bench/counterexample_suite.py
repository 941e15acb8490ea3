"""Counterexamples over all programs of a suite that are annotated as failing: how sure are they?

    python bench/counterexample_suite.py SUITE [--sample N] [--seed S] [--list]

One line for each kind of answer, counted in failed checks and in programs (a program counts for the
best answer about any of its checks). `--list` names every check without a confirmed instance.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from pitviper.base.usage_error import UsageError
from pitviper.counterexample.options import CounterexampleOptions
from pitviper.driver.counterexample.search import counterexamples
from pitviper.driver.verify.options import VerifyOptions
from pitviper.results.counterexample import Absence, Counterexample, Result, Standing

KINDS = (*[s.value for s in Standing], *[a.value for a in Absence])
MARKS = ("//:: ExpectedOutput(", "//:: UnexpectedOutput(")


@dataclass
class Tally:
    checks: Counter[str] = field(default_factory=Counter)
    programs: Counter[str] = field(default_factory=Counter)
    open: list[str] = field(default_factory=list)
    seconds: list[tuple[float, str]] = field(default_factory=list)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suite", type=Path)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    paths = failing_programs(arguments.suite)
    if arguments.sample is not None:
        paths = random.Random(arguments.seed).sample(paths, min(arguments.sample, len(paths)))
    tally = Tally()
    for path in paths:
        judge(path, tally)
    report(tally, len(paths), listed=arguments.list)


def failing_programs(suite: Path) -> list[Path]:
    return [
        path
        for path in sorted(suite.rglob("*.vpr"))
        if any(mark in path.read_text(errors="replace") for mark in MARKS)
    ]


def judge(path: Path, tally: Tally) -> None:
    began = time.perf_counter()
    try:
        results = counterexamples(path, CounterexampleOptions(), VerifyOptions(timeout=30)).results
    except UsageError as error:
        tally.open.append(f"{path}: {error}")
        return
    except Exception as error:
        tally.open.append(f"{path}: {type(error).__name__}: {error}")
        tally.checks["error of ours"] += 1
        return
    lasted = time.perf_counter() - began
    tally.seconds.append((lasted, path.name))
    for result in results:
        tally.checks[kind_of(result)] += 1
        if kind_of(result) not in ("replayed", "checked"):
            tally.open.append(described(path, result))
    if results:
        best = min(results, key=lambda r: KINDS.index(kind_of(r)))
        tally.programs[kind_of(best)] += 1


def kind_of(result: Result) -> str:
    return (result.standing if isinstance(result, Counterexample) else result.absence).value


def described(path: Path, result: Result) -> str:
    why = "; ".join(result.doubts[:2]) if isinstance(result, Counterexample) else result.message
    return f"{path}:{result.span.line} {result.finding}: {kind_of(result)}: {why[:160]}"


def report(tally: Tally, programs: int, *, listed: bool) -> None:
    if listed:
        sys.stdout.write("".join(f"{line}\n" for line in tally.open))
    checks, with_checks = tally.checks.total(), tally.programs.total()
    lines = [
        f"{programs} annotated programs, {with_checks} with failed checks, {checks} checks",
        f"{'answer':28}{'checks':>8}{'':>9}{'programs':>10}",
    ]
    for kind in dict.fromkeys([*KINDS, *tally.checks]):
        share = f"{100 * tally.checks[kind] / max(1, checks):.1f} %"
        lines.append(f"{kind:28}{tally.checks[kind]:8}{share:>9}{tally.programs[kind]:10}")
    sure = tally.checks["replayed"] + tally.checks["checked"]
    lines.append(f"found and checked: {100 * sure / max(1, checks):.1f} % of the checks")
    slow = ", ".join(f"{name} {s:.1f} s" for s, name in sorted(tally.seconds, reverse=True)[:5])
    lines.append(f"{sum(s for s, _ in tally.seconds):.0f} s in all, slowest: {slow}")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
