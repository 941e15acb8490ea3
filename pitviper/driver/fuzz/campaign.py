"""A search for mistakes of ours: cases by number, in worker processes.

What a case is depends on the seed and its number alone; time decides only how many there are. A
case is a random program (or one of a folder), the versions of it that repair makes, one change that
keeps the meaning of the last version, and some that break it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random

from pitviper.base.deep_stack import run_deep
from pitviper.base.record import record, replace
from pitviper.driver.fuzz.grammar import random_program
from pitviper.driver.fuzz.judge import Judge, Judged
from pitviper.driver.fuzz.mutations import BREAKING, PRESERVING, changed
from pitviper.driver.fuzz.repair import repaired
from pitviper.driver.fuzz.shrink import shrunk
from pitviper.driver.work.tasks import Done, Failed, Limits, Lost, TimedOut, run_killable
from pitviper.results.fuzzing import CERTAIN, Contradiction, Fuzzed, Kind
from pitviper.results.verdict import Verdict

CASE_SECONDS = 120.0
"""After so long a case is given up; it is told, as no program should take that long."""
BATCH = 50
"""Cases that one set of workers does: what a process has kept is then forgotten."""
ENOUGH = 3
"""Contradictions of the same kind that are made small: further ones take time and say no more."""
LARGEST = 6000
"""Characters of a program of a folder: larger ones take too long for what they show."""


@record
class FuzzOptions:
    """`minutes` or `cases` end the search, whichever comes first; `first` is the first case.

    `programs` is a folder of programs that are changed, beside the random ones.
    """

    seed: int = 0
    minutes: float | None = None
    cases: int | None = None
    first: int = 0
    jobs: int = 1
    programs: Path | None = None


@record
class CaseResult:
    """What one case contributes to the whole."""

    programs: Counter[str]
    oracles: Counter[str]
    verdicts: Counter[str]
    contradictions: tuple[Contradiction, ...]


Tell = Callable[[Fuzzed], None]


def fuzz(options: FuzzOptions, tell: Tell | None = None) -> Fuzzed:
    """All that was found; `tell` is called after each case with what there is so far."""
    began = time.monotonic()
    until = None if options.minutes is None else began + 60 * options.minutes
    last = options.cases if options.cases is not None else 10**9
    texts = _texts(options.programs)
    whole = Fuzzed(options.seed, 0, 0.0)
    known: Counter[str] = Counter()
    for number, result in _cases(options, last, texts, known):
        known.update([] if result is None else [c.signature for c in result.contradictions])
        whole = _added(whole, number, result)
        whole = replace(whole, seconds=time.monotonic() - began)
        if tell is not None:
            tell(whole)
        if until is not None and time.monotonic() >= until:
            break
    return whole


def _cases(
    options: FuzzOptions, last: int, texts: tuple[tuple[str, str], ...], known: Counter[str]
) -> Iterator[tuple[int, CaseResult | None]]:
    """The cases as they finish; None for one that did not end in its time, or not at all."""
    for start in range(0, last, BATCH):
        numbers = range(options.first + start, options.first + min(start + BATCH, last))
        limits = Limits(options.jobs, CASE_SECONDS)
        enough = frozenset([signature for signature, count in known.items() if count >= ENOUGH])
        work = partial(_run, options.seed, texts, enough)
        for done in run_killable(work, numbers, limits):
            number = numbers[done.index]
            match done.outcome:
                case Done(value):
                    yield number, value
                case TimedOut() | Lost():
                    yield number, None
                case Failed(report):
                    yield number, _crashed(report)


def _run(
    seed: int, texts: tuple[tuple[str, str], ...], enough: frozenset[str], number: int
) -> CaseResult:
    return run_case(seed, number, texts, enough)


def _crashed(report: str) -> CaseResult:
    """A judge that raised: the trace stands for the program, which its number gives again."""
    said = f"a judge crashes: {report.strip().splitlines()[-1]}"
    found = Contradiction(Kind.CRASH, said, "".join(f"// {line}\n" for line in report.splitlines()))
    return CaseResult(Counter(), Counter(), Counter(), (found,))


def _added(whole: Fuzzed, number: int, result: CaseResult | None) -> Fuzzed:
    if result is None:
        return replace(whole, cases=whole.cases + 1, late=(*whole.late, number))
    found = [replace(c, case=number) for c in result.contradictions]
    return replace(
        whole,
        cases=whole.cases + 1,
        programs=Counter(whole.programs) + result.programs,
        oracles=Counter(whole.oracles) + result.oracles,
        verdicts=Counter(whole.verdicts) + result.verdicts,
        contradictions=(*whole.contradictions, *found),
    )


def _texts(folder: Path | None) -> tuple[tuple[str, str], ...]:
    if folder is None:
        return ()
    paths = sorted(folder.rglob("*.vpr"))
    read = [(str(path), path.read_text(encoding="utf-8", errors="replace")) for path in paths]
    return tuple([(name, text) for name, text in read if len(text) <= LARGEST])


def run_case(
    seed: int,
    number: int,
    texts: tuple[tuple[str, str], ...] = (),
    enough: frozenset[str] = frozenset(),
) -> CaseResult:
    """All that a case shows; the same whenever it is run.

    Contradictions of which there are `enough` are told as they are, and not made small.
    """
    return run_deep(lambda: _Case(Random(f"{seed}/{number}"), texts, enough).run())


class _Case:
    """One case under way."""

    def __init__(
        self, random: Random, texts: tuple[tuple[str, str], ...], enough: frozenset[str]
    ) -> None:
        self._random = random
        self._enough = enough
        self._texts = texts
        self._judge = Judge(Random(random.random()))
        self._programs: Counter[str] = Counter()
        self._found: list[Contradiction] = []
        self._origin = ""

    def run(self) -> CaseResult:
        if self._texts and self._random.random() < 0.5:
            base = self._from_folder()
        else:
            base = self._from_grammar()
        if base.program is not None:
            self._keep_meaning(base)
            for _ in range(3):
                self._break(base)
            if base.verified_by and self._random.random() < 0.15:
                self._found += self._judge.denied_queries(base)
        judge = self._judge
        return CaseResult(self._programs, judge.oracles, judge.verdicts, tuple(self._found))

    def _from_folder(self) -> Judged:
        name, text = self._random.choice(self._texts)
        self._origin = name
        judged = self._judge.verify(text)
        self._seen(judged, "folder")
        return judged

    def _from_grammar(self) -> Judged:
        written = random_program(self._random)
        self._origin = f"grammar ({', '.join(written.themes)})"
        judged = self._judge.verify(written.text)
        self._seen(judged, "grammar")
        if judged.program is not None and self._random.random() < 0.1:
            self._found += self._judge.untrue_counterexamples(judged)
        return repaired(judged, self._judge, lambda version: self._seen(version, "repair"))

    def _keep_meaning(self, base: Judged) -> None:
        name = self._random.choice(list(PRESERVING))
        text = changed(base.text, PRESERVING[name], self._random)
        if text is None:
            return
        after = self._judge.verify(text)
        self._seen(after, f"preserving: {name}")
        self._judge.oracles["verdicts before and after a change that keeps the meaning"] += 1
        if after.program is None:
            self._found.append(
                Contradiction(Kind.CHANGED, f"rejected after {name}", text, origin=self._origin)
            )
            return
        for engine in base.outcomes:
            for member in base.outcomes[engine]:
                verdicts = base.verdict(engine, member), after.verdict(engine, member)
                if set(verdicts) == {Verdict.VERIFIED, Verdict.REFUTED}:
                    said = f"{engine}: {verdicts[0].value}, after {name} {verdicts[1].value}"
                    both = f"{text}\n/* before:\n{base.text}*/\n"
                    self._found.append(Contradiction(Kind.CHANGED, said, both, origin=self._origin))

    def _break(self, base: Judged) -> None:
        name = self._random.choice(list(BREAKING))
        text = changed(base.text, BREAKING[name], self._random)
        if text is not None:
            self._seen(self._judge.verify(text), f"breaking: {name}")

    def _seen(self, judged: Judged, made_by: str) -> None:
        """Counts a program and keeps what can be said against what was said about it."""
        self._programs[made_by] += 1
        for found in self._judge.contradictions(judged):
            origin = f"{self._origin}, {made_by}"
            self._found.append(replace(self._small(found), origin=origin))

    def _small(self, found: Contradiction) -> Contradiction:
        attempts = 150 if found.kind in CERTAIN else 60

        def holds(text: str) -> bool:
            judge = Judge(Random(0))
            again = judge.contradictions(judge.verify(text))
            return any(c.kind is found.kind and c.said == found.said for c in again)

        if found.signature in self._enough or not holds(found.text):
            return found
        return replace(found, text=shrunk(found.text, holds, attempts))
