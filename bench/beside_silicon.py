"""Small changes to programs that others wrote: do we report what Silicon reports, line by line?

    python bench/beside_silicon.py FOLDER [FOLDER ...] [--mutants N] [--seed S] [--lines L]
                                   [--backend symbolic] [--silicon DIR] [--keep DIR]

A mutant has one change: a token, a number, a name, a whole line, a statement put in. Silicon and
this verifier report the ids of their errors and their lines. Of each mutant on which they differ a
line says what only one of them reports, and `--keep` keeps the program; somebody has to read it,
since either may be right. Mutants depend on the seed alone. The last line counts them.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from compare_silicon import WARM_UP
from mutations import changed
from silicon_installation import NotAvailable, Silicon, find_silicon
from warm_process import Timing, WarmProcess

from pitviper.base.deep_stack import run_deep
from pitviper.driver.suite.programs import SuiteProgram, find_programs
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.verify import open_verifier

LIMIT = 40.0
"""Seconds for a mutant; one that takes longer is not compared."""

WORDS = "inhale|exhale|assert|assume|fold|unfold|package|apply"
STATEMENT = re.compile(rf"\s*(({WORDS})\b|[\w.]+\s*:=)")
CLAUSE = re.compile(r"\s*(requires|ensures|invariant|decreases|axiom)\b")
ANNOTATION = re.compile(r"//::[^\n]*")

PUT_IN = (
    "exhale acc({x}.{f}, 1/2)", "inhale acc({x}.{f}, wildcard)", "inhale acc({x}.{f}, -1/2)",
    "assert {x} != null", "assert perm({x}.{f}) > none", "assert false", "{x} := {x}",
    "if ({x}.{f} > 0) {{ assert false }}", "while ({x}.{f} > 0) invariant acc({x}.{f}) {{ }}",
    "assert forall zz: Ref :: zz.{f} == zz.{f}", "{x} := new({f})", "{x}.{f} := {x}.{f}",
    "label ll assert old[ll]({x}.{f}) == {x}.{f}",
)  # fmt: skip
"""Statements that are put in, about a name `x` and a field `f` of the program."""

Place = tuple[str, int]


class Said(NamedTuple):
    """A verdict, and the id and the line of each error."""

    verdict: str
    errors: frozenset[Place]


def mutant(text: str, chance: random.Random) -> str | None:
    """The text with one change; None where this change fits nowhere."""
    ways: tuple[Callable[[str, random.Random], str | None], ...] = (
        lambda text, chance: next(changed(text, chance, 1), None),
        without_line, without_line, exchanged_lines, with_statement,
    )  # fmt: skip
    return chance.choice(ways)(text, chance)


def without_line(text: str, chance: random.Random) -> str | None:
    """A clause or a statement that fills a line is left out, or written twice."""
    lines = text.split("\n")
    chosen = [at for at, line in enumerate(lines) if STATEMENT.match(line) or CLAUSE.match(line)]
    if not chosen:
        return None
    at = chance.choice(chosen)
    lines[at : at + 1] = chance.choice(([""], [""], [lines[at], lines[at]]))
    return "\n".join(lines)


def exchanged_lines(text: str, chance: random.Random) -> str | None:
    lines = text.split("\n")
    chosen = [at for at, line in enumerate(lines) if STATEMENT.match(line)]
    if len(chosen) < 2:
        return None
    one, two = chance.sample(chosen, 2)
    lines[one], lines[two] = lines[two], lines[one]
    return "\n".join(lines)


def with_statement(text: str, chance: random.Random) -> str | None:
    lines = text.split("\n")
    chosen = [at for at, line in enumerate(lines) if STATEMENT.match(line)]
    fields = re.findall(r"\bfield\s+(\w+)", text)
    names = re.findall(r"\b[a-z]\w*\b(?=\.)", text)
    if not (chosen and fields and names):
        return None
    statement = chance.choice(PUT_IN).format(x=chance.choice(names), f=chance.choice(fields))
    lines.insert(chance.choice(chosen), statement)
    return "\n".join(lines)


def theirs(timing: Timing) -> Said:
    """Places of Silicon are `FILE@LINE.COLUMN` or `(LINE.COLUMN)`, with an end or without."""
    errors = set()
    for error in timing.details.split():
        identifier, _, place = error.partition("@")
        line = re.search(r"(\d+)\.\d+", place.rpartition("@")[2])
        errors.add((identifier, int(line[1]) if line else 0))
    return Said(timing.verdict, frozenset(errors))


def ours(file: Path, program: SuiteProgram, backend: str) -> Said:
    options = VerifyOptions(program.options.check, backend=backend, timeout=LIMIT)
    with open_verifier(options, program.options.library) as verifier:
        done = verifier.verify(verifier.read_text(file.read_text(encoding="utf-8"), str(file)))
    found = {(finding.id, finding.span.line) for finding in done.findings}
    refused = {
        (error.code, error.span.line if error.span else 0)
        for error in (*done.front.errors, *done.rejected)
    }
    return Said(done.verdict.value, frozenset(found | refused))


def compare(programs: list[SuiteProgram], silicon: Silicon, chosen: argparse.Namespace) -> None:
    chance, counts = random.Random(chosen.seed), Counter[str]()
    with tempfile.TemporaryDirectory() as name:
        known = Path(name) / "warm_up.vpr"
        known.write_text(WARM_UP, encoding="utf-8")
        folder = chosen.keep or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        warm_up = ["\t".join(silicon.options(known))]
        with WarmProcess(silicon.server, warm_up, LIMIT) as process:
            while counts["mutants"] < chosen.mutants:
                program = chance.choice(programs)
                text = ANNOTATION.sub("", program.path.read_text(encoding="utf-8"))
                version = mutant(text, chance)
                if version is None:
                    continue
                counts["mutants"] += 1
                file = folder / f"{program.path.stem}-{chosen.seed}-{counts['mutants']}.vpr"
                file.write_text(version, encoding="utf-8")
                more = ("--numberOfErrorsToReport", "0")
                asked = theirs(process.ask("\t".join(silicon.options(file, more))))
                found = ours(file, program, chosen.backend)
                kind = judged(asked, found)
                counts[kind] += 1
                if kind == "same":
                    file.unlink()
                elif kind != "not compared":
                    print(f"{file.name}: {kind}: {difference(asked, found)}", flush=True)
    print(dict(counts))


def judged(asked: Said, found: Said) -> str:
    if asked.verdict not in ("verified", "refuted") or found.verdict == "undecided":
        return "not compared"
    if asked.errors == found.errors:
        return "same"
    if not found.errors:
        return "only we verify"
    return "other errors" if asked.errors else "only Silicon verifies"


def difference(asked: Said, found: Said) -> str:
    here, there = sorted(found.errors - asked.errors), sorted(asked.errors - found.errors)
    return f"only here {here}, only Silicon {there}"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--mutants", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lines", type=int, default=120, help="programs of at most so many lines")
    parser.add_argument("--backend", default="symbolic")
    parser.add_argument("--silicon", type=Path, default=Path.home() / ".cache" / "pitviper-bench")
    parser.add_argument("--keep", type=Path, help="where mutants are kept on which we differ")
    chosen = parser.parse_args()
    programs = [
        program
        for folder in chosen.folders
        for program in find_programs(folder)
        if short(program.path, chosen.lines)
    ]
    with tempfile.TemporaryDirectory() as classes:
        try:
            silicon = find_silicon(chosen.silicon, Path(classes))
        except NotAvailable as problem:
            print(problem, file=sys.stderr)
            return 2
        run_deep(lambda: compare(programs, silicon, chosen))
    return 0


def short(path: Path, lines: int) -> bool:
    """Programs that import others would need them beside the mutant."""
    text = path.read_text(encoding="utf-8", errors="replace")
    return path.suffix == ".vpr" and text.count("\n") < lines and "import" not in text


if __name__ == "__main__":
    sys.exit(main())
