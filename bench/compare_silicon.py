"""Compares Pitviper with Silicon, cold and warm, on programs of the conformance suite.

Usage: python bench/compare_silicon.py [--sample N | --all] [--cold N] [--csv FILE] [FOLDER ...]

Both verify the same files in turn, so that the load of the machine weighs on both; the figures
to trust are ratios. See bench/README.md.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from front_end import environment
from silicon_installation import NotAvailable, Silicon, find_silicon
from verifying import EXACT_AMOUNTS, SMOKE
from warm_process import TIMEOUT, Timing, WarmProcess

from pitviper.driver.suite.programs import SuiteProgram, find_programs

WORKER = Path(__file__).parent / "verifying.py"

VERIFY = ("-m", "pitviper", "verify")

DECIDED = ("verified", "refuted", "rejected")

BUDGETS = {"cold": 8.0, "warm": 1.0}
"""How many times faster than Silicon the median program must be."""

WARM_UP = """\
field value: Int
predicate cell(this: Ref) { acc(this.value) }
function get(this: Ref): Int requires cell(this) { unfolding cell(this) in this.value }
method increment(this: Ref, by: Int, s: Set[Ref], q: Seq[Int])
  requires cell(this) && by > 0 && forall r: Ref :: r in s ==> acc(r.value)
  ensures cell(this) && get(this) == old(get(this)) + by && |q| >= 0
{
  unfold cell(this)
  var i: Int := 0
  while (i < by)
    invariant 0 <= i && i <= by && acc(this.value) && this.value == old(get(this)) + i
  {
    this.value := this.value + 1
    i := i + 1
  }
  fold cell(this)
}
"""


@dataclass(frozen=True, slots=True)
class Compared:
    """One program, verified by both in the same mode."""

    mode: str
    name: str
    silicon: Timing
    ours: Timing

    @property
    def counts(self) -> bool:
        """Whether both came to a verdict; a time-out of one says too little about a ratio."""
        return self.silicon.verdict in DECIDED and self.ours.verdict in DECIDED

    @property
    def ratio(self) -> float:
        return self.silicon.seconds / self.ours.seconds

    @property
    def cpu_ratio(self) -> float:
        return self.silicon.cpu_seconds / max(self.ours.cpu_seconds, 0.01)


@dataclass(frozen=True, slots=True)
class Both:
    """How to run the two; `warm_up` is how often Silicon verifies `WARM_UP` before it counts."""

    silicon: Silicon
    timeout: float
    warm_up: int


def sample(folders: list[Path], count: int | None) -> list[SuiteProgram]:
    """Judged programs; a sample is the same on every machine: the first by a hash of the name."""
    absolute = [folder.resolve() for folder in folders]
    found = [p for folder in absolute for p in find_programs(folder) if p.expectation.judged]
    if count is None:
        return found
    by_hash = sorted(found, key=lambda p: hashlib.sha256(str(p.expectation.name).encode()).digest())
    return sorted(by_hash[:count], key=lambda p: p.path)


def our_options(program: SuiteProgram) -> list[str]:
    check = program.options.check
    chosen = ((SMOKE, check.smoke_detection), (EXACT_AMOUNTS, check.respect_function_perm_amounts))
    return [option for option, wanted in chosen if wanted]


def silicon_options(program: SuiteProgram) -> tuple[str, ...]:
    more_complete = ["--exhaleMode=1"] if "quasihavoc" in program.path.parts else []
    return (*our_options(program), *more_complete)


def compare_warm(programs: list[SuiteProgram], both: Both, folder: Path) -> Iterable[Compared]:
    """Two processes that stay alive, asked in turn about each program; the last pass counts."""
    known = folder / "warm_up.vpr"
    known.write_text(WARM_UP)
    theirs_known = "\t".join(both.silicon.options(known))
    ours_known = json.dumps({"file": str(known), "options": []})
    with (
        WarmProcess(both.silicon.server, [theirs_known] * both.warm_up, both.timeout) as theirs,
        WarmProcess([sys.executable, str(WORKER)], [ours_known] * 3, both.timeout) as ours,
    ):
        for counts in (False, True):
            for program in programs:
                request = "\t".join(both.silicon.options(program.path, silicon_options(program)))
                answers = theirs.ask(request), ours.ask(_request(program))
                if counts:
                    yield Compared("warm", _name(program), *answers)


def _request(program: SuiteProgram) -> str:
    library = [str(folder) for folder in program.options.library]
    return json.dumps(
        {"file": str(program.path), "options": our_options(program), "library": library}
    )


def compare_cold(programs: list[SuiteProgram], both: Both) -> Iterable[Compared]:
    """A new process for each program, as on a command line; one before warms the file cache."""
    for program in programs[:1]:
        run_cold(both.silicon.cold(program.path), both.timeout, our_verdict)
        run_cold([sys.executable, *VERIFY, str(program.path)], both.timeout, our_verdict)
    for program in programs:
        theirs = both.silicon.cold(program.path, silicon_options(program))
        silicon = run_cold(
            theirs, both.timeout, lambda code: "verified" if code == 0 else "refuted"
        )
        library = [f"--library={folder}" for folder in program.options.library]
        command = [sys.executable, *VERIFY, *our_options(program), *library]
        ours = run_cold([*command, str(program.path)], both.timeout, our_verdict)
        yield Compared("cold", _name(program), silicon, ours)


def our_verdict(code: int) -> str:
    return {0: "verified", 1: "refuted", 4: "undecided"}.get(code, f"crashed with {code}")


def run_cold(
    command: list[str],
    timeout: float,
    verdict: Callable[[int], str],
    variables: Mapping[str, str] | None = None,
) -> Timing:
    """One process, as on a command line."""
    before, start = _children_cpu(), time.perf_counter()
    try:
        done = subprocess.run(
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=tempfile.gettempdir(),
            env=variables or environment(),
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Timing(timeout, timeout, TIMEOUT)
    seconds = time.perf_counter() - start
    return Timing(seconds, _children_cpu() - before, verdict(done.returncode))


def _children_cpu() -> float:
    times = os.times()
    return times.children_user + times.children_system


def _name(program: SuiteProgram) -> str:
    return "/".join(program.path.parts[-3:])


def watched(found: Iterable[Compared], total: int) -> list[Compared]:
    """All of them, each told as it comes; an interrupt keeps those that are there."""
    done: list[Compared] = []
    try:
        for item in found:
            done.append(item)
            theirs, ours = item.silicon, item.ours
            times = f"{theirs.seconds:8.2f}{ours.seconds:8.2f}"
            verdicts = f"{theirs.verdict}, {ours.verdict}"
            print(f"{item.mode} {len(done):3}/{total}{times}  {item.name}: {verdicts}", flush=True)
    except KeyboardInterrupt:
        print(f"interrupted after {len(done)} of {total}")
    return done


def percentile(values: list[float], part: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(part * (len(ordered) - 1)))]


def show(mode: str, found: list[Compared]) -> bool:
    """A table of one mode; whether it keeps its budget."""
    counted = [c for c in found if c.counts]
    print(f"\n{mode}: {len(counted)} of {len(found)} programs decided by both")
    for reason in _left_out(found):
        print(f"  left out: {reason}")
    if not counted:
        return False
    print(f"{'':22}{'median':>10}{'p90':>10}{'max':>10}{'sum':>10}")
    rows = {
        "Silicon, seconds": [c.silicon.seconds for c in counted],
        "Pitviper, seconds": [c.ours.seconds for c in counted],
        "Silicon, cpu": [c.silicon.cpu_seconds for c in counted],
        "Pitviper, cpu": [c.ours.cpu_seconds for c in counted],
    }
    for title, values in rows.items():
        print(
            f"{title:22}{statistics.median(values):10.3f}{percentile(values, 0.9):10.3f}"
            f"{max(values):10.3f}{sum(values):10.1f}"
        )
    faster = statistics.median(c.ratio for c in counted)
    print(f"Pitviper is faster by: median {faster:.1f}", end="")
    print(f" (cpu {statistics.median(c.cpu_ratio for c in counted):.1f})", end="")
    print(f", worst tenth {percentile([c.ratio for c in counted], 0.1):.1f}", end="")
    print(f"; slower than Silicon on {sum(c.ratio < 1 for c in counted)}", end="")
    print(f", more than 3 times on {sum(c.ratio < 1 / 3 for c in counted)}")
    for item in sorted(counted, key=lambda c: c.ratio)[:5]:
        print(f"  {item.ratio:6.2f}  {item.ours.seconds:6.2f} s  {item.name}")
    kept = faster >= BUDGETS[mode]
    print(f"budget: median at least {BUDGETS[mode]:.0f}: {'ok' if kept else 'MISSED'}")
    return kept


def _left_out(found: list[Compared]) -> list[str]:
    reasons = []
    for item in found:
        for who, timing in (("Silicon", item.silicon), ("Pitviper", item.ours)):
            if timing.verdict not in DECIDED:
                reasons.append(f"{who} {timing.verdict}: {item.name} {timing.details[:70]}")
    return reasons


def write_csv(path: Path, found: list[Compared]) -> None:
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        who = ("silicon", "pitviper")
        columns = ("seconds", "cpu_seconds", "verdict", "details")
        writer.writerow(["mode", "program", *(f"{w}_{c}" for w in who for c in columns)])
        for item in found:
            row: list[object] = [item.mode, item.name]
            for timing in (item.silicon, item.ours):
                row += [f"{timing.seconds:.4f}", f"{timing.cpu_seconds:.2f}"]
                row += [timing.verdict, timing.details]
            writer.writerow(row)


def parse_arguments() -> argparse.Namespace:
    suite = Path(os.environ.get("PITVIPER_SUITE", "/work/shared/suite"))
    cache = Path.home() / ".cache" / "pitviper-bench"
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folders", nargs="*", type=Path, default=[suite / "silver"])
    parser.add_argument("--sample", type=int, default=60, help="programs to run (default 60)")
    parser.add_argument("--all", action="store_true", help="run all programs")
    parser.add_argument("--cold", type=int, default=9, help="of these, so many cold (default 9)")
    parser.add_argument("--timeout", type=float, default=60.0, help="seconds for one program")
    parser.add_argument(
        "--warm-up",
        type=int,
        default=60,
        help="programs that Silicon verifies before the first of the sample (default 60)",
    )
    parser.add_argument("--csv", type=Path, help="write one line for each program")
    parser.add_argument(
        "--silicon",
        type=Path,
        default=Path(os.environ.get("PITVIPER_SILICON", cache)),
        help="folder that Silicon is in, or is to be installed in (or PITVIPER_SILICON)",
    )
    return parser.parse_args()


def main() -> int:
    arguments = parse_arguments()
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        try:
            silicon = find_silicon(arguments.silicon, scratch / "classes")
        except NotAvailable as problem:
            print(problem)
            return 0
        both = Both(silicon, arguments.timeout, arguments.warm_up)
        programs = sample(arguments.folders, None if arguments.all else arguments.sample)
        print(f"{len(programs)} programs, load of the machine {os.getloadavg()[0]:.1f}", flush=True)
        cold_programs = sample(arguments.folders, arguments.cold) if arguments.cold else []
        cold = watched(compare_cold(cold_programs, both), len(cold_programs))
        warm = watched(compare_warm(programs, both, scratch), len(programs))
        kept = [show("cold", cold)] if cold else []
        kept += [show("warm", warm)] if warm else []
        print(f"\nload of the machine at the end {os.getloadavg()[0]:.1f}")
        if arguments.csv:
            write_csv(arguments.csv, [*cold, *warm])
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
