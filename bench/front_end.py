"""Measures the front end: cold start on a small file, time and memory on a large one.

Usage: python bench/front_end.py [--suite DIR] [--runs N] [--json]

Each figure comes from a fresh process, as a user would start it. See bench/README.md.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

BIG = "frontends/vyper/testsresourcesexamplesuniswap.vy.vpr"
"""The largest program of the conformance suite, 759 KB."""

TEN_LINES = """\
field value: Int

method increment(cell: Ref, by: Int)
  requires acc(cell.value) && by > 0
  ensures acc(cell.value)
  ensures cell.value == old(cell.value) + by
{
  cell.value := cell.value + by
}
// ten lines
"""

SYNTHETIC_METHODS = 1700
"""That many of the methods below are a program of about 760 KB."""

SYNTHETIC_METHOD = """\
method step_{n}(a: Ref, b: Ref, s: Seq[Int], n: Int) returns (r: Int)
  requires acc(a.value, 1/2) && acc(b.value) && 0 <= n && n < |s|
  requires forall i: Int :: {{ s[i] }} 0 <= i && i < |s| ==> s[i] >= 0
  ensures acc(a.value, 1/2) && acc(b.value) && b.value == old(b.value) + s[n]
{{
  r := 0
  while (r < n)
    invariant 0 <= r && r <= n && acc(b.value) && b.value == old(b.value)
  {{
    r := r + 1
  }}
  b.value := b.value + s[r]
}}

"""

STAGES = """
import sys, time
from pathlib import Path
from pitviper.checking.check import check_members
from pitviper.checking.imports import splice_imports
from pitviper.checking.macros import expand_macros
from pitviper.driver.collector import paused_collector
from pitviper.driver.deep_stack import run_deep
from pitviper.driver.frontend import DEFAULTS
from pitviper.driver.reading import decode, read_import
from pitviper.syntax.lexer import lex
from pitviper.syntax.parser import parse_file

def stages(path):
    clock = time.perf_counter
    times = [clock()]
    source = decode(path, path.read_bytes()).source; times.append(clock())
    lex(source); times.append(clock())
    parsed = parse_file(source); times.append(clock())
    spliced = splice_imports(parsed.tree, source, read_import); times.append(clock())
    expanded = expand_macros(spliced.members); times.append(clock())
    check_members(expanded.members, DEFAULTS); times.append(clock())
    names = ("read", "lex alone", "lex and parse", "imports", "macros", "check")
    for name, start, end in zip(names, times, times[1:]):
        print(f"  {name:14}{end - start:8.3f} s")

with paused_collector():
    run_deep(lambda: stages(Path(sys.argv[1])))
"""


@dataclass(frozen=True, slots=True)
class Measured:
    """Wall-clock and processor seconds of the runs, and the peak memory of the largest."""

    name: str
    seconds: list[float]
    cpu_seconds: list[float]
    megabytes: float
    budget_seconds: float | None = None
    budget_megabytes: float | None = None

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    @property
    def within_budget(self) -> bool:
        """By processor time: the work is on one thread, and the machine may be busy."""
        cpu = statistics.median(self.cpu_seconds)
        quick = self.budget_seconds is None or cpu <= self.budget_seconds
        small = self.budget_megabytes is None or self.megabytes <= self.budget_megabytes
        return quick and small


def environment() -> dict[str, str]:
    """As after an installation: byte code is there, or is written by the first run."""
    return {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


def run_once(command: list[str]) -> tuple[float, float, float]:
    """Seconds, processor seconds and peak megabytes of one process, which must exit with 0."""
    start = time.perf_counter()
    process = os.posix_spawn(
        command[0],
        command,
        environment(),
        file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)],
    )
    _, status, usage = os.wait4(process, 0)
    seconds = time.perf_counter() - start
    if status != 0:
        raise SystemExit(f"failed with status {status}: {' '.join(command)}")
    scale = 1024 * 1024 if sys.platform == "darwin" else 1024
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / scale


def measure(
    name: str, command: list[str], runs: int, budget: tuple[float | None, float | None]
) -> Measured:
    """The first run only warms the file cache and the byte code, and does not count."""
    run_once(command)
    results = [run_once(command) for _ in range(runs)]
    seconds, cpu, sizes = (list(column) for column in zip(*results, strict=True))
    return Measured(name, seconds, cpu, max(sizes), *budget)


def synthetic(folder: Path) -> Path:
    """A large program of our own, for machines without the suite."""
    path = folder / "synthetic.vpr"
    methods = (SYNTHETIC_METHOD.format(n=n) for n in range(SYNTHETIC_METHODS))
    path.write_text("field value: Int\n\n" + "".join(methods))
    return path


def measurements(folder: Path, suite: Path, runs: int) -> list[Measured]:
    python = sys.executable
    check = [python, "-m", "pitviper", "check"]
    small = folder / "ten_lines.vpr"
    small.write_text(TEN_LINES)
    found = [
        measure("python alone", [python, "-c", "pass"], runs, (None, None)),
        measure("check, 10 lines", [*check, str(small)], runs, (0.25, None)),
    ]
    for path in big_programs(folder, suite):
        name = f"check, {path.stat().st_size // 1000} KB ({path.stem[:12]})"
        found.append(measure(name, [*check, str(path)], max(3, runs // 3), (6.0, 1000.0)))
    return found


def big_programs(folder: Path, suite: Path) -> list[Path]:
    return [synthetic(folder), *([suite / BIG] if (suite / BIG).exists() else [])]


def show(found: list[Measured], write: Callable[[str], object]) -> None:
    base = found[0].median
    write(f"{'what':34}{'median':>9}{'best':>9}{'cpu':>9}{'x python':>10}{'peak':>10}  budget")
    for item in found:
        limits = (
            f"{item.budget_seconds} s" if item.budget_seconds else "",
            f"{item.budget_megabytes:.0f} MB" if item.budget_megabytes else "",
        )
        verdict = "ok" if item.within_budget else "EXCEEDED"
        budget = f"{', '.join(limit for limit in limits if limit)}: {verdict}"
        write(
            f"{item.name:34}{item.median:7.3f} s{min(item.seconds):7.3f} s"
            f"{statistics.median(item.cpu_seconds):7.3f} s"
            f"{item.median / base:10.1f}{item.megabytes:7.0f} MB  "
            f"{budget if item.budget_seconds else ''}".rstrip()
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument(
        "--suite",
        type=Path,
        default=Path(os.environ.get("PITVIPER_SUITE", "/work/shared/suite")),
        help="the conformance suite; without it only the program of our own is measured",
    )
    parser.add_argument("--runs", type=int, default=15, help="processes for each small figure")
    parser.add_argument("--json", action="store_true", help="machine output")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        found = measurements(folder, arguments.suite, arguments.runs)
        if arguments.json:
            print(json.dumps([asdict(item) | {"median": item.median} for item in found]))
        else:
            show(found, print)
            for path in big_programs(folder, arguments.suite):
                print(f"\nstages of {path.name}", flush=True)
                os.spawnv(os.P_WAIT, sys.executable, [sys.executable, "-c", STAGES, str(path)])
    return 0 if all(item.within_budget for item in found) else 1


if __name__ == "__main__":
    sys.exit(main())
