"""What exploration says about methods of which the truth is known.

    python bench/known_truth.py [--methods N] [--seed S] [--verifiers] [--list]

Half of the methods are right. `tests/unit/driver/fuzz/truth.py` draws them and runs all their
inputs with the interpreter. A false proof, a false alarm, a failure at a place where none is, or a
complete search that misses one is printed with the method. `--verifiers` asks both
verifiers as well.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

from pitviper.base.deep_stack import run_deep
from pitviper.driver.explore.explore import FullExplorer
from pitviper.driver.explore.options import ExploreOptions, SearchOptions
from pitviper.driver.fuzz.judge import ENGINES
from pitviper.driver.verify.verification import verify_program
from pitviper.results.exploration import Claim, MethodExploration
from pitviper.results.verdict import Verdict

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tests.unit.driver.fuzz.truth import METHOD, Known, false_claims, known_method


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--methods", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=5.0, help="of each search")
    parser.add_argument("--verifiers", action="store_true")
    parser.add_argument("--list", action="store_true", help="also list methods that stay open")
    arguments = parser.parse_args()
    run_deep(lambda: campaign(arguments))


def campaign(arguments: argparse.Namespace) -> None:
    said: Counter[str] = Counter()
    why: Counter[str] = Counter()
    judging = searching = 0.0
    for number in range(arguments.methods):
        start = time.perf_counter()
        known = known_method(Random(f"{arguments.seed}/{number}"), right=number % 2 == 0)
        judging += time.perf_counter() - start
        start = time.perf_counter()
        done = explored(known, arguments.seconds)
        searching += time.perf_counter() - start
        truth = "right" if known.truth.is_right else "wrong"
        said[f"{truth}: {done.claim.value}"] += 1
        said["runs of the interpreter"] += known.truth.runs
        for false in false_claims(known, done):
            said["FALSE"] += 1
            print(f"FALSE {number}: {false}\n{known.drawn.text}", flush=True)
        if done.claim is Claim.OPEN:
            why.update([reason[:70] for reason in done.open] or ["a doubtful failure"])
            if arguments.list:
                print(f"OPEN {number}: {'; '.join(done.open)}\n{known.drawn.text}", flush=True)
        if arguments.verifiers:
            verified(known, number, said)
    for name, count in sorted(said.items()):
        print(f"{count:8d}  {name}")
    for reason, count in why.most_common():
        print(f"{count:8d}  open: {reason}")
    print(f"{judging:.0f} s drawing and judging, {searching:.0f} s exploring")


def explored(known: Known, seconds: float) -> MethodExploration:
    search = SearchOptions(seconds=seconds)
    options = ExploreOptions(methods=(METHOD,), search=search)
    explorer = FullExplorer(known.program, "known.vpr", options)
    try:
        return explorer.explore(METHOD)
    finally:
        explorer.close()


def verified(known: Known, number: int, said: Counter[str]) -> None:
    """Both verifiers: to verify a method that fails is a mistake."""
    truth = "right" if known.truth.is_right else "wrong"
    for engine, options in ENGINES.items():
        done = verify_program(known.program, options)
        (outcome,) = [m for m in done.members if m.name == METHOD]
        said[f"{truth}: {engine} {outcome.verdict.value}"] += 1
        if not known.truth.is_right and outcome.verdict is Verdict.VERIFIED:
            said["FALSE"] += 1
            print(f"FALSE {number}: {engine} verifies it\n{known.drawn.text}", flush=True)


if __name__ == "__main__":
    main()
