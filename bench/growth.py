"""Measures how time and memory grow with the size of a generated program.

Each program is verified in a fresh process. Times are processor seconds of the verification alone,
without start-up and reading, so that other work on the machine matters little.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

CHILD = """
import json, resource, sys, time
from pathlib import Path
import pitviper
from pitviper.driver.verify.verify import open_verifier
from pitviper.driver.verify.options import VerifyOptions

def cpu():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)

with open_verifier(VerifyOptions(backend=sys.argv[2])) as verifier:
    front = verifier.read(Path(sys.argv[1]))
    start, before = time.perf_counter(), cpu()
    if sys.argv[3:]:
        done = pitviper.counterexample(Path(sys.argv[1]))
        assert done.counterexamples, "no counterexample"
    else:
        done = verifier.verify(front)
    seconds, used = time.perf_counter() - start, cpu() - before
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
verdict = "refuted" if sys.argv[3:] else done.verdict.value
print(json.dumps([verdict, seconds, used, peak]))
"""

TIMEOUT = "timeout"

Generator: TypeAlias = Callable[[int], str]


@dataclass(frozen=True, slots=True)
class Size:
    """One program: what came out, and what it cost."""

    size: int
    verdict: str
    seconds: float
    cpu_seconds: float
    megabytes: float


@dataclass(frozen=True, slots=True)
class Experiment:
    """Programs of one shape; `budgets` are seconds by size, `exponent` bounds the growth.

    With `counterexample` they are refuted, and a counterexample is asked for.
    """

    name: str
    program: Generator
    budgets: dict[int, float]
    exponent: float | None = None
    counterexample: bool = False

    @property
    def verdict(self) -> str:
        return "refuted" if self.counterexample else "verified"


def measure(size: int, experiment: Experiment, timeout: float, backend: str) -> Size:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "program.vpr"
        file.write_text(experiment.program(size))
        more = ["counterexample"] if experiment.counterexample else []
        try:
            done = subprocess.run(
                [sys.executable, "-c", CHILD, str(file), backend, *more],
                capture_output=True,
                text=True,
                timeout=timeout,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Size(size, TIMEOUT, timeout, timeout, math.nan)
    if done.returncode:
        raise SystemExit(f"size {size} failed: {done.stderr[-2000:]}")
    verdict, seconds, cpu, peak = json.loads(done.stdout)
    scale = 1024 * 1024 if sys.platform == "darwin" else 1024
    return Size(size, verdict, seconds, cpu, peak / scale)


def exponent(smaller: Size, larger: Size) -> float:
    """The power of the size that time grew with from one program to the next."""
    return math.log(larger.cpu_seconds / smaller.cpu_seconds) / math.log(larger.size / smaller.size)


def run(experiment: Experiment, sizes: Sequence[int], timeout: float, backend: str) -> bool:
    """Measures, prints a table, and says whether verdicts, budgets and growth are kept."""
    print(f"\n{experiment.name}")
    print(f"{'n':>6}{'verdict':>12}{'seconds':>10}{'cpu':>10}{'growth':>10}{'peak':>11}  budget")
    found: list[Size] = []
    kept = True
    for size in sizes:
        item = measure(size, experiment, timeout, backend)
        growth = exponent(found[-1], item) if found else math.nan
        found.append(item)
        verdict = _verdict(experiment, found)
        kept = kept and "MISSED" not in verdict
        print(
            f"{size:6}{item.verdict:>12}{item.seconds:10.2f}{item.cpu_seconds:10.2f}"
            f"{'' if math.isnan(growth) else f'n^{growth:.2f}':>10}{item.megabytes:8.0f} MB"
            f"  {verdict}",
            flush=True,
        )
        if item.verdict == TIMEOUT:
            break
    return kept


def _verdict(experiment: Experiment, found: list[Size]) -> str:
    """What the last size shows; growth counts from the second size on."""
    item, said = found[-1], []
    if item.verdict != experiment.verdict:
        return f"MISSED: not {experiment.verdict}"
    if (budget := experiment.budgets.get(item.size)) is not None:
        said.append(f"{budget:g} s: {'ok' if item.cpu_seconds <= budget else 'MISSED'}")
    if experiment.exponent is not None and len(found) > 1:
        within = exponent(found[-2], item) <= experiment.exponent
        said.append(f"n^{experiment.exponent:g}: {'ok' if within else 'MISSED'}")
    return ", ".join(said)


def main(description: str, experiments: Sequence[Experiment], sizes: Sequence[int]) -> int:
    """The command line that all scripts of growth share."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--sizes", type=int, nargs="+", default=list(sizes))
    parser.add_argument("--timeout", type=float, default=120.0, help="seconds for one program")
    parser.add_argument(
        "--only", choices=[e.name for e in experiments], help="one experiment instead of all"
    )
    parser.add_argument(
        "--print", type=int, metavar="N", help="print the program of size N, no run"
    )
    parser.add_argument("--backend", choices=("symbolic", "vcg"), default="symbolic")
    arguments = parser.parse_args()
    chosen = [e for e in experiments if arguments.only in (None, e.name)]
    if arguments.print is not None:
        for experiment in chosen:
            print(experiment.program(arguments.print))
        return 0
    print(f"load of the machine {os.getloadavg()[0]:.1f}")
    kept = [run(e, arguments.sizes, arguments.timeout, arguments.backend) for e in chosen]
    return 0 if all(kept) else 1
