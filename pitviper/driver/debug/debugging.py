"""Opens the proof debugger: verifies a program with a recorder, and keeps what failed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from pitviper.base.deep_stack import run_deep
from pitviper.base.record import record, replace
from pitviper.checking.typed_input import TypedInput
from pitviper.counterexample.find import types_of
from pitviper.counterexample.problem import Question, Sought
from pitviper.debugger.obligations.symbolic import Background, SymbolicObligation
from pitviper.debugger.obligations.vcg import VcgObligation
from pitviper.debugger.session import Debugger, debugger_for
from pitviper.driver.debug.tools import DriverTools
from pitviper.driver.front.frontend import FrontEnd, load, load_text
from pitviper.driver.front.selection import select_members
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.sessions import Sessions, Stopped
from pitviper.engines.symbolic.recorder import Failed
from pitviper.engines.symbolic.verifier import (
    Member,
    Run,
    in_dependency_order,
    start,
    verify_member,
)
from pitviper.explain import findings
from pitviper.explain.recorder import Failing, TraceRecorder
from pitviper.plugins.pipeline import Encoded, apply_plugins
from pitviper.program.member import Program
from pitviper.results.debugging import ErrorView, Reply
from pitviper.results.finding import Finding
from pitviper.solver.recording import Declared
from pitviper.source.diagnostic import Diagnostic

DEFAULT_OPTIONS = VerifyOptions()


@record
class DebugSession:
    """A debugger with its program; None where the front end or a plugin rejected that.

    All work is done on a deep stack. `crashed` are members that Pitviper itself failed on.
    """

    front: FrontEnd
    debugger: Debugger | None
    rejected: tuple[Diagnostic, ...] = ()
    crashed: tuple[str, ...] = ()

    def execute(self, line: str) -> tuple[Reply, ...]:
        """The answers to one command line; an interrupt ends the command, not the session."""
        debugger = self._required()
        return run_deep(lambda: debugger.execute(line), stop=debugger.interrupt)

    def complete(self, line: str) -> tuple[str, ...]:
        debugger = self._required()
        return run_deep(lambda: debugger.complete(line))

    def _required(self) -> Debugger:
        if self.debugger is None:
            raise ValueError("the program was rejected: there is nothing to debug")
        return self.debugger


def open_debugger(
    source: str | Path,
    options: VerifyOptions = DEFAULT_OPTIONS,
    library: tuple[Path, ...] = (),
    name: str = "<text>",
) -> DebugSession:
    """Verify a program and stand inside what failed; a `str` is the program, a `Path` its file.

    >>> session = open_debugger("method m(x: Int) { assert x > 0 }")
    >>> [error.id for error in session.debugger.errors().errors]
    ['assert.failed:assertion.false']
    >>> session.execute("assume x@0 == 5")[-1].proof.outcome.value
    'proved'
    """
    if isinstance(source, str):
        front = load_text(source, name, options.check, library)
    else:
        front = load(source, options.check, library)
    return run_deep(lambda: debug_program(front, options))


def debug_program(front: FrontEnd, options: VerifyOptions) -> DebugSession:
    if front.program is None:
        return DebugSession(front, None)
    program = front.program
    if options.select:
        program = select_members(program, options.select)
    encoded = apply_plugins(program, options.plugins)
    if encoded.diagnostics:
        return DebugSession(front, None, encoded.diagnostics)
    if options.backend == "vcg":
        return _debug_vcg(front, program, encoded, options)
    recording = _Recording(front, program, encoded, options)
    obligations = recording.run()
    tools = DriverTools(program, options, lambda at: recording.question(obligations[at]))
    return DebugSession(front, debugger_for(obligations, tools), (), tuple(recording.crashed))


def _debug_vcg(
    front: FrontEnd, program: Program, encoded: Encoded, options: VerifyOptions
) -> DebugSession:
    from pitviper.driver.debug.vcg import vcg_obligations

    obligations = _in_source_order(vcg_obligations(front, program, encoded, options))
    return DebugSession(front, debugger_for(obligations, DriverTools(program, options)))


class _Recording:
    """One recorded verification of all members; recorders of those without failure are let go."""

    def __init__(
        self, front: FrontEnd, program: Program, encoded: Encoded, options: VerifyOptions
    ) -> None:
        self._program = program
        self._encoded = encoded
        self._options = options
        self._check = TypedInput(front.members, options.check)
        self._asked: dict[int, tuple[Run, Member, Finding | None]] = {}
        self.crashed: list[str] = []

    def run(self) -> list[SymbolicObligation]:
        options, found = self._options, list[SymbolicObligation]()
        with Sessions(options.limit, options.timeout) as sessions:
            opened: list[Declared] = []

            def open_session() -> Declared:
                opened.append(Declared(sessions.open()))
                return opened[-1]

            run = start(self._encoded.program, options.symbolic, open_session, findings)
            for member in in_dependency_order(run):
                recorder = run.recorder = TraceRecorder()
                self._attempt(run, member)
                background = Background(
                    recorder,
                    member,
                    self._program,
                    opened[-1].axioms,
                    self._check,
                    run.axioms,
                )
                for failing, finding in self._failures(recorder):
                    error = error_view(len(found), failing.failed, finding)
                    found.append(SymbolicObligation(error, failing, background))
                    self._asked[id(found[-1])] = run, member, finding
                opened.clear()
        return _in_source_order(found)

    def question(self, obligation: SymbolicObligation) -> Question:
        """What a counterexample is to be found for."""
        run, member, finding = self._asked[id(obligation)]
        failed = obligation.failing.failed
        origins = obligation.recorder.origins
        sought = Sought(run, member, failed.state, failed.context.goal, origins)
        span = obligation.error.span
        return Question(self._program, sought, span, finding, types_of(member))

    def _attempt(self, run: Run, member: Member) -> None:
        """A bug of ours costs the member it shows in; what failed before can be looked at."""
        try:
            verify_member(run, member)
        except Stopped:
            self.crashed.append(f"{member.name}: the time for the run is over")
        except Exception as error:
            self.crashed.append(f"{member.name}: {type(error).__name__}: {error}")

    def _failures(self, recorder: TraceRecorder) -> Iterator[tuple[Failing, Finding | None]]:
        """What the user is told about; plugins translate findings, and expect some of them."""
        always = set(self._encoded.translate(()))
        for failing in recorder.failures:
            finding = failing.failed.finding
            if finding is None:
                yield failing, None
                continue
            told = [f for f in self._encoded.translate((finding,)) if f not in always]
            if told:
                yield failing, told[0]


def error_view(number: int, failed: Failed, finding: Finding | None) -> ErrorView:
    """The error as the user knows it; one that was not decided says so."""
    if finding is None:
        node = failed.context.obligation.node
        message = "The solver reached its limit before this was decided."
        id_ = f"{failed.context.obligation.error}:undecided"
        member = failed.context.services.member
        return ErrorView(number, id_, message, member, node.span, failed.node.span)
    branch = tuple([condition.holds for condition in finding.conditions])
    return ErrorView(
        number, finding.id, finding.message, finding.member, finding.span, finding.offending, branch
    )


Kept = TypeVar("Kept", SymbolicObligation, VcgObligation)


def _in_source_order(found: list[Kept]) -> list[Kept]:
    def place(obligation: Kept) -> tuple[str, int, int]:
        span = obligation.error.span
        return str(span.file.path), span.start, span.end

    ordered = sorted(found, key=place)
    for number, obligation in enumerate(ordered):
        obligation.error = replace(obligation.error, number=number)
    return ordered
