"""What exploration says about annotated programs: which failures it finds, which it calls spurious.

    python bench/explore_suite.py SUITE [--every N] [--offset K] [--seconds S] [--verifiers]

For each method with a body it compares with the annotations in it. Columns: the method is
annotated to fail and a failing input was found there (found), all its paths were run and none
failed (spurious), or neither (yellow). Of methods without annotation: fails although nothing is
annotated (alarm), proved, or open. Alarms and spurious ones are listed.

`--verifiers` asks both verifiers about each method that is told to fail: one that verifies it
contradicts the failing input (contradicted). What they refute and exploration proves is counted,
too (beyond): exploration may know more, so these are listed to be read.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import replace
from pathlib import Path

from pitviper.base.deep_stack import run_deep
from pitviper.driver.explore.explore import FullExplorer
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.front.frontend import load
from pitviper.driver.fuzz.judge import ENGINES
from pitviper.driver.verify.options import EngineOptions
from pitviper.driver.verify.verification import verify_program
from pitviper.engines.explore.options import Calls, Loops, ModelOptions, SearchOptions
from pitviper.program.member import Method, Program
from pitviper.results.annotations import Kind, read_annotations
from pitviper.results.exploration import Claim
from pitviper.results.verdict import Verdict

WHY: Counter[str] = Counter()
"""Reasons for which a method that is annotated to fail stays yellow."""

LISTED: list[str] = []
"""Not empty where yellow methods are to be listed."""

ASKED: dict[str, EngineOptions] = {}
"""Verifiers that are asked as well."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suite", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--offset", type=int, default=0)
    parser.add_argument("--failing", action="store_true", help="only methods annotated to fail")
    parser.add_argument("--list", action="store_true", help="also list yellow methods")
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--runs", type=int, default=150)
    parser.add_argument("--verifiers", action="store_true", help="ask both verifiers as well")
    parser.add_argument("--frontier", default="mixed")
    parser.add_argument("--calls", choices=("inline", "contract"), default="inline")
    parser.add_argument("--loops", choices=("unroll", "invariant", "auto"), default="unroll")
    arguments = parser.parse_args()
    LISTED.extend(["yellow"] if arguments.list else [])
    ASKED.update(ENGINES if arguments.verifiers else {})
    options = ExploreOptions(
        model=ModelOptions(Loops(arguments.loops), Calls(arguments.calls)),
        search=SearchOptions(
            arguments.frontier, arguments.runs, nodes=1000, seconds=arguments.seconds
        ),
    )
    counts: Counter[str] = Counter()
    programs: Counter[str] = Counter()
    files = sorted(arguments.suite.rglob("*.vpr"))[arguments.offset :: arguments.every]
    only = arguments.failing
    for file in files:
        results = run_deep(lambda file=file: explore(file, options, failing=only))
        counts.update(results)
        failing = {"found", "spurious", "yellow"} & set(results)
        if failing:
            best = next(w for w in ("found", "yellow", "spurious") if w in failing)
            programs[best] += 1
    print("methods:", dict(sorted(counts.items())))
    print("why yellow:", WHY.most_common(25))
    print("programs with a failing method:", dict(sorted(programs.items())))


def explore(file: Path, options: ExploreOptions, *, failing: bool = False) -> list[str]:
    try:
        front = load(file)
    except Exception as error:
        return [f"unreadable {type(error).__name__}"]
    if front.program is None:
        return []
    text = front.source.text
    notes = read_annotations(text, file)
    kinds = (Kind.EXPECTED, Kind.MISSING)
    allowed = [a.line for a in notes.items if a.kind is Kind.UNEXPECTED]
    others = ("refute", "termination")  # about all runs, or about endless ones
    lines = [a.line for a in notes.items if a.kind in kinds and not a.key.startswith(others)]
    if failing and not lines:
        return []
    blurred = any(a.kind is Kind.IGNORE_FILE for a in notes.items)
    if "oldpermsemantics" in file.parts:
        options = replace(options, model=replace(options.model, exact_amounts=True))
    try:
        explorer = FullExplorer(front.program, str(file), options)
    except Exception as error:
        print(f"CRASH {file} {type(error).__name__}: {error}")
        return ["crash"]
    results = []
    claims: dict[str, Claim] = {}
    for name in explorer.chosen.methods:
        method = front.program.methods[name]
        if method.span.file.path != front.source.path or blurred:
            continue
        first, last = method.span.line, method.span.end_position[0]
        if failing and not any(first <= line <= last for line in lines):
            continue
        try:
            said, claims[name] = judge(explorer, method, (lines, allowed), file)
            results.append(said)
        except Exception as error:
            print(f"CRASH {file} {name} {type(error).__name__}: {error}")
            results.append("crash")
    explorer.close()
    exact = options.model.exact_amounts
    return [*results, *verified(front.program, claims, file, exact=exact)]


def verified(program: Program, claims: dict[str, Claim], file: Path, *, exact: bool) -> list[str]:
    """What verifiers say of methods that exploration calls failing or proved."""
    decided = (Claim.FAILS, Claim.PROVED)
    if not any(claim in decided for claim in claims.values()):
        return []
    found = []
    for engine, options in ASKED.items():
        amounts = replace(options, respect_function_amounts=exact)
        for outcome in verify_program(program, amounts).members:
            claim = claims.get(outcome.name)
            if claim is Claim.FAILS and outcome.verdict is Verdict.VERIFIED:
                print(f"CONTRADICTED {file}:{outcome.name} {engine} verifies it")
                found.append(f"contradicted by {engine}")
            if claim is Claim.PROVED and outcome.verdict is Verdict.REFUTED:
                print(f"BEYOND {file}:{outcome.name} {engine} refutes it")
                found.append(f"beyond {engine}")
    return found


def judge(
    explorer: FullExplorer, method: Method, noted: tuple[list[int], list[int]], file: Path
) -> tuple[str, Claim]:
    lines, allowed = noted
    first, last = method.span.line, method.span.end_position[0]
    expected = [line for line in lines if first <= line <= last]
    done = explorer.explore(method.name)
    found = [r.finding.span.line for r in done.certain_failures if r.finding is not None]
    if expected:
        if any(line in lines for line in found):
            return "found", done.claim
        if found:
            print(f"ELSEWHERE {file}:{method.name} {sorted(set(found))} expected {expected}")
            return "yellow", done.claim
        if done.claim in (Claim.PROVED, Claim.HOLDS):
            print(f"SPURIOUS {file}:{method.name} {done.claim.value} lines {expected}")
            return "spurious", done.claim
        reasons = [why[:60] for why in done.open] or ["doubtful"]
        WHY.update(reasons)
        if LISTED:
            print(f"YELLOW {file}:{method.name} lines {expected}: {'; '.join(reasons)}")
        return "yellow", done.claim
    strange = [line for line in found if line not in (*lines, *allowed)]
    if strange:
        ids = {r.finding.id for r in done.certain_failures if r.finding is not None}
        print(f"ALARM {file}:{method.name} lines {sorted(set(strange))} {sorted(ids)}")
        return "alarm", done.claim
    if done.claim is Claim.FAILS:
        print(f"FAILS {file}:{method.name} lines {sorted(set(found))}, annotated for other tools")
    return done.claim.value, done.claim


if __name__ == "__main__":
    main()
