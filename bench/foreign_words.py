"""Messages about changed programs: which names in them does the program not have?

    python bench/foreign_words.py FOLDER [FOLDER ...] [--mutants N] [--seed S] [--keep DIR]

What findings quote in backticks, what they say is held and the conditions of their paths are made
of names of the program and of words of the language. Any other name comes from an encoding of
ours, or is one that advice invents (`kept`, `i2`), which are listed here. Each other one is printed
with the text around it, for somebody to read; the last line counts. Mutants depend on the seed.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from beside_silicon import ANNOTATION, mutant, short

from pitviper.base.deep_stack import run_deep
from pitviper.driver.suite.programs import SuiteProgram, find_programs
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.verify import open_verifier
from pitviper.results.finding import Finding
from pitviper.syntax.token import KEYWORDS

LIMIT = 15.0
"""Seconds for a mutant."""

INVENTED = re.compile(
    r"kept\w*|[a-z]\w*[12]|[a-z]|pitviper|debug|counterexample|explore|earlier|numberOfErrorsToReport"
)
"""Names that advice makes up, commands that it names."""
QUOTED = re.compile(r"`([^`]*)`")
NAME = re.compile(r"[A-Za-z_$][\w$]*")
ODD = re.compile(r"<[a-z]+>|0x[0-9a-f]{6}|\bNone\b|\w@\d|\n")


def foreign(finding: Finding, program: str) -> Iterator[tuple[str, str]]:
    """Names and signs that are not the program's, with the text that has them."""
    known = {*NAME.findall(program), *KEYWORDS}
    told = [finding.message, finding.advice or "", *finding.notes]
    told += [event.text for event in finding.history]
    shown = [condition.text for condition in finding.conditions] + list(finding.held)
    for text in told + shown:
        for found in ODD.findall(text):
            yield found, text
    for code in shown + [quoted for text in told for quoted in QUOTED.findall(text)]:
        for name in NAME.findall(code):
            if name not in known and not INVENTED.fullmatch(name):
                yield name, code


def findings_about(text: str, program: SuiteProgram, backend: str) -> tuple[Finding, ...]:
    options = VerifyOptions(program.options.check, backend=backend, timeout=LIMIT)
    with open_verifier(options, program.options.library) as verifier:
        return tuple(verifier.verify(verifier.read_text(text, program.path.name)).findings)


def look(programs: list[SuiteProgram], chosen: argparse.Namespace) -> int:
    chance, made, seen, findings = random.Random(chosen.seed), 0, 0, 0
    while made < chosen.mutants:
        program = chance.choice(programs)
        text = mutant(ANNOTATION.sub("", program.path.read_text(encoding="utf-8")), chance)
        if text is None:
            continue
        made += 1
        backend = chance.choice(("symbolic", "symbolic", "vcg"))
        for finding in findings_about(text, program, backend):
            findings += 1
            for name, around in dict.fromkeys(foreign(finding, text)):
                seen += 1
                file = f"{program.path.stem}-{chosen.seed}-{made}.vpr"
                print(f"{file}:{finding.span.line}: {name!r} in {around[:160]!r}", flush=True)
                if chosen.keep is not None:
                    (chosen.keep / file).write_text(text, encoding="utf-8")
    print(f"{made} mutants, {findings} findings, {seen} foreign words")
    return 1 if seen else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--mutants", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lines", type=int, default=150, help="programs of at most so many lines")
    parser.add_argument("--keep", type=Path, help="where programs are kept that have one")
    chosen = parser.parse_args()
    programs = [p for folder in chosen.folders for p in find_programs(folder)]
    looked_at = [p for p in programs if short(p.path, chosen.lines)]
    return run_deep(lambda: look(looked_at, chosen))


if __name__ == "__main__":
    sys.exit(main())
