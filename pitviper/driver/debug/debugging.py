"""Opens the proof debugger: verifies a program with a recorder, and keeps what failed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from pitviper.base.deep_stack import Late, run_deep
from pitviper.base.record import record, replace
from pitviper.counterexample.question import Question, sought_of, types_of
from pitviper.debugger.obligations.symbolic import Background, SymbolicObligation
from pitviper.debugger.obligations.vcg import VcgObligation
from pitviper.debugger.session import Debugger, debugger_for
from pitviper.driver.debug.tools import DriverTools
from pitviper.driver.front.frontend import FrontEnd, load, load_text
from pitviper.driver.front.selection import select_members
from pitviper.driver.verify.completion import completed
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.sessions import Sessions, Stopped
from pitviper.driver.verify.solver_texts import wrong_texts
from pitviper.engines.symbolic.recorder import Failed
from pitviper.explain.recorded_run import RecordedMember, recorded_members
from pitviper.explain.recorder import Failing
from pitviper.plugins.pipeline import Encoded, apply_plugins
from pitviper.program.member import Program
from pitviper.results.debugging import ErrorView, Reply, error_of
from pitviper.results.finding import Finding
from pitviper.source.diagnostic import Diagnostic

DEFAULT_OPTIONS = VerifyOptions()


@record
class DebugSession:
    """A debugger with its program; None where the front end or a plugin rejected that.

    All work is done on a deep stack. `crashed` are members that Pitviper itself failed on, `late`
    those for which the time was too short.
    """

    front: FrontEnd
    debugger: Debugger | None
    rejected: tuple[Diagnostic, ...] = ()
    crashed: tuple[str, ...] = ()
    late: tuple[str, ...] = ()

    def execute(self, line: str) -> tuple[Reply, ...]:
        """Returns the answers to one line; an interrupt ends the command, not the session."""
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
    """Verifies a program and opens what failed; a `str` is the program, a `Path` its file.

    >>> session = open_debugger("method m(x: Int) { assert x > 0 }")
    >>> [error.id for error in session.debugger.errors().errors]
    ['assert.failed:assertion.false']
    >>> session.execute("assume x@0 == 5")[-1].proof.outcome.value
    'proved'
    """
    sessions = Sessions(options.limit, options.timeout)
    if isinstance(source, str):
        front = load_text(source, name, options.check, library)
    else:
        front = load(source, options.check, library)
    front = completed(front, options)
    return _Opening(front, options, sessions).session()


class _Opening:
    """From a program that was read to its debugger, in the time of the sessions."""

    def __init__(self, front: FrontEnd, options: VerifyOptions, sessions: Sessions) -> None:
        self._front = front
        self._options = options
        self._sessions = sessions
        self._late: list[str] = []

    def session(self) -> DebugSession:
        front, options = self._front, self._options
        if front.program is None:
            return DebugSession(front, None)
        program = front.program
        if options.select:
            program = select_members(program, options.select)
        encoded = run_deep(lambda: apply_plugins(program, options.plugins))
        rejected = (*encoded.diagnostics, *run_deep(lambda: wrong_texts(program)))
        if rejected:
            return DebugSession(front, None, rejected)
        if options.backend == "vcg":
            return self._vcg(program, encoded)
        return self._symbolic(program, encoded)

    def _symbolic(self, program: Program, encoded: Encoded) -> DebugSession:
        recording = run_deep(lambda: _Recording(self._front, program, encoded, self._options))
        self._run(lambda: recording.run(self._sessions))
        obligations = _in_source_order(list(recording.found))
        tools = DriverTools(
            program,
            self._options,
            lambda at: recording.question(obligations[at]),
            self._front.types,
        )
        debugger = run_deep(lambda: debugger_for(obligations, tools))
        late = (*recording.late, *self._late)
        return DebugSession(self._front, debugger, (), tuple(recording.crashed), late)

    def _vcg(self, program: Program, encoded: Encoded) -> DebugSession:
        from pitviper.driver.debug.vcg import Heard, vcg_obligations

        found: list[VcgObligation] = []
        check = self._front.reader(self._options.check)
        heard = Heard(self._sessions, self._late)
        asked = program, encoded, check, self._options, heard
        self._run(lambda: found.extend(vcg_obligations(*asked)))
        tools = DriverTools(program, self._options)
        debugger = run_deep(lambda: debugger_for(_in_source_order(found), tools))
        return DebugSession(self._front, debugger, late=tuple(self._late))

    def _run(self, verify: Callable[[], None]) -> None:
        """Verifies all members; what is late is told, and what was found before is kept."""
        sessions = self._sessions

        def run() -> None:
            with sessions:
                verify()

        try:
            run_deep(run, lambda: sessions.stop("interrupted"), sessions.given_up)
        except (Late, Stopped):  # a solver need not heed an interrupt: nobody waits for it
            self._late.append(f"not all members were verified: {sessions.over_text}")


class _Recording:
    """One recorded verification of all members; recorders of those without failure are let go."""

    def __init__(
        self, front: FrontEnd, program: Program, encoded: Encoded, options: VerifyOptions
    ) -> None:
        self._program = program
        self._encoded = encoded
        self._options = options
        self._check = front.reader(options.check)
        self._asked: dict[int, tuple[RecordedMember, Finding | None]] = {}
        self.found: list[SymbolicObligation] = []
        self.crashed: list[str] = []
        self.late: list[str] = []

    def run(self, sessions: Sessions) -> None:
        for recorded in recorded_members(self._encoded, self._options.symbolic, sessions.open):
            if isinstance(recorded.crash, Stopped):
                self.late.append(f"{recorded.member.name}: {sessions.over_text}")
            elif isinstance(recorded.crash, MemoryError):
                self.late.append(f"{recorded.member.name}: {recorded.crash}")
            elif recorded.crash is not None:
                self.crashed.append(f"{recorded.member.name}: {_why(recorded.crash)}")
            background = Background(recorded, self._program, self._check)
            for failing, finding in _failures(recorded):
                error = error_view(len(self.found), failing.failed, finding)
                obligation = SymbolicObligation(error, failing, background)
                self._asked[id(obligation)] = recorded, finding
                self.found.append(obligation)

    def question(self, obligation: SymbolicObligation) -> Question:
        """Returns what a counterexample is to be found for."""
        recorded, finding = self._asked[id(obligation)]
        member, sought = recorded.member, sought_of(obligation.failing, recorded)
        return Question(self._program, sought, obligation.error.span, finding, types_of(member))


def _why(crash: Exception) -> str:
    return f"{type(crash).__name__}: {crash}"


def _failures(recorded: RecordedMember) -> Iterator[tuple[Failing, Finding | None]]:
    """Gives the failed checks that the user is told about; None where it was not decided."""
    for failing in recorded.recorder.failures:
        finding = failing.failed.finding
        told = None if finding is None else recorded.told(finding)
        if finding is None or told is not None:
            yield failing, told


def error_view(number: int, failed: Failed, finding: Finding | None) -> ErrorView:
    """Returns the error as the user knows it; one that was not decided says so."""
    if finding is None:
        node = failed.context.obligation.node
        message = "The solver reached its limit before this was decided."
        id_ = f"{failed.context.obligation.error}:undecided"
        member = failed.context.services.member
        return ErrorView(number, id_, message, member, node.span, failed.node.span)
    return error_of(number, finding)


Kept = TypeVar("Kept", SymbolicObligation, VcgObligation)


def _in_source_order(found: list[Kept]) -> list[Kept]:
    def place(obligation: Kept) -> tuple[str, int, int]:
        span = obligation.error.span
        return str(span.file.path), span.start, span.end

    ordered = sorted(found, key=place)
    for number, obligation in enumerate(ordered):
        obligation.error = replace(obligation.error, number=number)
    return ordered
