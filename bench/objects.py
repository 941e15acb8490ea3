"""Programs of the object language beside the same programs in Viper: processor time, in one run.

The Viper version is the one with all ghost statements written down, as `--emit viper` shows it.
Both are verified in turn, so that a busy machine slows down both; the best of each counts.

Usage: python bench/objects.py [--rounds 5] [--cells 14 100 400]
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from pitviper.driver.front.frontend import load_text
from pitviper.driver.verify.completion import completed
from pitviper.driver.verify.viper_text import viper_text

EXAMPLES = Path(__file__).parents[1] / "examples" / "cool"
PROGRAMS = ("cell", "iterator", "expressions")
MOST = 1.5
"""A program may take so many times as long as its Viper version."""

CELL = """\
class Cell {
  int x;
  Cell() ensures valid() && getX() == 0; { x := 0; }
  void setX(int v) requires valid(); ensures valid() && getX() == v; { x := v; }
  predicate valid() { return acc(x); }
  pure int getX() requires valid(); { return x; }
}
"""


def cells(count: int) -> str:
    """The program of Figure 11: n cells, a call on each, one assertion about the first."""
    lines = [CELL]
    for n in range(1, count + 1):
        lines += [f"Cell c{n} := new Cell();", f"c{n}.setX({n});"]
    return "\n".join([*lines, "assert c1.getX() == 1;", ""])


def processor_time(text: str, name: str) -> float:
    """How long `pitviper verify` works on a program; all of it has to be verified."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / name
        file.write_text(text)
        before = _children()
        command = [sys.executable, "-m", "pitviper", "verify", "--cache", "off", str(file)]
        environment = {**os.environ, "PITVIPER_DAEMON": "off"}
        subprocess.run(command, check=True, capture_output=True, env=environment)
        return _children() - before


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cells", type=int, nargs="*", default=[14, 100, 400])
    arguments = parser.parse_args()
    failed = False
    print(f"{'program':12} {'.cool':>8} {'.vpr':>8}  times")
    for name in PROGRAMS:
        text = (EXAMPLES / f"{name}.cool").read_text()
        program = completed(load_text(text, f"{name}.cool")).program
        assert program is not None
        other = viper_text(program, f"{name}.cool")
        own, written = [], []
        for _ in range(arguments.rounds):
            own.append(processor_time(text, f"{name}.cool"))
            written.append(processor_time(other, f"{name}.vpr"))
        ratio = min(own) / min(written)
        failed |= ratio > MOST
        print(f"{name:12} {min(own):8.2f} {min(written):8.2f}  {ratio:.2f}")
    before: tuple[int, float] | None = None
    for count in arguments.cells:
        rounds = max(1, arguments.rounds // 2)
        taken = min(processor_time(cells(count), "cells.cool") for _ in range(rounds))
        grown = ""
        if before is not None:
            quadratic = before[1] * (count / before[0]) ** 2
            failed |= taken > quadratic
            grown = f"  quadratic would be {quadratic:.2f}"
        print(f"cells {count:6} {taken:8.2f}{grown}")
        before = count, taken
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
