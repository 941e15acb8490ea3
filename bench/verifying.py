"""Verifies programs in this process, one a line of input: Pitviper as its own server would run it.

A line of input is {"file": ..., "options": [...]}, with options of the command line; the line of
output holds seconds, a verdict and details, separated by tabs, as from WarmSilicon.java.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from pitviper.checking.options import CheckOptions
from pitviper.driver.deep_stack import run_deep
from pitviper.driver.frontend import load
from pitviper.driver.verification import Verification, verify_program
from pitviper.plugins.options import PluginOptions
from pitviper.results.verdict import Verdict
from pitviper.symbolic.options import Options

SMOKE = "--enableSmokeDetection"
EXACT_AMOUNTS = "--respectFunctionPrePermAmounts"


def verify_file(file: Path, options: list[str], library: tuple[Path, ...]) -> tuple[str, str]:
    """The verdict and what there is to say about it."""
    smoke, exact = SMOKE in options, EXACT_AMOUNTS in options
    loaded = load(file, CheckOptions(exact, smoke), library)
    if loaded.program is None:
        return Verdict.REJECTED.value, f"{len(loaded.errors)} errors"
    program = loaded.program
    plugins = PluginOptions(smoke_detection=smoke, respect_function_pre_perm_amounts=exact)
    engine = Options(respect_function_amounts=exact)
    done = run_deep(lambda: verify_program(program, engine, plugins))
    return done.verdict.value, _details(done)


def _details(done: Verification) -> str:
    undecided = [u.message for member in done.members for u in member.undecided]
    return undecided[0] if undecided else f"{len(done.findings)} findings"


def main() -> None:
    for line in sys.stdin:
        request = json.loads(line)
        library = tuple(Path(folder) for folder in request.get("library", ()))
        start = time.perf_counter()
        try:
            verdict, details = verify_file(Path(request["file"]), request["options"], library)
        except Exception as problem:  # a crash is a result of the comparison, too
            verdict, details = "crashed", repr(problem)
        seconds = time.perf_counter() - start
        print(seconds, verdict, " ".join(details.split()), sep="\t", flush=True)


if __name__ == "__main__":
    main()
