"""Verifies programs in this process, one a line of input, so that it stays warm.

As many workers as there are processors take over where a program takes long, as for the command
`pitviper verify`; Silicon verifies as many members at the same time.

A line of input is {"file": ..., "options": [...], "library": [...]}, with options as on the command
line; the line of output holds seconds, a verdict and details, as from WarmSilicon.java.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

from pitviper.base.memory import give_back
from pitviper.checking.options import CheckOptions
from pitviper.driver.verify.options import RunOptions, VerifyOptions
from pitviper.driver.verify.verify import ProgramOutcome, open_verifier

SMOKE = "--enableSmokeDetection"
EXACT_AMOUNTS = "--respectFunctionPrePermAmounts"


def verify_file(file: Path, options: list[str], library: list[Path]) -> ProgramOutcome:
    language = CheckOptions(
        respect_function_perm_amounts=EXACT_AMOUNTS in options, smoke_detection=SMOKE in options
    )
    how = RunOptions(jobs=os.cpu_count())
    with open_verifier(VerifyOptions(check=language), tuple(library), how=how) as verifier:
        done = verifier.verify(verifier.read(file))
    give_back()
    return done


def details(done: ProgramOutcome) -> str:
    """Why a program is undecided, otherwise how much was found."""
    for member in done.members.values():
        if member.crash is not None:
            return member.crash.said
        for undecided in member.undecided:
            return undecided.message
    return f"{len(done.findings) + len(done.rejected) + len(done.front.errors)} errors"


def main() -> None:
    for line in sys.stdin:
        request = json.loads(line)
        library = [Path(folder) for folder in request.get("library", ())]
        start = time.perf_counter()
        done = verify_file(Path(request["file"]), request["options"], library)
        seconds = time.perf_counter() - start
        print(seconds, done.verdict.value, " ".join(details(done).split()), sep="\t", flush=True)


if __name__ == "__main__":
    main()
