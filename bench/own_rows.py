"""Rows that compare us with ourselves: growth, several processes, memory, a file seen before."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import cells
import conditionals
import many
import quantified_removal
from compare_silicon import our_options
from contenders import Tree
from growth import TIMEOUT, Experiment, measure
from program_list import Entry
from rows import Row, factor

from pitviper.driver.suite.programs import SuiteProgram

GROWTH = 4.5
"""How many times longer a program twice the size may take."""

LOOPS = 3
"""In each method of a file of members."""

SIZES = {
    "cells": (100, 200),
    "conditionals": (15, 30),
    "quantified removals": (20, 40),
    "many": (20, 40),
}

FIELD = "field value: Int\n"

MEMBER = """\
method fill_{n}(xs: Seq[Ref], limit: Int) returns (i: Int)
  requires limit > {n} && |xs| > 0
  requires forall j: Int, k: Int :: 0 <= j && j < k && k < |xs| ==> xs[j] != xs[k]
  requires forall j: Int :: 0 <= j && j < |xs| ==> acc(xs[j].value)
  ensures forall j: Int :: 0 <= j && j < |xs| ==> acc(xs[j].value)
  ensures forall j: Int :: 0 <= j && j < |xs| ==> xs[j].value == limit + {n}
{{
{loops}  {more}
}}
"""

LOOP = """\
  i := 0
  while (i < |xs|)
    invariant 0 <= i && i <= |xs|
    invariant forall j: Int :: 0 <= j && j < |xs| ==> acc(xs[j].value)
    invariant forall j: Int :: 0 <= j && j < i ==> xs[j].value == limit + {n}
  {{
    xs[i].value := limit
    xs[i].value := xs[i].value + {n}
    i := i + 1
  }}
"""


def rows(tree: Tree, entries: list[Entry], largest: Path | None, *, quick: bool) -> Iterator[Row]:
    """One row after the other, as they are measured."""
    runs = 3 if quick else 5
    yield from growth_rows(quick=quick)
    with tempfile.TemporaryDirectory() as folder:
        yield jobs_row(tree, Path(folder), runs)
        yield from cache_rows(tree, Path(folder), runs)
        yield daemon_row(tree, Path(folder), runs)
    if largest is not None:
        yield memory_row(tree, largest)
    yield peaks_row(tree, entries)


# ---------------------------------------------------------------- growth


def growth_rows(*, quick: bool) -> Iterator[Row]:
    """Figure 11 and 6.1 of the paper: what happens to the time when n is doubled."""
    chosen = {
        "cells": list(cells.EXPERIMENTS),
        "conditionals": [
            e for e in conditionals.EXPERIMENTS if not quick or e.name in QUICK_CONDITIONALS
        ],
        "quantified removals": list(quantified_removal.EXPERIMENTS),
        "many": list(many.EXPERIMENTS),
    }
    for title, experiments in chosen.items():
        yield _growth(title, experiments, SIZES[title])


QUICK_CONDITIONALS = ("update", "quantified", "shapes")


def _growth(title: str, experiments: list[Experiment], sizes: tuple[int, int]) -> Row:
    said, kept = [], True
    for experiment in experiments:
        small, large = [measure(n, experiment, 120.0, "symbolic") for n in sizes]
        if TIMEOUT in (small.verdict, large.verdict):
            said.append(f"{experiment.name} over 120 s")
            kept = False
            continue
        grown = large.cpu_seconds / max(small.cpu_seconds, 0.01)
        said.append(f"{experiment.name} {factor(grown)}")
        kept = kept and grown <= GROWTH and large.verdict == experiment.verdict
    work = f"{title}, n = {sizes[0]} and {sizes[1]}"
    return Row(work, "n doubled", f"at most {GROWTH} times the time", ", ".join(said), kept)


# ---------------------------------------------------------------- processes, cache


def members(count: int, edited: int | None = None) -> str:
    """A file of methods that cost about the same; one of them may be changed."""
    texts = []
    for n in range(count):
        more = "assert i >= 0" if n == edited else ""
        texts.append(MEMBER.format(n=n, more=more, loops=LOOP.format(n=n) * LOOPS))
    return "\n".join([FIELD, *texts])


def jobs_row(tree: Tree, folder: Path, runs: int) -> Row:
    work, asked = "`--jobs 2` on a file of 20 members", "at least 1.6"
    if not tree.supported("--jobs"):
        return Row(work, "`--jobs 1`", asked, "", None)
    file = folder / "twenty.vpr"
    file.write_text(members(20))
    commands = [tree.command("--jobs", n, str(file)) for n in ("1", "2")]
    one, two = _interleaved([partial(_timed, tree, command) for command in commands], runs)
    said = f"{one / two:.2f} ({one:.2f} s against {two:.2f} s)"
    return Row(work, "`--jobs 1`", asked, said, one / two >= 1.6)


def cache_rows(tree: Tree, folder: Path, runs: int) -> Iterator[Row]:
    """First run, the same again, and again with one method changed; a new cache each time."""
    again = ("unchanged file again", "first run", "at least 30 times faster", 30.0)
    edited = ("one method edited in a file of 40", "first run", "at least 10 times faster", 10.0)
    if not tree.supported("--cache"):
        for work, against, asked, _ in (again, edited):
            yield Row(work, against, asked, "", None)
        return
    first, second, third = _edited(folder, runs, partial(_timed, tree))
    for (work, against, asked, needed), later in ((again, second), (edited, third)):
        said = f"{factor(first / later)} ({first:.2f} s, then {later:.2f} s)"
        yield Row(work, against, asked, said, first / later >= needed)


def daemon_row(tree: Tree, folder: Path, runs: int) -> Row:
    """As the last row, by a daemon: nothing is loaded, in the first run either."""
    work, asked = "the same by a daemon", "at least 10 times faster"
    if not tree.supported("--daemon"):
        return Row(work, "first run by a daemon", asked, "", None)
    environment = {**tree.environment, "XDG_RUNTIME_DIR": str(folder), "PITVIPER_DAEMON": "on"}
    timed = partial(_run, environment)
    daemon = [sys.executable, "-m", "pitviper", "daemon"]
    timed([*daemon, "start"])
    try:
        first, _, third = _edited(folder, runs, timed)
    finally:
        timed([*daemon, "stop"])
    said = f"{factor(first / third)} ({first:.2f} s, then {third:.2f} s)"
    return Row(work, "first run by a daemon", asked, said, first / third >= 10.0)


def _edited(
    folder: Path, runs: int, timed: Callable[[list[str]], float]
) -> tuple[float, float, float]:
    """The times of a file of 40 methods, of the same again, and after an edit of one method."""
    times: list[list[float]] = [[], [], []]
    with tempfile.TemporaryDirectory(dir=folder) as caches:
        for run in range(runs):
            file, cache = folder / "forty.vpr", f"{caches}/{run}"
            command = [sys.executable, "-m", "pitviper", "verify", "--cache", cache, str(file)]
            for found, changed in zip(times, (None, None, 17), strict=True):
                file.write_text(members(40, changed))
                found.append(timed(command))
    first, second, third = (statistics.median(found) for found in times)
    return first, second, third


def _interleaved(tasks: list[Callable[[], float]], runs: int) -> list[float]:
    """The median of each, measured in turn; the first round warms up."""
    times: list[list[float]] = [[] for _ in tasks]
    for run in range(runs + 1):
        for task, found in zip(tasks, times, strict=True):
            seconds = task()
            if run:
                found.append(seconds)
    return [statistics.median(found) for found in times]


def _timed(tree: Tree, command: list[str]) -> float:
    return _run(tree.environment, command)


def _run(environment: dict[str, str], command: list[str]) -> float:
    start = time.perf_counter()
    done = subprocess.run(
        command,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed: {done.stderr.decode()[-500:]}")
    return time.perf_counter() - start


# ---------------------------------------------------------------- memory


def memory_row(tree: Tree, file: Path) -> Row:
    """Resident memory of all processes together, looked at ten times a second."""
    process = subprocess.Popen(
        tree.command(str(file)),
        env=tree.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    peak, start = 0.0, time.perf_counter()
    while process.poll() is None:
        peak = max(peak, _resident_megabytes(process.pid))
        time.sleep(0.1)
    lasted = time.perf_counter() - start
    size = file.stat().st_size // 1024
    said = f"{peak:.0f} MB, {lasted:.1f} s, exit code {process.returncode}"
    reached = 0 < peak <= 2048 and process.returncode in (0, 1)
    return Row(f"memory, {size} KB program", "", "at most 2 GB, all processes", said, reached)


def peaks_row(tree: Tree, entries: list[Entry]) -> Row:
    """The largest process of a cold run of each program of the list."""
    work, asked = "peak memory of suite and wild programs", "median 150 MB, at most 1 GB"
    chosen = [entry for entry in entries if entry.set in ("silver", "wild")]
    if not chosen:
        return Row(work, "", asked, "", None)
    peaks = sorted((_peak_megabytes(tree, e.program), e.name.rpartition("/")[2]) for e in chosen)
    middle, (most, name) = statistics.median(peak for peak, _ in peaks), peaks[-1]
    said = f"median {middle:.0f} MB, at most {most:.0f} MB ({name}) of {len(peaks)} programs"
    return Row(work, "", asked, said, middle < 150 and most <= 1024)


def _peak_megabytes(tree: Tree, program: SuiteProgram) -> float:
    library = [f"--library={folder}" for folder in program.options.library]
    options = [*our_options(program), *library, "--timeout", "60"]
    process = subprocess.Popen(
        tree.command(*options, str(program.path)),
        env=tree.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def _resident_megabytes(session: int) -> float:
    """Of all processes of a session; 0 where there is no /proc."""
    pages = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if os.getsid(int(folder.name)) == session:
                pages += int((folder / "statm").read_text().split()[1])
        except (OSError, IndexError):
            continue  # it has just ended
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
