"""How fast exploration is: runs a second, all paths of twelve branches, two workers against one.

python bench/explore.py [--quick] [--workers-only] [--times N] [--frontier NAME]
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pitviper.base.deep_stack import run_deep
from pitviper.driver.explore.explore import Explorer, explore_program
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.front.frontend import FrontEnd, load, load_text
from pitviper.engines.explore.options import SearchOptions

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


@dataclass(frozen=True, slots=True)
class Job:
    """Something to explore; with a limit of runs where its paths are endless."""

    name: str
    front: Callable[[], FrontEnd]
    runs: int | None = None


@dataclass(frozen=True, slots=True)
class Took:
    """Seconds: wall-clock time, processor time of this process, and of the workers."""

    runs: int
    wall: float
    host: float
    workers: float


def explored(job: Job, workers: int, frontier: str = "breadth-first") -> Took:
    """Reading the program counts."""
    search = SearchOptions(frontier, runs=job.runs or 10**6, nodes=10**7)
    options = ExploreOptions(search=search, workers=workers)
    before, start = os.times(), time.perf_counter()
    (done,) = explore_program(job.front(), options)
    wall, after = time.perf_counter() - start, os.times()
    runs = sum([n for status, n in done.counts.items() if status != "infeasible"])
    assert done.is_complete or runs == job.runs
    host = after.user - before.user + after.system - before.system
    inside = after.children_user - before.children_user
    inside += after.children_system - before.children_system
    return Took(runs, wall, host, inside)


def compare(job: Job, frontier: str, times: int = 1) -> None:
    """Two workers against one, the best of some times, by turns.

    On a quiet machine the wall-clock times say it; on a busy one the processor times say what
    would be possible: host and workers share two processors.
    """
    took = [[explored(job, workers, frontier) for workers in (1, 2)] for _ in range(times)]
    one, two = [min(some, key=lambda t: t.wall) for some in zip(*took, strict=True)]
    for number, best in ((1, one), (2, two)):
        used = f"host {best.host:.2f} s, workers {best.workers:.2f} s of processor time"
        print(f"  {number} workers: {best.runs} runs in {best.wall:.2f} s; {used}")
    possible = one.workers / ((two.host + two.workers) / 2)
    print(
        f"  two workers: {one.wall / two.wall:.2f} times one "
        f"({possible:.2f} by processor time); load {os.getloadavg()[0]:.1f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="less of everything")
    parser.add_argument("--workers-only", action="store_true", help="only two workers against one")
    parser.add_argument("--times", type=int, default=2, help="so often, and the best counts")
    parser.add_argument("--frontier", default="breadth-first", help="of the workers")
    arguments = parser.parse_args()
    seconds, counts, runs = (1.0, (8, 9), 50) if arguments.quick else (5.0, (12, 14), 400)
    if not arguments.workers_only:
        two = load(EXAMPLES / "two_branches.vpr")
        listed = load(EXAMPLES / "sorted_list.vpr")
        rate = run_deep(lambda: repeated(two, "check", 100, seconds))
        print(f"two branches: {rate:.0f} runs a second")
        rate = run_deep(lambda: repeated(listed, "insert", 100, seconds))
        print(f"list insertion: {rate:.0f} runs a second")
        took = explored(Job("", lambda: branches(counts[0])), 0)
        print(f"{counts[0]} branches: {took.runs} paths in {took.wall:.2f} s")
    jobs = [Job(f"{n} branches", partial(branches, n)) for n in counts]
    jobs.append(Job("list insertion", lambda: load(EXAMPLES / "sorted_list.vpr"), runs))
    for job in jobs:
        print(f"{job.name}, {arguments.frontier}")
        compare(job, arguments.frontier, arguments.times)


if __name__ == "__main__":
    main()
