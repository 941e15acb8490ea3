"""The figures that are asked of exploration, one a command, each within a minute when it is quiet.

    python bench/explore_figures.py runs       3,000 runs a second of processor time
    python bench/explore_figures.py first      a failure is told within 0.5 s of the start
    python bench/explore_figures.py arrays     5 to 80 elements: at most linear
    python bench/explore_figures.py objects    500 to 8,000 objects made in a loop: at most linear
    python bench/explore_figures.py folds      lists of 125 to 2,000 elements: at most linear
    python bench/explore_figures.py workers    two workers 1.7 times as fast as one

`first` and `workers` are judged by the clock, and want a machine that does nothing else; the others
by processor time. The exit code is 1 where a figure is not reached.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import crosshair
import explore

from pitviper.base.deep_stack import run_deep
from pitviper.driver.explore.explore import FullExplorer
from pitviper.driver.explore.options import ExploreOptions, RunLimits, SearchOptions
from pitviper.driver.front.frontend import load, load_text

RUNS, TOLD, WORKERS = 3000.0, 0.5, 1.7

ARRAY = """field val: Int
domain Array {{ function slot(a: Array, i: Int): Ref
  function first(r: Ref): Array  function second(r: Ref): Int
  axiom {{ forall a: Array, i: Int :: {{ slot(a, i) }}
    first(slot(a, i)) == a && second(slot(a, i)) == i }} }}
method m(a: Array, k: Int, j: Int)
  requires forall i: Int :: 0 <= i && i < {0} ==> acc(slot(a, i).val)
  requires 0 <= k && k < {0} && 0 <= j && j < {0}
{{ slot(a, k).val := 5
  assert slot(a, k).val == 5
  assert slot(a, j).val == 5 || j != k }}
"""

OBJECTS = """field f: Int
method m(n: Int) returns (x: Ref)
  requires n == {0}
{{ var i: Int := 0
  while (i < n)
    invariant i > 0 ==> acc(x.f) && x.f == i - 1
  {{ x := new(f)
    x.f := i
    i := i + 1 }}
  assert x.f == n - 1 }}
"""

FOLDS = """field f: Int
field next: Ref
predicate list(x: Ref) {{ x != null ==> acc(x.f) && acc(x.next) && list(x.next) }}
method m(n: Int) returns (x: Ref)
  requires n == {0}
{{ var i: Int := 0
  x := null
  fold list(x)
  while (i < n)
    invariant 0 <= i && i <= n && list(x)
  {{ var y: Ref
    y := new(f, next)
    y.f := i
    y.next := x
    fold list(y)
    x := y
    i := i + 1 }}
}}
"""


def runs(times: int) -> bool:
    del times
    two, twelve = load(explore.EXAMPLES / "two_branches.vpr"), explore.branches(12)
    rates = [
        run_deep(partial(explore.repeated, two, "check", 100, 5.0)),
        run_deep(partial(explore.repeated, twelve, "m", 5000, 10.0)),
    ]
    print(f"Listing 1.1: {rates[0]:.0f} runs a second; twelve branches: {rates[1]:.0f}")
    return min(rates) >= RUNS


def first(times: int) -> bool:
    told = []
    with tempfile.TemporaryDirectory(prefix="pitviper-first-") as folder:
        for pair in [p for p in crosshair.PAIRS if p.fails]:
            file = Path(folder) / "m.vpr"
            file.write_text(pair.viper, encoding="utf-8")
            command = [sys.executable, "-m", "pitviper", "explore", "--first", str(file)]
            took = crosshair.best([crosshair.timed(command, "error[") for _ in range(times)])
            told.append(float("inf") if took.told is None else took.told)
            print(f"{pair.name}: told after {crosshair.seconds(took.told)} s", flush=True)
    return max(told) <= TOLD


def arrays(times: int) -> bool:
    return _is_linear(ARRAY, (5, 10, 20, 40, 80), times)


def objects(times: int) -> bool:
    return _is_linear(OBJECTS, (500, 1000, 2000, 4000, 8000), times)


def folds(times: int) -> bool:
    return _is_linear(FOLDS, (125, 250, 500, 1000, 2000), times)


def _is_linear(text: str, sizes: tuple[int, ...], times: int) -> bool:
    """The time of each size, and whether the largest takes no more than its share of it."""
    took = [min([run_deep(partial(_proved, text, n)) for _ in range(times)]) for n in sizes]
    print(", ".join(f"{n}: {t:.3f} s" for n, t in zip(sizes, took, strict=True)))
    return took[-1] <= took[0] * sizes[-1] / sizes[0]


def _proved(text: str, size: int) -> float:
    front = load_text(text.format(size), "p.vpr")
    assert front.program is not None
    start = time.process_time()
    search = SearchOptions(limits=RunLimits(steps=1_000_000), work=10_000_000)
    explorer = FullExplorer(front.program, "p.vpr", ExploreOptions(search=search))
    done = explorer.explore("m")
    explorer.close()
    assert done.is_complete and not done.failures
    return time.process_time() - start


def workers(times: int) -> bool:
    job = explore.Job("", partial(explore.branches, 13))
    took = [[explore.explored(job, number) for number in (1, 2)] for _ in range(times)]
    one, two = [min([pair[n].wall for pair in took]) for n in (0, 1)]
    print(f"one worker {one:.2f} s, two {two:.2f} s: {one / two:.2f} times as fast")
    return one / two >= WORKERS


FIGURES = {
    "runs": runs, "first": first, "arrays": arrays, "objects": objects, "folds": folds,
    "workers": workers,
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("figure", choices=FIGURES)
    parser.add_argument("--times", type=int, default=3, help="so often, and the best counts")
    arguments = parser.parse_args()
    reached = FIGURES[arguments.figure](arguments.times)
    print(f"{'reached' if reached else 'NOT reached'}; load {os.getloadavg()[0]:.1f}")
    sys.exit(0 if reached else 1)


if __name__ == "__main__":
    main()
