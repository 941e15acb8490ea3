"""Do verdicts depend on luck? The same programs under several solver seeds, and under other names.

    python bench/stability.py FOLDER [--every N] [--offset K] [--seeds 5] [--timeout S]

Each program is verified by both engines with seed 0; then with other seeds of the solver, and once
more with all its names changed. A member is unstable if its verdict is not always the same. A
question that was proved with seed 0 is unstable if another seed does not prove it again, with the
same limit: it is asked in the order of the proof, in a session of its own.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from random import Random

from pitviper.base.deep_stack import run_deep
from pitviper.driver.front.frontend import load_text
from pitviper.driver.fuzz.mutations import PRESERVING, changed
from pitviper.driver.suite.programs import SuiteProgram, find_programs
from pitviper.driver.verify.options import EngineOptions, SymbolicOptions, VcgOptions
from pitviper.driver.verify.sessions import Sessions
from pitviper.driver.verify.verification import verify_program
from pitviper.program.member import Program
from pitviper.results.verdict import Verdict
from pitviper.solver.proofs import Proof, ProofRecording, prove_again
from pitviper.solver.session import Solver
from pitviper.solver.z3.options import Z3Options
from pitviper.solver.z3.session import Z3Session

ENGINES: dict[str, EngineOptions] = {"symbolic": SymbolicOptions(), "vcg": VcgOptions()}


class SeededSessions(Sessions):
    """Sessions of a solver with another seed; what they prove is kept."""

    def __init__(self, seed: int, timeout: float) -> None:
        super().__init__(timeout=timeout)
        self._seed = seed
        self.proofs: list[Proof] = []

    def open(self) -> Solver:
        self.proofs.append([])
        return ProofRecording(super().open(), self.proofs[-1])

    def new_session(self) -> Z3Session:
        return Z3Session(Z3Options(seed=self._seed))


def verdicts(program: Program, engine: EngineOptions, sessions: SeededSessions) -> list[Verdict]:
    """Of the members, in source order: names may differ."""
    with sessions:
        done = verify_program(program, engine, sessions=sessions)
    return [member.verdict for member in done.members]


def measure(program: SuiteProgram, seeds: int, timeout: float, counts: Counter[str]) -> None:
    """Adds what one program shows; one that takes longer than its time is left out."""
    text = program.path.read_text(encoding="utf-8", errors="replace")
    options = program.options
    front = load_text(text, str(program.path), options.check, options.library)
    if front.program is None:
        return
    renamed = changed(text, PRESERVING["rename"], Random(0))
    other = (
        None if renamed is None else load_text(renamed, str(program.path), options.check).program
    )
    for name, engine in ENGINES.items():
        first = SeededSessions(0, timeout)
        base = verdicts(front.program, engine, first)
        if first.stopped is not None:
            counts[f"{name}: programs out of time"] += 1
            continue
        counts[f"{name}: programs"] += 1
        counts[f"{name}: members"] += len(base)
        unstable: set[int] = set()
        for seed in range(1, seeds):
            again = verdicts(front.program, engine, SeededSessions(seed, 4 * timeout))
            unstable |= {at for at, verdict in enumerate(again) if verdict is not base[at]}
        counts[f"{name}: members unstable under seeds"] += len(unstable)
        _count_questions(name, first.proofs, seeds, counts)
        if other is not None:
            again = verdicts(other, engine, SeededSessions(0, 4 * timeout))
            differ = sum(a is not b for a, b in zip(base, again, strict=False))
            counts[f"{name}: members unstable under names"] += differ
        if unstable:
            print(f"UNSTABLE {name} {program.path}: {len(unstable)} members", flush=True)


def _count_questions(name: str, proofs: list[Proof], seeds: int, counts: Counter[str]) -> None:
    for proof in proofs:
        missed: set[int] = set()
        asked = 0
        for seed in range(1, seeds):
            with Z3Session(Z3Options(seed=seed)) as session:
                again = prove_again(proof, session)
            asked = again.asked
            missed |= {id(goal) for goal in again.missed}
        counts[f"{name}: questions"] += asked
        counts[f"{name}: questions unstable under seeds"] += len(missed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--offset", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--timeout", type=float, default=5.0)
    arguments = parser.parse_args()
    counts: Counter[str] = Counter()
    for program in find_programs(arguments.folder)[arguments.offset :: arguments.every]:
        run_deep(
            lambda program=program: measure(program, arguments.seeds, arguments.timeout, counts)
        )
    for key, count in sorted(counts.items()):
        print(f"{count:7}  {key}")


if __name__ == "__main__":
    main()
