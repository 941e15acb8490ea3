"""The second verifier against the first: processor seconds by folder, and their ratio.

Usage: python bench/backends.py ../shared/suite/silver [--timeout 20] [--every 1]

Every program is verified by both, one after the other, in one process that stays warm, solver
included. A program counts for both as long as neither is stopped by the time limit.
"""

from __future__ import annotations

import argparse
import resource
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from pitviper.driver.suite.programs import SuiteProgram, find_programs
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.verify import open_verifier
from pitviper.results.verdict import Verdict

MOST = 2.0
"""What the second verifier may cost, relative to the first."""


@dataclass(slots=True)
class Folder:
    programs: int = 0
    symbolic: float = 0.0
    vcg: float = 0.0
    stopped: int = 0

    @property
    def ratio(self) -> float:
        return self.vcg / self.symbolic if self.symbolic else 0.0


def cpu() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


def seconds(program: SuiteProgram, backend: str, timeout: float) -> float | None:
    """Processor seconds of the verification alone; None where the time was over."""
    options = VerifyOptions(program.options.check, backend=backend, timeout=timeout)
    with open_verifier(options, program.options.library) as verifier:
        front = verifier.read(program.path)
        start = cpu()
        done = verifier.verify(front)
        used = cpu() - start
    over = any(
        "time for the run is over" in point.message
        for member in done.members.values()
        for point in member.undecided
    )
    return None if over or done.verdict is Verdict.REJECTED else used


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--timeout", type=float, default=20.0, help="seconds for one program")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each Nth program")
    arguments = parser.parse_args()
    folders: dict[str, Folder] = defaultdict(Folder)
    for program in find_programs(arguments.folder)[:: arguments.every]:
        entry = folders[program.expectation.name.parts[0]]
        first = seconds(program, "symbolic", arguments.timeout)
        second = seconds(program, "vcg", arguments.timeout)
        if first is None or second is None:
            entry.stopped += first is not second
            continue
        entry.programs += 1
        entry.symbolic += first
        entry.vcg += second
    return report(folders)


def report(folders: dict[str, Folder]) -> int:
    whole = Folder()
    print(f"{'folder':26}{'programs':>9}{'symbolic':>10}{'vcg':>9}{'ratio':>8}{'stopped':>9}")
    for name, entry in [*sorted(folders.items()), ("all together", whole)]:
        print(
            f"{name:26}{entry.programs:9}{entry.symbolic:8.1f} s{entry.vcg:7.1f} s"
            f"{entry.ratio:8.2f}{entry.stopped:9}"
        )
        whole.programs += entry.programs
        whole.symbolic += entry.symbolic
        whole.vcg += entry.vcg
        whole.stopped += entry.stopped
    return 0 if folders and ratio_of_all(folders) <= MOST else 1


def ratio_of_all(folders: dict[str, Folder]) -> float:
    """Over all programs."""
    symbolic = sum(entry.symbolic for entry in folders.values())
    return sum(entry.vcg for entry in folders.values()) / symbolic if symbolic else 0.0


if __name__ == "__main__":
    sys.exit(main())
