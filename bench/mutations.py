"""Small changes to programs that others wrote: do both verifiers and exploration still agree?

    python bench/mutations.py SUITE [--every N] [--offset K] [--changes M] [--seed S] [--keep DIR]

Each program is changed in one token at a time (a comparison, a number, a connective, a permission,
a name, a whole line), which makes most of them wrong. Then both verifiers verify each member.
`DISAGREE` names members that one verifies and the other refutes although they agree on the program
as it was: one of the two is wrong or incomplete. `WRONG` names members that a verifier verifies,
with all that they use, although exploration has inputs that make them fail: somebody is wrong for
sure. `CRASH` needs no explanation. Changed programs with such a line are kept in the folder that
`--keep` names.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from pitviper.base.deep_stack import run_deep
from pitviper.driver.explore.explore import Explorer
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.front.frontend import load_text
from pitviper.driver.suite.programs import SuiteProgram, find_programs
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.verify import open_verifier
from pitviper.engines.explore.options import Calls, Loops, ModelOptions, SearchOptions
from pitviper.program.callgraph import call_graph
from pitviper.program.dependencies import Dependencies
from pitviper.program.member import Program
from pitviper.results.exploration import MethodExploration
from pitviper.results.verdict import Verdict
from pitviper.source.span import SourceFile
from pitviper.syntax.parse.lexer import lex

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
        return {
            name: Verdict.REJECTED if outcome.crash is not None else outcome.verdict
            for name, outcome in done.members.items()
        }


def trusted(program: Program, known: Verdicts) -> list[str]:
    """Methods that are verified together with all that they use."""
    uses = Dependencies(program, call_graph(program))
    return [
        name
        for name, method in program.methods.items()
        if method.body is not None
        and all(known.get(n) is Verdict.VERIFIED for n in (name, *uses.of(method)) if n in known)
    ]


def failing(program: Program, names: tuple[str, ...], path: Path) -> list[str]:
    """Those of the methods for which exploration has inputs that make them fail."""
    if not names:
        return []
    options = ExploreOptions(
        methods=names,
        model=ModelOptions(Loops.UNROLL, Calls.INLINE),
        search=SearchOptions(runs=40, nodes=300, seconds=0.5),
    )
    explorer = Explorer(program, str(path), options)
    try:
        return [name for name in names if _certain(explorer.explore(name))]
    finally:
        explorer.close()


def _certain(done: MethodExploration) -> bool:
    return any(not run.assuming for run in done.certain_failures)


def look(text: str, program: SuiteProgram, known: set[str], timeout: float) -> list[str]:
    """What is suspicious about a version of a program."""
    first = verdicts(text, program, "symbolic", timeout)
    if first is None:
        return []
    second = verdicts(text, program, "vcg", timeout) or {}
    found = []
    for name, verdict in first.items():
        other = second.get(name, Verdict.UNDECIDED)
        said = f"{name}: symbolic {verdict.value}, vcg {other.value}"
        if Verdict.REJECTED in (verdict, other):
            found.append(f"CRASH {said}")
        elif {verdict, other} == {Verdict.VERIFIED, Verdict.REFUTED} and name not in known:
            found.append(f"DISAGREE {said}")
    options = program.options
    front = load_text(text, str(program.path), options.check, options.library)
    assert front.program is not None
    proved = {n: None for v in (first, second) for n in trusted(front.program, v)}
    for name in failing(front.program, tuple(proved), program.path):
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
