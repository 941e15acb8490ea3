"""Measures Pitviper against Silicon, cold and warm, and against another commit, in one run.

Usage: python bench/run.py [--quick | --few-front-ends] [--against COMMIT] [--silicon DIR] [--dry]

Writes the section "Measured" of bench/README.md, bench/plot.svg and bench/measured.csv. All
contenders are asked about each program in turn, so other work on the machine weighs on all alike.
Takes about 15 minutes on two cores, with --quick about 3. See bench/README.md. Exit code 0 if all
is reached, 1 if something is not, 2 if something was not measured.
"""

from __future__ import annotations

import argparse
import csv
import os
import platform
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import compared_rows
import own_rows
from compare_silicon import WARM_UP
from contenders import THIS, Contender, TheirSilicon, Tree, current_commit, tree_of
from plot import write_plot
from program_list import Entry, read_list
from rows import Result, Row
from silicon_installation import NotAvailable, find_silicon
from warm_process import TIMEOUT, Timing

HERE = Path(__file__).parent
README, PLOT, TABLE = HERE / "README.md", HERE / "plot.svg", HERE / "measured.csv"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
LARGEST = "uniswap"

FRONT_ENDS = "frontends"

NOT_MEASURED = 2
"""The exit code of a table with empty rows."""


def measure_cold(
    entries: list[Entry], contenders: list[Contender], limit: float, runs: int
) -> Iterator[Result]:
    """A new process for each program; the first round warms the file cache, and does not count."""
    for run in range(runs + 1):
        for entry in entries:
            timings = {c.name: c.cold(entry.program, limit) for c in contenders}
            if run:
                yield _told(Result("cold", entry.set, entry.name, timings))


def measure_warm(
    entries: list[Entry], contenders: list[Contender], limit: float, scratch: Path
) -> Iterator[Result]:
    """Processes that stay alive. Small programs are asked twice, and the second time counts.

    What was not decided in time is not asked once more: its process has to become warm again.
    """
    known = scratch / "warm_up.vpr"
    known.write_text(WARM_UP)
    with ExitStack() as stack:
        processes = [(c, stack.enter_context(c.warm(known, limit))) for c in contenders]
        late: dict[str, dict[str, Timing]] = {}
        for entry in (e for e in entries if e.set != FRONT_ENDS):
            first = {c.name: p.ask(c.request(entry.program)) for c, p in processes}
            if any(timing.verdict == TIMEOUT for timing in first.values()):
                late[entry.name] = first
        for entry in entries:
            timings = late.get(entry.name) or {
                c.name: p.ask(c.request(entry.program)) for c, p in processes
            }
            yield _told(Result("warm", entry.set, entry.name, timings))


def _told(result: Result) -> Result:
    times = "  ".join(f"{n} {t.seconds:.3f} {t.verdict}" for n, t in result.timings.items())
    print(f"{result.mode} {result.name}: {times}", flush=True)
    return result


def section(rows: list[Row], results: list[Result], about: list[str], names: list[str]) -> str:
    """What stands between the two marks of the README."""
    lines = [BEGIN, "", *about, ""]
    lines += ["| work | against | needed | measured | reached |", "|---|---|---|---|---|"]
    lines += [f"| {' | '.join(row.cells)} |" for row in rows]
    if results:
        lines += ["", "![Time of each program, Silicon warm against Pitviper warm](plot.svg)"]
    for title, found in (
        ("Left out, because not decided", compared_rows.left_out(results, names)),
        ("Different verdicts", compared_rows.different_verdicts(results, names)),
    ):
        if found:
            lines += ["", f"{title}: {'; '.join(found)}."]
    return "\n".join([*lines, "", END])


def write_section(text: str) -> None:
    old = README.read_text()
    before, begin, rest = old.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{README} has no marks {BEGIN} and {END}")
    README.write_text(before + text + after)


def write_table(results: list[Result]) -> None:
    with TABLE.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["mode", "set", "program", "contender", "seconds", "cpu", "verdict"])
        for r in results:
            for name, t in r.timings.items():
                times = f"{t.seconds:.4f}", f"{t.cpu_seconds:.2f}"
                writer.writerow([r.mode, r.set, r.name, name, *times, t.verdict])


def parse_arguments() -> argparse.Namespace:
    suite = Path(os.environ.get("PITVIPER_SUITE", "/work/shared/suite"))
    cache = Path(os.environ.get("PITVIPER_SILICON", Path.home() / ".cache" / "pitviper-bench"))
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a small part, in 3 minutes")
    parser.add_argument(
        "--few-front-ends",
        action="store_true",
        help="all programs of suite and wild, of front ends those of --quick, in 8 minutes",
    )
    parser.add_argument("--against", metavar="COMMIT", default="HEAD~1", help="default HEAD~1")
    parser.add_argument("--no-against", action="store_true", help="without another commit")
    parser.add_argument("--no-silicon", action="store_true", help="without Silicon")
    parser.add_argument("--silicon", type=Path, default=cache, help="folder of Silicon")
    parser.add_argument("--suite", type=Path, default=suite, help="folder of the suite")
    parser.add_argument("--timeout", type=float, default=60.0, help="seconds for one program")
    parser.add_argument("--dry", action="store_true", help="show the section, write no file")
    return parser.parse_args()


def _size(chosen: argparse.Namespace) -> list[str]:
    sizes = ("--quick", chosen.quick), ("--few-front-ends", chosen.few_front_ends)
    return [option for option, is_chosen in sizes if is_chosen]


def contenders(chosen: argparse.Namespace, other: Tree | None, scratch: Path) -> list[Contender]:
    found: list[Contender] = [THIS]
    if other is not None:
        found.append(other)
    if chosen.no_silicon:
        return found
    try:
        silicon = find_silicon(chosen.silicon, scratch / "classes")
        found.insert(0, TheirSilicon(silicon, 30 if chosen.quick else 60))
    except NotAvailable as problem:
        print(problem)
    return found


def measure_programs(
    entries: list[Entry], chosen: argparse.Namespace, scratch: Path
) -> tuple[list[Result], Tree | None]:
    results: list[Result] = []
    with ExitStack() as stack:
        other = None
        if not chosen.no_against:
            other = stack.enter_context(tree_of(chosen.against, scratch))
        all_of_them = contenders(chosen, other, scratch)
        cold = [e for e in entries if e.set == "cold"]
        warm = [e for e in entries if e.set != "cold"]
        try:
            runs = 1 if _size(chosen) else 3
            for item in measure_cold(cold, all_of_them, chosen.timeout, runs):
                results.append(item)
            for item in measure_warm(warm, all_of_them, chosen.timeout, scratch):
                results.append(item)
        except KeyboardInterrupt:
            print("interrupted: what was measured so far counts")
    return results, other


def exit_code(rows: list[Row], crashed: list[str]) -> int:
    """0: all is reached; 1: something is not; 2: something was not measured, and is named."""
    unknown = [row.work for row in rows if row.reached is None]
    for what in crashed:
        print(f"crashed: {what}", file=sys.stderr)
    for work in unknown:
        print(f"not measured: {work}", file=sys.stderr)
    if unknown or crashed:
        return NOT_MEASURED
    return 0 if all(row.reached for row in rows) else 1


def main() -> int:
    chosen = parse_arguments()
    entries, missing = read_list(chosen.suite, quick=chosen.quick)
    if chosen.few_front_ends:
        few = {e.name for e in read_list(chosen.suite, quick=True)[0] if e.set == FRONT_ENDS}
        entries = [e for e in entries if e.set != FRONT_ENDS or e.name in few]
    began, load = time.time(), os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as name:
        results, other = measure_programs(entries, chosen, Path(name))
    rows = [] if chosen.no_silicon else compared_rows.rows(results)
    if other is not None:
        rows.append(compared_rows.against_commit(results, other.name))
    largest = next(chosen.suite.glob(f"frontends/**/*{LARGEST}*.vpr"), None)
    for row in own_rows.rows(THIS, entries, largest, quick=chosen.quick):
        print(" | ".join(row.cells), flush=True)
        rows.append(row)
    about = [
        f"{time.strftime('%d %B %Y %H:%M UTC', time.gmtime(began))}, commit {current_commit()},"
        f" `python {' '.join(['bench/run.py', *_size(chosen)])}`,"
        f" {(time.time() - began) / 60:.0f} minutes; {os.cpu_count()} cores, {platform.system()}"
        f" {platform.machine()}, Python {platform.python_version()}; load of the machine"
        f" {load:.1f} before, {os.getloadavg()[0]:.1f} after."
    ]
    if missing:
        about.append(f"{len(missing)} programs of the list are not on this machine.")
    text = section(rows, results, about, ["Silicon", THIS.name])
    print(text)
    if not chosen.dry:
        write_section(text)
        write_table(results)
        write_plot(PLOT, results, compared_rows.SILICON, compared_rows.OURS)
    return exit_code(rows, compared_rows.crashed(results))


if __name__ == "__main__":
    sys.exit(main())
