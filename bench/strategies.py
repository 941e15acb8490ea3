"""Two ways to prove the procedures of the second verifier: obligation by obligation, or as a whole.

Usage: python bench/strategies.py tests/programs examples [--timeout 20]

Each member is translated once and proved twice, each time with a solver of its own. Times are
processor seconds of the proof alone; the findings must be the same.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from pitviper.base.deep_stack import run_deep
from pitviper.driver.front.frontend import load
from pitviper.driver.suite.programs import find_programs
from pitviper.driver.verify.sessions import Sessions
from pitviper.engines.shared.members import Member, in_dependency_order
from pitviper.engines.vcg.ivl.outcome import Outcome, ProverOptions, Strategy
from pitviper.engines.vcg.ivl.prover import prove
from pitviper.engines.vcg.options import Options
from pitviper.engines.vcg.verifier import Run, start, translate
from pitviper.plugins.options import PluginOptions
from pitviper.plugins.pipeline import apply_plugins


@dataclass(slots=True)
class Row:
    members: int = 0
    seconds: dict[Strategy, float] = field(default_factory=lambda: defaultdict(float))
    queries: dict[Strategy, int] = field(default_factory=lambda: defaultdict(int))
    different: list[str] = field(default_factory=list)


def measure(path: Path, row: Row) -> None:
    front = load(path)
    if front.program is None:
        return
    encoded = apply_plugins(front.program, PluginOptions())
    if encoded.diagnostics:
        return
    with Sessions() as sessions:
        run = start(encoded.program, Options(), sessions.open)
        for member in in_dependency_order(run):
            _member(run, member, row)


def _member(run: Run, member: Member, row: Row) -> None:
    found: dict[Strategy, set[tuple[str, str, str]]] = {}
    before = dict(run.axioms)
    for strategy in Strategy:
        run.axioms.clear()
        run.axioms.update(before)
        translated = translate(run, member)
        began = time.process_time()
        outcome = prove(translated.procedure, translated.solver, ProverOptions(strategy))
        row.seconds[strategy] += time.process_time() - began
        row.queries[strategy] += outcome.effort.queries
        found[strategy] = _findings(outcome)
    row.members += 1
    if found[Strategy.WALK] != found[Strategy.WHOLE]:
        row.different.append(member.name)


def _findings(outcome: Outcome) -> set[tuple[str, str, str]]:
    told = {(f.id, str(f.span), str(f.offending)) for f in outcome.findings}
    return told | {("undecided", str(u.span), u.message) for u in outcome.undecided}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folders", nargs="+", type=Path)
    rows: dict[str, Row] = defaultdict(Row)
    for folder in parser.parse_args().folders:
        for program in find_programs(folder):
            row = rows[str(program.path.parent)]
            run_deep(lambda path=program.path, row=row: measure(path, row))
    print(f"{'folder':40} members     walk    whole  ratio  queries  different")
    for name, row in rows.items():
        walk, whole = row.seconds[Strategy.WALK], row.seconds[Strategy.WHOLE]
        asked = f"{row.queries[Strategy.WALK]}/{row.queries[Strategy.WHOLE]}"
        ratio = whole / walk if walk else 0.0
        said = ", ".join(row.different) or "-"
        print(f"{name:40} {row.members:7} {walk:8.2f} {whole:8.2f} {ratio:6.2f}  {asked:9} {said}")
    return 1 if any(row.different for row in rows.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
