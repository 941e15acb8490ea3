"""How fast exploration is: runs a second, all paths of twelve branches, two workers against one.

python bench/explore.py [--quick]
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

from pitviper.driver.deep_stack import run_deep
from pitviper.driver.explore import Explorer, explore_program
from pitviper.driver.explore_options import ExploreOptions
from pitviper.driver.frontend import FrontEnd, load, load_text
from pitviper.explore.options import SearchOptions

EXAMPLES = Path(__file__).parent.parent / "examples" / "explore"


def branches(count: int) -> FrontEnd:
    """A method with so many independent branches."""
    params = ", ".join(f"x{i}: Int" for i in range(count))
    tests = "\n".join(f"  if (x{i} > {i}) {{ r := r + {i} }}" for i in range(count))
    return load_text(f"method m({params}) returns (r: Int)\n{{ r := 0\n{tests}\n}}", "p.vpr")


def repeated(front: FrontEnd, method: str, runs: int, seconds: float) -> float:
    """Runs a second of processor time, of searches that are started again until it is over."""
    assert front.program is not None
    options = ExploreOptions(methods=(method,), search=SearchOptions(runs=runs))
    explorer = Explorer(front.program, "p.vpr", options)
    done, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        done += sum(n.run is not None for n in explorer.search(method).nodes())
    rate = done / (time.process_time() - start)
    explorer.close()
    return rate


def all_paths(count: int, workers: int, frontier: str = "breadth-first") -> tuple[int, float]:
    search = SearchOptions(frontier, runs=10**6, nodes=10**7)
    options = ExploreOptions(search=search, workers=workers)
    start = time.perf_counter()
    (done,) = explore_program(branches(count), options)
    assert done.is_complete
    return done.counts["passed"], time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="less of everything")
    quick = parser.parse_args().quick
    seconds, count = (1.0, 8) if quick else (5.0, 12)
    two = load(EXAMPLES / "two_branches.vpr")
    listed = load(EXAMPLES / "sorted_list.vpr")
    rate = run_deep(lambda: repeated(two, "check", 100, seconds))
    print(f"two branches: {rate:.0f} runs a second")
    rate = run_deep(lambda: repeated(listed, "insert", 100, seconds))
    print(f"list insertion: {rate:.0f} runs a second")
    paths, took = run_deep(lambda: all_paths(count, 0))
    print(f"{count} branches: {paths} paths in {took:.1f} s")
    times: dict[int, float] = {}
    for workers in (1, 2):
        before = os.times()
        times[workers] = all_paths(count, workers)[1]
        after = os.times()
        host = after.user - before.user + after.system - before.system
        inside = after.children_user - before.children_user
        used = f"host {host:.1f} s, workers {inside:.1f} s of processor time"
        print(f"{workers} workers: {times[workers]:.1f} s; {used}")
    print(f"two workers: {times[1] / times[2]:.2f} times one; load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
