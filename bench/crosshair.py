"""Exploration beside CrossHair on twelve equivalent programs, as ratios in one run.

    python bench/crosshair.py [--times N] [--crosshair COMMAND]

CrossHair explores Python functions in the same way. It comes from PyPI, best into an environment of
its own: `python -m venv ENV && ENV/bin/pip install crosshair-tool`, then `--crosshair
ENV/bin/crosshair`. Both are started from the command line, by turns, and the best of `--times`
counts: seconds of wall-clock time until a failing input is told, and until the command is over.
Both are told to stop at the first failure. Of a program without failure only the end counts.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Pair:
    """The same program twice; `fails` says whether there is a failing input."""

    name: str
    viper: str
    python: str
    fails: bool = True


@dataclass(frozen=True, slots=True)
class Took:
    """Seconds until a failure was told (None: it was not) and until the end."""

    told: float | None
    end: float


def twelve_branches() -> tuple[str, str]:
    names = [f"x{i}" for i in range(12)]
    viper = [f"method m({', '.join([f'{n}: Int' for n in names])})", "{", "  var r: Int := 0"]
    python = [f"def m({', '.join([f'{n}: int' for n in names])}) -> None:", "    assert True"]
    python.append("    r = 0")
    for number, name in enumerate(names):
        viper.append(f"  if ({name} > {number}) {{ r := r + {number} }}")
        python += [f"    if {name} > {number}:", f"        r += {number}"]
    viper += ["  assert r != 66", "}"]
    return "\n".join(viper), "\n".join([*python, "    assert r != 66"])


DEEP_VIPER, DEEP_PYTHON = twelve_branches()

PAIRS = (
    Pair(
        "Listing 1.1",
        "method m(a: Int, b: Int) { if (a > 10) { if (b > a * 2) { assert false } } }",
        """def m(a: int, b: int) -> None:
    assert True
    if a > 10:
        if b > a * 2:
            assert False""",
    ),
    Pair("twelve branches", DEEP_VIPER, DEEP_PYTHON),
    Pair(
        "linear equation",
        "method m(a: Int, b: Int) requires a > 3 && b > 3 { assert 7 * a + 3 * b != 61 }",
        """def m(a: int, b: int) -> None:
    assert a > 3 and b > 3
    assert 7 * a + 3 * b != 61""",
    ),
    Pair(
        "factors",
        "method m(a: Int, b: Int) requires 1 < a && a < b && b < 40 { assert a * b != 391 }",
        """def m(a: int, b: int) -> None:
    assert 1 < a and a < b and b < 40
    assert a * b != 391""",
    ),
    Pair(
        "remainders",
        "method m(a: Int) requires a > 0 { assert !(a % 7 == 3 && a % 11 == 5 && a % 13 == 1) }",
        """def m(a: int) -> None:
    assert a > 0
    assert not (a % 7 == 3 and a % 11 == 5 and a % 13 == 1)""",
    ),
    Pair(
        "loop",
        """method m(n: Int) returns (r: Int) requires n >= 0 {
  r := 0
  var i: Int := 0
  while (i < n) { i := i + 1 r := r + i }
  assert r != 21 }""",
        """def m(n: int) -> None:
    assert n >= 0
    r = 0
    i = 0
    while i < n:
        i += 1
        r += i
    assert r != 21""",
    ),
    Pair(
        "loop with a deep end",
        """method m(n: Int) requires 0 <= n && n <= 60 {
  var i: Int := 0
  while (i < n) { i := i + 1 }
  assert i < 50 }""",
        """def m(n: int) -> None:
    assert 0 <= n <= 60
    i = 0
    while i < n:
        i += 1
    assert i < 50""",
    ),
    Pair(
        "sequence",
        """method m(s: Seq[Int], i: Int) requires 0 <= i && i < |s| {
  assert !(s[i] == 42 && |s| > 2 && s[0] < s[1]) }""",
        """from typing import List

def m(s: List[int], i: int) -> None:
    assert 0 <= i < len(s)
    assert not (s[i] == 42 and len(s) > 2 and s[0] < s[1])""",
    ),
    Pair(
        "sum of a sequence",
        """method m(s: Seq[Int]) {
  var r: Int := 0
  var i: Int := 0
  while (i < |s|) { r := r + s[i] i := i + 1 }
  assert !(r == 17 && |s| == 3) }""",
        """from typing import List

def m(s: List[int]) -> None:
    assert True
    r = 0
    i = 0
    while i < len(s):
        r = r + s[i]
        i += 1
    assert not (r == 17 and len(s) == 3)""",
    ),
    Pair(
        "map",
        """method m(t: Map[Int, Int], k: Int) requires k in t {
  assert !(t[k] == 5 && k > 100) }""",
        """from typing import Dict

def m(t: Dict[int, int], k: int) -> None:
    assert k in t
    assert not (t[k] == 5 and k > 100)""",
    ),
    Pair(
        "objects",
        """field f: Int
method m(x: Ref, y: Ref) requires acc(x.f) && acc(y.f) {
  if (x.f > 7) { y.f := y.f + x.f }
  assert y.f != 30 || x.f != 12 }""",
        """class Cell:
    def __init__(self, f: int) -> None:
        self.f = f

def m(x: Cell, y: Cell) -> None:
    assert x is not y
    if x.f > 7:
        y.f = y.f + x.f
    assert y.f != 30 or x.f != 12""",
    ),
    Pair(
        "three numbers in order, nothing fails",
        """method m(a: Int, b: Int, c: Int) returns (x: Int, y: Int, z: Int) {
  x := a  y := b  z := c
  if (x > y) { var t: Int := x  x := y  y := t }
  if (y > z) { var u: Int := y  y := z  z := u }
  if (x > y) { var v: Int := x  x := y  y := v }
  assert x <= y && y <= z }""",
        """def m(a: int, b: int, c: int) -> None:
    assert True
    x, y, z = a, b, c
    if x > y:
        x, y = y, x
    if y > z:
        y, z = z, y
    if x > y:
        x, y = y, x
    assert x <= y and y <= z""",
        fails=False,
    ),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=3, help="so often, and the best counts")
    parser.add_argument("--crosshair", default="crosshair", help="the command")
    arguments = parser.parse_args()
    slower = 0
    print("program | told | CrossHair | times as fast | over | CrossHair | times as fast")
    for pair in PAIRS:
        own, other = compared(pair, arguments.crosshair, arguments.times)
        slower += own.end >= other.end or bool(pair.fails and not own.told)
        told = f"{seconds(own.told)} | {seconds(other.told)} | {ratio(own.told, other.told)}"
        over = f"{own.end:.2f} | {other.end:.2f} | {other.end / own.end:.1f}"
        print(f"{pair.name} | {told} | {over}", flush=True)
    print(f"slower on {slower} of {len(PAIRS)}; load {os.getloadavg()[0]:.1f}")


def compared(pair: Pair, crosshair: str, times: int) -> tuple[Took, Took]:
    """The best of some times of both, by turns."""
    with tempfile.TemporaryDirectory(prefix="pitviper-crosshair-") as folder:
        viper, python = Path(folder) / "m.vpr", Path(folder) / "m.py"
        viper.write_text(pair.viper, encoding="utf-8")
        python.write_text(pair.python + "\n", encoding="utf-8")
        explore = [sys.executable, "-m", "pitviper", "explore", "--first", str(viper)]
        check = [crosshair, "check", "--analysis_kind=asserts", "--per_condition_timeout=30"]
        took = [
            (timed(explore, "error["), timed([*check, str(python)], ": error:"))
            for _ in range(times)
        ]
    return best([own for own, _ in took]), best([other for _, other in took])


def timed(command: list[str], sign: str) -> Took:
    """How long a command takes, and when a line with a sign came."""
    environment = {**os.environ, "PITVIPER_DAEMON": "off", "PYTHONUNBUFFERED": "1"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    start, told = time.perf_counter(), None
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    for line in process.stdout:
        if told is None and sign in line:
            told = time.perf_counter() - start
    process.wait()
    return Took(told, time.perf_counter() - start)


def best(took: list[Took]) -> Took:
    told = [t.told for t in took if t.told is not None]
    return Took(min(told, default=None), min([t.end for t in took]))


def seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def ratio(own: float | None, other: float | None) -> str:
    return "-" if own is None or other is None else f"{other / own:.1f}"


if __name__ == "__main__":
    main()
