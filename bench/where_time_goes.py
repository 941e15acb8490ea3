"""Says where the time of verifying a program goes: Python, solver, which questions, which axioms.

Usage: python bench/where_time_goes.py [--functions N] [--questions N] [--axioms N] FILE ...
       python bench/where_time_goes.py --classes FOLDER ...

All times are processor time.
"""

from __future__ import annotations

import argparse
import collections
import cProfile
import os
import pstats
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from pathlib import Path as FilePath
from unittest.mock import patch

from pitviper.base.deep_stack import run_deep
from pitviper.driver.front.frontend import FrontEnd, load
from pitviper.driver.suite.programs import find_programs
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.sessions import Sessions
from pitviper.driver.verify.verification import Verification, verify_program
from pitviper.solver.session import (
    ASSERT,
    CHECK,
    SATURATE,
    SPLIT,
    SUBSET,
    Answer,
    Path,
    Solver,
    Statistics,
)
from pitviper.solver.z3.engine import Z3Engine
from pitviper.solver.z3.options import Z3Options
from pitviper.solver.z3.session import Z3Session
from pitviper.terms.term import FALSE, Term

CLOCK = time.process_time
"""Processor time, so that other work on the machine does not count."""

KINDS = {
    ASSERT: "obligation",
    CHECK: "how to go on",
    SATURATE: "saturate",
    SUBSET: "subset",
    SPLIT: "split",
}

INSTANCES = re.compile(r"\[quantifier_instances\]\s+(?P<name>\S+)\s*:\s*(?P<count>\d+)")
"""How Z3 reports about a quantifier."""


@dataclass(frozen=True, slots=True)
class Question:
    """One call of `entails`; seconds include moving to its path, `checking` only the solver."""

    name: str
    kind: str
    proved: bool
    exhausted: bool
    seconds: float
    checking: float


@dataclass(slots=True)
class Account:
    """What a run spent on its solver."""

    questions: list[Question] = field(default_factory=list)
    opening: float = 0.0
    declaring: float = 0.0
    total: Statistics = field(default_factory=Statistics)

    def add(self, used: Statistics) -> None:
        for item in fields(Statistics):
            added = getattr(self.total, item.name) + getattr(used, item.name)
            setattr(self.total, item.name, added)


class MeteredSession(Z3Session):
    """A session with an account of what each question cost."""

    def __init__(self, account: Account, options: Z3Options) -> None:
        super().__init__(options)
        self._account = account

    def _opened(self) -> Z3Engine:
        """At the first question: not a part of its cost."""
        if self._engine is not None:
            return self._engine
        start = CLOCK()
        engine = super()._opened()
        self._account.opening += CLOCK() - start
        return engine

    def entails(self, path: Path, goal: Term, limit: int = ASSERT, name: str = "") -> Answer:
        before, opening, start = self._statistics.seconds, self._account.opening, CLOCK()
        answer = super().entails(path, goal, limit, name)
        seconds = CLOCK() - start - (self._account.opening - opening)
        checking = self._statistics.seconds - before
        kind = KINDS.get(limit, str(limit)) + (", dead?" if goal is FALSE else "")
        self._account.questions.append(
            Question(name, kind, answer.proved, answer.exhausted, seconds, checking)
        )
        return answer

    def declare(self, axioms: Sequence[Term]) -> None:
        start = CLOCK()
        super().declare(axioms)
        self._account.declaring += CLOCK() - start


class MeteredSessions(Sessions):
    """Sessions that are accounted for; `further` are settings of the solver."""

    def __init__(self, account: Account, further: tuple[tuple[str, str], ...] = ()) -> None:
        super().__init__()
        self._account = account
        self._options = Z3Options(further=further)
        self._session: MeteredSession | None = None

    def open(self) -> Solver:
        self.close()
        start = CLOCK()
        self._session = MeteredSession(self._account, self._options)
        self._account.opening += CLOCK() - start
        return self._session

    def close(self) -> None:
        if self._session is not None:
            self._account.add(self._session.statistics())
            start = CLOCK()
            self._session.close()
            self._account.opening += CLOCK() - start
            self._session = None


def verify(front: FrontEnd, sessions: Sessions) -> Verification:
    assert front.program is not None, [str(error) for error in front.errors]
    options = VerifyOptions()
    return verify_program(front.program, options.engine, options.plugins, sessions)


def show_account(file: FilePath, questions: int) -> None:
    """Twice in a row, so that caches that outlive a run are filled; the second counts."""
    for _ in range(2):
        start = CLOCK()
        front = load(file)
        reading = CLOCK() - start
        account = Account()
        start = CLOCK()
        with patch("pitviper.solver.z3.solver.perf_counter", CLOCK):
            done = verify(front, MeteredSessions(account))
        seconds = CLOCK() - start
    print(
        f"\n{file.name}: {done.verdict.value}, read in {reading:.3f} s, verified in {seconds:.3f} s"
    )
    _show_shares(account, seconds)
    _show_kinds(account)
    for q in sorted(account.questions, key=lambda q: -q.seconds)[:questions]:
        outcome = "proved" if q.proved else "limit reached" if q.exhausted else "not proved"
        print(f"    {q.seconds:7.3f} s  {q.kind}: {outcome}, for {q.name}")


def _show_shares(account: Account, seconds: float) -> None:
    total = account.total
    asking = sum(q.seconds for q in account.questions)
    rows = {
        "Z3, checks": total.seconds,
        "terms and assertions for checks": asking - total.seconds,
        "opening and closing sessions": account.opening + account.declaring,
        "all else: our rules": seconds - asking - account.declaring - account.opening,
    }
    for title, part in rows.items():
        print(f"  {title:34}{part:8.3f} s {part / seconds:6.0%}")
    print(
        f"  {total.queries} questions, {total.without_solver} answered without Z3,"
        f" {total.assertions} assertions, {total.pushes} pushes, {total.nodes} nodes,"
        f" {total.resources} resources"
    )


def _show_kinds(account: Account) -> None:
    kinds: dict[str, list[Question]] = {}
    for question in account.questions:
        kinds.setdefault(question.kind, []).append(question)
    for kind, found in sorted(kinds.items(), key=lambda item: -sum(q.seconds for q in item[1])):
        proved, exhausted = sum(q.proved for q in found), sum(q.exhausted for q in found)
        seconds, checking = sum(q.seconds for q in found), sum(q.checking for q in found)
        print(
            f"  {kind:24}{len(found):6} asked{proved:6} proved{exhausted:5} at the limit"
            f"{seconds:9.3f} s, of it checks {checking:.3f}"
        )


CLASSES = {
    "40 to 60 %": (0.4, 0.6),
    "85 to 95 %": (0.85, 0.95),
    "slowest 20": (-20, None),
    "all": (0.0, 1.0),
}
"""Parts of all programs, ordered by their time."""


def show_classes(folders: list[FilePath]) -> None:
    """Shares of the time of the median, the 90th percentile and the slowest programs."""
    found = []
    for program in (p for folder in folders for p in find_programs(folder)):
        if "graphs" in program.path.parts:
            continue
        start = CLOCK()
        front = load(program.path, program.options.check, tuple(program.options.library))
        reading = CLOCK() - start
        if front.program is None:
            continue
        account, start = Account(), CLOCK()
        with patch("pitviper.solver.z3.solver.perf_counter", CLOCK):
            verify(front, MeteredSessions(account))
        found.append((CLOCK() - start + reading, reading, account))
    found.sort(key=lambda item: item[0])
    print("| programs | mean | reading | Z3 checks | terms, assertions | sessions | rules, rest |")
    print("|---|---|---|---|---|---|---|")
    for title, (low, high) in CLASSES.items():
        part = found[_at(low, found) : None if high is None else _at(high, found)]
        print(f"| {title} | {' | '.join(_shares(part))} |")


def _at(place: float, found: list[tuple[float, float, Account]]) -> int:
    return round(place * len(found)) if isinstance(place, float) else place


def _shares(part: list[tuple[float, float, Account]]) -> list[str]:
    total = sum(seconds for seconds, _, _ in part)
    checks = sum(account.total.seconds for _, _, account in part)
    asking = sum(q.seconds for _, _, account in part for q in account.questions)
    sessions = sum(account.opening + account.declaring for _, _, account in part)
    reading = sum(reading for _, reading, _ in part)
    rest = total - asking - sessions - reading
    shares = [f"{cost / total:.0%}" for cost in (reading, checks, asking - checks, sessions, rest)]
    return [f"{1000 * total / len(part):.0f} ms", *shares]


def show_functions(file: FilePath, count: int) -> None:
    """By own time, which cProfile inflates for functions that are short and called often."""
    front = load(file)
    profile = cProfile.Profile(CLOCK)

    def run() -> None:
        profile.enable()
        verify(front, Sessions())
        profile.disable()

    run_deep(run)
    stats = pstats.Stats(profile)
    stats.strip_dirs().sort_stats("tottime").print_stats(count)


def show_axioms(file: FilePath, count: int) -> None:
    """How often each quantifier was instantiated, summed over all members."""
    front = load(file)
    with _standard_error() as log:
        verify(front, MeteredSessions(Account(), (("smt.qi.profile", "true"),)))
    found: collections.Counter[str] = collections.Counter()
    for match in INSTANCES.finditer("".join(log)):
        found[match["name"]] += int(match["count"])
    print(f"  instances of quantifiers: {found.total()}")
    for name, times in found.most_common(count):
        print(f"    {times:8}  {name}")


@contextmanager
def _standard_error() -> Iterator[list[str]]:
    """What the solver writes to standard error, there at the end."""
    log: list[str] = []
    with tempfile.TemporaryFile() as file:
        kept = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            yield log
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            file.seek(0)
            log.append(file.read().decode(errors="replace"))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("files", nargs="+", type=FilePath)
    parser.add_argument("--questions", type=int, default=5, help="slowest questions to show")
    parser.add_argument("--functions", type=int, default=0, help="functions with most own time")
    parser.add_argument("--axioms", type=int, default=0, help="quantifiers with most instances")
    parser.add_argument("--classes", action="store_true", help="a table for all of a folder")
    arguments = parser.parse_args()
    if arguments.classes:
        show_classes(arguments.files)
        return 0
    for file in arguments.files:
        show_account(file, arguments.questions)
        if arguments.axioms:
            show_axioms(file, arguments.axioms)
        if arguments.functions:
            show_functions(file, arguments.functions)
    return 0


if __name__ == "__main__":
    sys.exit(main())
