"""The public way to counterexamples: a program in, small checked states out.

    options = CounterexampleOptions(instances=3)
    for result in counterexamples(Path("list.vpr"), options):
        ...                                     # Counterexample or NoCounterexample

A debugger that has a recorded run asks `instances(question, options)` of
`counterexample_instance.py`; `questions_of` makes the questions about one recorded member.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pitviper.base.deep_stack import run_deep
from pitviper.base.record import record
from pitviper.base.usage_error import UsageError
from pitviper.counterexample.alloy.model import alloy_text
from pitviper.counterexample.instance import instances
from pitviper.counterexample.options import CounterexampleOptions
from pitviper.counterexample.problem import Earlier, Question, Sought, problem_of
from pitviper.counterexample.where import Constraints, extended
from pitviper.driver.front.frontend import FrontEnd
from pitviper.driver.front.selection import select_members
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.sessions import Sessions, Stopped
from pitviper.engines.symbolic.options import Options
from pitviper.engines.symbolic.verifier import (
    Member,
    Run,
    in_dependency_order,
    start,
    verify_member,
)
from pitviper.explain import findings
from pitviper.explain.recorder import Action, TraceRecorder
from pitviper.plugins.pipeline import Encoded, apply_plugins
from pitviper.program.member import Function, Method, Program
from pitviper.program.stmt import Declare
from pitviper.program.walk import descendants
from pitviper.results.counterexample import Result


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
    """An instance for every failed check of a program, in the order in which checks failed."""
    chosen = verify or VerifyOptions()
    front, constraints = extended(path, options.where, chosen.check, library)
    if front.program is None:
        return Answered(front, (), failed=True)
    program, sessions = front.program, Sessions(chosen.limit, chosen.timeout)

    def run() -> Answered:
        with sessions:
            asked = _Asked(program, options, chosen, constraints)
            found: list[Result] = []
            try:
                found.extend(asked.results(sessions))
            except Stopped as stopped:
                return Answered(front, tuple(found), asked.failed, str(stopped), asked.alloy)
            return Answered(front, tuple(found), asked.failed, None, asked.alloy)

    return run_deep(run, stop=lambda: sessions.stop("interrupted"))


class _Asked:
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
        select = self._options.select
        program = select_members(self._program, select) if select else self._program
        encoded = apply_plugins(program, self._verify.plugins)
        if encoded.diagnostics:
            raise UsageError(encoded.diagnostics[0].message)
        amounts = self._verify.check.respect_function_perm_amounts
        run = start(encoded.program, Options(amounts, self._verify.join), sessions.open, findings)
        told = False
        for member in in_dependency_order(run):
            if self._constraints.is_own(member.name):
                continue
            recorder = run.recorder = TraceRecorder()
            verify_member(run, member)
            self.failed = self.failed or bool(recorder.failures)
            for question in self._questions(run, member, recorder, encoded):
                sessions.require_going()
                if not told and self._options.alloy:
                    self.alloy = _alloy(question, self._options)
                told = True
                yield from instances(question, self._options)
        if self._options.at is not None and not told:
            raise UsageError(f"no statement that was reached starts at line {self._options.at}")

    def _questions(
        self, run: Run, member: Member, recorder: TraceRecorder, encoded: Encoded
    ) -> Iterator[Question]:
        asked = questions_of(run, member, recorder, self._program, encoded)
        if self._options.at is not None:
            asked = states_at(self._options.at, run, member, recorder, self._program)
        for question in asked:
            yield self._constraints.applied(question)


def _alloy(question: Question, options: CounterexampleOptions) -> str:
    problem = problem_of(question.sought, question.constraints)
    title = (
        f"{question.member}, line {question.span.line}, {question.finding and question.finding.id}"
    )
    return alloy_text(problem, title, options.objects)


def questions_of(
    run: Run, member: Member, recorder: TraceRecorder, program: Program, encoded: Encoded
) -> Iterator[Question]:
    """One for each check of a recorded member that failed; `program` is that of the user."""
    seen: set[object] = set()
    earlier: list[Earlier] = []
    for failing in recorder.failures:
        failed = failing.failed
        if failed.finding is None:
            continue
        translated = encoded.translate((failed.finding,), frozenset())
        key = (failed.finding.id, failed.finding.span, failed.finding.offending)
        if key not in seen and translated:
            seen.add(key)
            sought = Sought(run, member, failed.state, failed.context.goal, recorder.origins)
            finding = translated[0]
            yield Question(
                program, sought, finding.span, finding, types_of(member), (), tuple(earlier)
            )
        finding = failed.finding
        earlier.append(Earlier(finding.message, finding.span, failed.context.goal))


def states_at(
    line: int, run: Run, member: Member, recorder: TraceRecorder, program: Program
) -> Iterator[Question]:
    """The first recorded state before a statement that starts in a line."""
    for action in _actions(recorder.roots):
        if action.rule == "execute" and action.node.span.line == line and action.before is not None:
            sought = Sought(run, member, action.before, None, recorder.origins)
            yield Question(program, sought, action.node.span, None, types_of(member))
            return


def _actions(roots: list[Action]) -> Iterator[Action]:
    stack = list(reversed(roots))
    while stack:
        action = stack.pop()
        yield action
        stack.extend(reversed(action.inner))


def types_of(member: Member) -> dict[str, str]:
    """The types of the variables that a reader knows: parameters, results and locals."""
    found = {p.name: str(p.type) for p in member.params}
    if isinstance(member, Function):
        found["result"] = str(member.result)
    if isinstance(member, Method):
        found.update({r.name: str(r.type) for r in member.returns})
        for node in descendants(member.body) if member.body is not None else ():
            if isinstance(node, Declare):
                found[node.variable.name] = str(node.variable.type)
    return found
