"""Mutated programs through every sub-command, each with a time limit.

    python bench/mutants.py --mutants 5000 --seed 3 tests/programs

A mutant is a program with tokens left out, doubled, exchanged or taken from another program. No
command may crash, leave a process, or take longer than its time limit and what a start takes.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections import Counter
from pathlib import Path

from faults import Lab, laboratory

LIMIT = 3.0
"""Seconds that a command is given."""

COMMANDS = (
    "check", "format --check", f"verify --timeout {LIMIT}", f"counterexample --timeout {LIMIT}",
    f"verify --backend vcg --timeout {LIMIT}", f"explore --seconds {LIMIT}",
    f"wizard --seconds {LIMIT} --timeout {LIMIT}", f"debug --timeout {LIMIT}",
)  # fmt: skip
_TOKENS = re.compile(r"\w+|\s+|.", re.DOTALL)


def mutant(texts: list[str], choose: random.Random) -> str:
    tokens = _TOKENS.findall(choose.choice(texts))
    others = _TOKENS.findall(choose.choice(texts))
    for _ in range(choose.randint(1, 4)):
        at, other = choose.randrange(len(tokens)), choose.randrange(len(tokens))
        match choose.randrange(4):
            case 0:
                tokens[at] = ""
            case 1:
                tokens[at] *= 2
            case 2:
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case _:
                tokens[at] = choose.choice(others)
    return "".join(tokens)


def run(lab: Lab, words: list[str]) -> tuple[int | None, float, str]:
    """The exit code (None: had to be killed), the seconds beyond the limit, and what was said."""
    start = time.monotonic()
    done = lab.end(lab.start(words), frozenset())
    return done.code, time.monotonic() - start - LIMIT, done.said


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--mutants", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="end after so long")
    arguments = parser.parse_args()
    texts = [path.read_text() for path in sorted(arguments.folder.rglob("*.vpr"))]
    began, codes, late, wrong, made = time.monotonic(), Counter[object](), 0, 0, 0
    with laboratory(arguments.seed) as lab:
        while made < arguments.mutants and time.monotonic() - began < arguments.seconds:
            made += 1
            text = mutant(texts, lab.choose)
            (lab.folder / "mutant.vpr").write_text(text)
            for command in COMMANDS:
                code, over, said = run(lab, [*command.split(), "mutant.vpr"])
                codes[code] += 1
                late += over > 1.0
                bad = code not in (0, 1, 2, 4) or "Traceback" in said or bool(lab.left())
                wrong += bad
                if bad or over > 1.0:
                    kept = Path(f"mutant-{arguments.seed}-{made}.vpr")
                    kept.write_text(text)
                    print(f"{command}: exit {code}, {over + LIMIT:.1f} s: {kept}")
    print(f"{made} mutants, {codes.total()} runs, seed {arguments.seed}")
    print(f"exit codes: {dict(codes)}; {wrong} crashes, {late} more than a second over the limit")


if __name__ == "__main__":
    main()
