"""Small changes to programs that others wrote: do both verifiers and exploration still agree?

    python bench/mutations.py SUITE [--every N] [--offset K] [--changes M] [--seed S] [--keep DIR]

Each program is changed in one token at a time (a comparison, a number, a connective, a permission,
a name, a whole line), which makes most of them wrong. Then both verifiers verify each member.
`DISAGREE` names members that one verifies and the other refutes although they agree on the program
as it was: one of the two is wrong or incomplete. `WRONG` names members that a verifier verifies
although exploration has inputs that make them fail: somebody is wrong for sure. Changed programs
with such a line are kept in the folder that `--keep` names.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from pitviper.driver.deep_stack import run_deep
from pitviper.driver.explore import Explorer
from pitviper.driver.explore_options import ExploreOptions
from pitviper.driver.frontend import load_text
from pitviper.driver.suite_programs import SuiteProgram, find_programs
from pitviper.driver.verify import open_verifier
from pitviper.driver.verify_options import VerifyOptions
from pitviper.explore.options import Calls, Loops, ModelOptions, SearchOptions
from pitviper.results.verdict import Verdict
from pitviper.source.file import SourceFile
from pitviper.syntax.lexer import lex

OTHERS = {
    "<=": ("<", ">="), "<": ("<=", ">"), ">=": (">", "=="), ">": (">=", "<"), "==": ("!=", "<="),
    "!=": ("==",), "+": ("-",), "-": ("+",), "*": ("+",), "&&": ("||", "==>"), "||": ("&&",),
    "==>": ("&&", "<=="), "true": ("false",), "false": ("true",), "write": ("1/2", "none"),
    "none": ("write",), "wildcard": ("write", "none"), "in": ("subset",),
    "requires": ("ensures",), "ensures": ("requires",), "inhale": ("exhale", "assert"),
    "exhale": ("inhale", "assert"), "assert": ("exhale", "assume"), "assume": ("assert",),
    "fold": ("unfold",), "unfold": ("fold",), "0": ("1",), "1": ("2", "0"), "2": ("1",),
    "exists": ("forall",), "forall": ("exists",), "old": ("",), "null": ("this", "x"),
}  # fmt: skip
"""What may stand for a token instead; most of it is another program, some of it is none."""

Verdicts = dict[str, Verdict]


def changed(text: str, chance: random.Random, count: int) -> Iterator[str]:
    """Versions of a text with one change each."""
    tokens, _ = lex(SourceFile(Path("p.vpr"), text))
    spots = [
        (start, word)
        for at, start in enumerate(tokens.starts)
        if (word := tokens.text(at)) in OTHERS or (word.isidentifier() and len(word) <= 5)
    ]
    names = sorted({w for _, w in spots if w not in OTHERS})
    lines = text.splitlines(keepends=True)
    for _ in range(count if spots else 0):
        if chance.random() < 0.2:
            at = chance.randrange(len(lines))
            yield "".join([*lines[:at], *lines[at + 1 :]])
            continue
        start, word = spots[chance.randrange(len(spots))]
        other = chance.choice(OTHERS.get(word) or names)
        yield text[:start] + other + text[start + len(word) :]


def verdicts(text: str, program: SuiteProgram, backend: str, timeout: float) -> Verdicts | None:
    """What a verifier says about each member; None where there is no program."""
    options = VerifyOptions(program.options.check, backend=backend, timeout=timeout)
    with open_verifier(options, program.options.library) as verifier:
        done = verifier.verify(verifier.read_text(text, str(program.path)))
        if done.verdict is Verdict.REJECTED:
            return None
        for name, outcome in done.members.items():
            if outcome.crash is not None:
                print(f"CRASH {backend} {program.path}: {name}: {outcome.crash.said}", flush=True)
        return {name: outcome.verdict for name, outcome in done.members.items()}


def failing(text: str, program: SuiteProgram, names: list[str]) -> list[str]:
    """Those of the methods for which exploration has inputs that make them fail."""
    front = load_text(text, str(program.path), program.options.check, program.options.library)
    assert front.program is not None
    wanted = tuple(
        [n for n in names if n in front.program.methods and front.program.methods[n].body]
    )
    if not wanted:
        return []
    options = ExploreOptions(
        methods=wanted,
        model=ModelOptions(Loops.UNROLL, Calls.INLINE),
        search=SearchOptions(runs=40, nodes=300, seconds=0.5),
    )
    explorer = Explorer(front.program, str(program.path), options)
    try:
        return [name for name in wanted if explorer.explore(name).certain_failures]
    finally:
        explorer.close()


def look(text: str, program: SuiteProgram, known: set[str], timeout: float) -> list[str]:
    """What is suspicious about a version of a program."""
    first = verdicts(text, program, "symbolic", timeout)
    if first is None:
        return []
    second = verdicts(text, program, "vcg", timeout) or {}
    found = []
    decided = (Verdict.VERIFIED, Verdict.REFUTED)
    for name, verdict in first.items():
        other = second.get(name, Verdict.UNDECIDED)
        if verdict is not other and verdict in decided and other in decided and name not in known:
            found.append(f"DISAGREE {name}: symbolic {verdict.value}, vcg {other.value}")
    proved = [n for n in first if Verdict.VERIFIED in (first[n], second.get(n))]
    for name in failing(text, program, proved):
        found.append(f"WRONG {name}: symbolic {first[name].value}, vcg {second[name].value}")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suite", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--offset", type=int, default=0)
    parser.add_argument("--changes", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--timeout", type=float, default=5.0)
    parser.add_argument("--keep", type=Path)
    arguments = parser.parse_args()
    counts: Counter[str] = Counter()
    for program in find_programs(arguments.suite)[arguments.offset :: arguments.every]:
        run_deep(lambda program=program: campaign(program, arguments, counts))
    print(dict(counts))


def campaign(program: SuiteProgram, arguments: argparse.Namespace, counts: Counter[str]) -> None:
    """The versions of one program."""
    text = program.path.read_text(encoding="utf-8")
    if len(text) > 20_000:
        return
    base = look(text, program, set(), arguments.timeout)
    known = {line.split()[1].rstrip(":") for line in base}
    chance = random.Random(f"{arguments.seed} {program.path.name}")
    for number, version in enumerate(changed(text, chance, arguments.changes)):
        counts["versions"] += 1
        found = look(version, program, known, arguments.timeout)
        if not found:
            continue
        kept = ""
        if arguments.keep is not None:
            arguments.keep.mkdir(parents=True, exist_ok=True)
            path = arguments.keep / f"{program.path.stem}-{arguments.seed}-{number}.vpr"
            path.write_text(version, encoding="utf-8")
            kept = f" in {path}"
        for line in found:
            counts[line.split()[0]] += 1
            print(f"{line} ({program.path}{kept})", flush=True)


if __name__ == "__main__":
    main()
