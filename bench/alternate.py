"""Compares this tree with another commit: processor time of small programs, asked in turn.

Usage: python bench/alternate.py COMMIT [--every N] [--runs N] [--below SECONDS]

Two processes stay warm, each with one of the trees, and verify each program one after the other, so
that other work on the machine weighs on both; the least processor time of several runs counts.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from contenders import tree_of
from program_list import ROOT, read_list

CHILD = """
import pathlib, resource, sys, time
import pitviper
for line in sys.stdin:
    faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    start = time.process_time()
    done = pitviper.verify(pathlib.Path(line.strip()))
    seconds = time.process_time() - start
    faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - faults
    print(seconds, faults, done.verdict.value, flush=True)
"""


class Warm:
    """A process that verifies with one tree; `seconds` are the least of each program."""

    def __init__(self, folder: Path) -> None:
        self.seconds: dict[Path, float] = {}
        self.verdicts: dict[Path, str] = {}
        self.faults = 0
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", CHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, env=os.environ | {"PYTHONPATH": str(folder)},
        )  # fmt: skip

    def ask(self, program: Path, *, counts: bool) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        print(program, file=self._process.stdin, flush=True)
        seconds, faults, self.verdicts[program] = self._process.stdout.readline().split()
        if counts:
            self.faults += int(faults)
            self.seconds[program] = min(self.seconds.get(program, 1e9), float(seconds))

    def close(self) -> None:
        self._process.communicate()


def at(values: Sequence[float], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("commit", help="with which this tree is compared")
    parser.add_argument("--every", type=int, default=1, help="so many programs of the list are one")
    parser.add_argument("--runs", type=int, default=3, help="that count; one before does not")
    parser.add_argument("--below", type=float, default=0.3, help="seconds of programs that count")
    chosen = parser.parse_args()
    suite = Path(os.environ.get("PITVIPER_SUITE", "/work/shared/suite"))
    entries = [e for e in read_list(suite, quick=False)[0] if e.set in ("silver", "wild")]
    programs = [e.program.path for e in entries][:: chosen.every]
    with tempfile.TemporaryDirectory() as folder, tree_of(chosen.commit, Path(folder)) as other:
        trees = {other.name: Warm(Path(folder) / "tree"), "this": Warm(ROOT)}
        for tree in trees.values():
            for program in programs:
                tree.ask(program, counts=True)
        programs = [p for p in programs if trees["this"].seconds[p] < chosen.below]
        for tree in trees.values():
            tree.seconds.clear()
            tree.faults = 0
        for _ in range(chosen.runs):
            for program in programs:
                for tree in trees.values():
                    tree.ask(program, counts=True)
        for tree in trees.values():
            tree.close()
    then, now = trees.values()
    for name, tree in trees.items():
        spent = [tree.seconds[p] for p in programs]
        middle, tail = 1000 * statistics.median(spent), 1000 * at(spent, 0.9)
        faults = tree.faults // (chosen.runs * len(programs))
        print(f"{name:10} {len(programs)} programs: median {middle:.1f} ms, 90 % {tail:.1f} ms,"
              f" all {1000 * sum(spent):.0f} ms, {faults} page faults each")  # fmt: skip
    ratios = [then.seconds[p] / now.seconds[p] for p in programs]
    whole = sum(then.seconds.values()) / sum(now.seconds.values())
    parts = ", ".join(f"{part:.0%} {at(ratios, part):.2f}" for part in (0.1, 0.5, 0.9))
    print(f"times as fast: {parts}; all together {whole:.2f}")
    for program in programs:
        if then.verdicts[program] != now.verdicts[program]:
            print(f"{program}: {then.verdicts[program]}, now {now.verdicts[program]}")


if __name__ == "__main__":
    main()
