"""The public way to counterexamples: a program in, small checked states out.

options = CounterexampleOptions(instances=3)
for result in counterexamples(Path("list.vpr"), options).results:
    ...                                     # Counterexample or NoCounterexample
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pitviper.base.deep_stack import run_deep
from pitviper.base.record import record, replace
from pitviper.base.usage_error import UsageError
from pitviper.counterexample.alloy.model import alloy_text
from pitviper.counterexample.instance import instances
from pitviper.counterexample.options import CounterexampleOptions
from pitviper.counterexample.problem import problem_of
from pitviper.counterexample.question import Question, questions_of, states_at
from pitviper.counterexample.where import Constraints
from pitviper.driver.counterexample.constraints import constrained_program
from pitviper.driver.front.frontend import FrontEnd
from pitviper.driver.front.selection import select_members
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.sessions import Sessions, Stopped
from pitviper.explain.recorded_run import RecordedMember, recorded_members
from pitviper.plugins.pipeline import apply_plugins
from pitviper.program.member import Program
from pitviper.results.counterexample import Result

__all__ = ["Answered", "CounterexampleOptions", "counterexamples"]


@record
class Answered:
    """What the front end said about a program, and what was found for it."""

    front: FrontEnd
    results: tuple[Result, ...]
    failed: bool
    """Whether any check failed."""
    stopped: str | None = None
    """Why not all members were looked at."""
    alloy: str | None = None
    """The first state as an Alloy model."""


def counterexamples(
    path: Path,
    options: CounterexampleOptions,
    verify: VerifyOptions | None = None,
    library: tuple[Path, ...] = (),
) -> Answered:
    """Returns an instance for every failed check of a program, in the order they failed in."""
    chosen = verify or VerifyOptions()
    front, constraints = constrained_program(path, options.where, chosen.check, library)
    if front.program is None:
        return Answered(front, (), failed=True)
    search = _Search(front.program, options, chosen, constraints)
    sessions, found, stopped = Sessions(chosen.limit, chosen.timeout), list[Result](), None

    def run() -> str | None:
        with sessions:
            try:
                found.extend(search.results(sessions))
            except Stopped as why:
                return str(why)
        return None

    stopped = run_deep(run, stop=lambda: sessions.stop("interrupted"))
    return Answered(front, tuple(found), search.failed, stopped, search.alloy)


class _Search:
    """One run over the members of a program, with what it has come across so far."""

    def __init__(
        self,
        program: Program,
        options: CounterexampleOptions,
        verify: VerifyOptions,
        constraints: Constraints,
    ) -> None:
        self._program = program
        self._options = options
        self._verify = verify
        self._constraints = constraints
        self.failed = False
        self.alloy: str | None = None

    def results(self, sessions: Sessions) -> Iterator[Result]:
        select, told = self._options.select, False
        program = select_members(self._program, select) if select else self._program
        encoded = apply_plugins(program, self._verify.plugins)
        if encoded.diagnostics:
            raise UsageError(encoded.diagnostics[0].message)
        engine = replace(self._verify.symbolic, infer_ghost=False)
        own = self._constraints.methods.values()
        for recorded in recorded_members(encoded, engine, sessions.open, own):
            if recorded.crash is not None:
                raise recorded.crash
            self.failed = self.failed or bool(recorded.recorder.failures)
            for question in self._questions(recorded):
                sessions.require_going()
                if not told and self._options.alloy:
                    self.alloy = _alloy(question, self._options)
                told = True
                yield from instances(question, self._options)
        if self._options.at is not None and not told:
            raise UsageError(f"no statement that was reached starts at line {self._options.at}")

    def _questions(self, recorded: RecordedMember) -> Iterator[Question]:
        at = self._options.at
        if at is None:
            asked = questions_of(recorded, self._program)
        else:
            asked = states_at(at, recorded, self._program)
        return map(self._constraints.applied, asked)


def _alloy(question: Question, options: CounterexampleOptions) -> str:
    problem = problem_of(question.sought, question.constraints)
    finding = question.finding and question.finding.id
    title = f"{question.member}, line {question.span.line}, {finding}"
    return alloy_text(problem, title, options.objects)
