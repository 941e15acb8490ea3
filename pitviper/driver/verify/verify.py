"""The whole way of a verification: a program's text in, what is known about it out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pitviper.base.record import record, replace
from pitviper.checking.options import CheckOptions
from pitviper.driver.front.frontend import DEFAULTS, FrontEnd, load, load_masked, load_text
from pitviper.driver.front.selection import select_members
from pitviper.driver.verify.options import RunOptions, VerifyOptions
from pitviper.driver.verify.runner import Prepared, Runner
from pitviper.driver.verify.verification import (
    Settled,
    Unwatched,
    Verification,
    Watch,
    WatchesCures,
)
from pitviper.program.member import Program
from pitviper.results.finding import Finding
from pitviper.results.report import FileReport, Problem, problem_of_diagnostic, problems_of_outcome
from pitviper.results.verdict import MemberOutcome, Verdict
from pitviper.source.diagnostic import Diagnostic
from pitviper.source.reading import Decoded
from pitviper.source.span import Span

if TYPE_CHECKING:
    from pitviper.driver.cache.edits import Edit
    from pitviper.driver.verify.curing import Curing


DEFAULT_OPTIONS = VerifyOptions()
IN_THIS_PROCESS = RunOptions()


@record
class ProgramOutcome:
    """What is known about one program.

    `verification` is None where the front end rejected the program: nothing was verified then.
    """

    front: FrontEnd
    verification: Verification | None

    @property
    def verdict(self) -> Verdict:
        """VERIFIED only if every member is; a finding makes it REFUTED whatever else is open."""
        return Verdict.REJECTED if self.verification is None else self.verification.verdict

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Failed obligations, member by member in source order."""
        return () if self.verification is None else self.verification.findings

    @property
    def members(self) -> dict[str, MemberOutcome]:
        """What is known about each method, function and predicate, in source order."""
        outcomes = () if self.verification is None else self.verification.members
        return {outcome.name: outcome for outcome in outcomes}

    @property
    def rejected(self) -> tuple[Diagnostic, ...]:
        """Why a language plugin refused the program."""
        return () if self.verification is None else self.verification.rejected

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What the front end and the language plugins say."""
        return (*self.front.diagnostics, *self.rejected)


class Verifier:
    """Verifies programs one after the other; they share a time limit and a solver log."""

    def __init__(
        self,
        options: VerifyOptions,
        runner: Runner,
        library: tuple[Path, ...] = (),
        watch: Watch | None = None,
    ) -> None:
        self._options = options
        self._runner = runner
        self._library = library
        self._watch = watch or Unwatched()
        self._cured: list[_Cured] = []

    @property
    def problems(self) -> tuple[str, ...]:
        """What did not work about the run, and did no harm but to its speed or its advice."""
        made = [cured.problem for cured in self._cured if cured.problem is not None]
        return (*self._runner.problems, *made)

    def read(self, file: Path | Decoded) -> FrontEnd:
        """The program in a file; UsageError where there is no such file or it cannot be read."""
        return load(file, self._options.check, self._library)

    def read_text(self, text: str, name: str) -> FrontEnd:
        """The program in a text; relative imports start in the folder of `name`."""
        return load_text(text, name, self._options.check, self._library)

    def read_edit(self, edit: Edit) -> FrontEnd | None:
        """Of an edited file what the edit concerns; None if the whole has to be read."""
        front = load_masked(edit.source, edit.masked, self._options.check, self._library)
        return front if edit.fits(front) else None

    def verify(self, front: FrontEnd) -> ProgramOutcome:
        """What can be proved about a program that was read."""
        if front.program is None:
            return ProgramOutcome(front, None)
        program = front.program
        if front.language is not None and self._options.backend != "symbolic":
            from pitviper.driver.verify.completion import completed

            program = completed(front, self._options).program or program
        return ProgramOutcome(front, self._verify(front, self._prepare(program, front)))

    def verify_edit(
        self, front: FrontEnd, edit: Edit, begin: Callable[[], None]
    ) -> ProgramOutcome | None:
        """The same for what an edit concerns, with what is known about the rest.

        `begin` is called when it is sure that there will be an outcome. None if there is none,
        since the edit concerns all members.
        """
        if front.program is None:
            return None
        prepared = self._prepare(front.program, front)
        if prepared.shared != edit.before.shared:
            return None
        begin()
        return ProgramOutcome(front, self._verify(front, prepared, edit.settled()))

    def _prepare(self, program: Program, front: FrontEnd) -> Prepared:
        if self._options.select:
            program = select_members(program, self._options.select)
        return self._runner.prepare(program, self._options.for_language(front.language))

    def _verify(self, front: FrontEnd, prepared: Prepared, settled: Settled = ()) -> Verification:
        told = self._told(front)
        self._runner.note(f"file {front.source.path}")
        done = self._runner.verify(prepared, _Told(self._watch, told), settled)
        return replace(done, members=tuple([told(outcome) for outcome in done.members]))

    def _told(self, front: FrontEnd) -> Callable[[MemberOutcome], MemberOutcome]:
        """What is told of an outcome: so many findings, and what the front end has inferred."""
        errors, language = self._options.errors, front.language

        def plain(outcome: MemberOutcome) -> MemberOutcome:
            return outcome.with_at_most(errors)

        told: Callable[[MemberOutcome], MemberOutcome] = plain
        can_be_tried = language is None or language.tries_cures
        if can_be_tried and self._options.cures and self._options.timeout is None:
            self._cured.append(_Cured(front, self._options, self._library))
            told = self._cured[-1].told
        if self._options.check.strict:
            told = _strictly(told)
        if language is None:
            return told
        from pitviper.driver.verify.openings import with_openings

        return lambda outcome: with_openings(front, told(outcome))


def _strictly(
    told: Callable[[MemberOutcome], MemberOutcome],
) -> Callable[[MemberOutcome], MemberOutcome]:
    return lambda outcome: told(outcome).taken_strictly


class _Cured:
    """What is told of each member of a program, with cures where they help: tried once."""

    def __init__(self, front: FrontEnd, options: VerifyOptions, library: tuple[Path, ...]) -> None:
        self._front, self._options, self._library = front, options, library
        self._curing: Curing | None = None
        self._known: dict[str, MemberOutcome] = {}

    @property
    def problem(self) -> str | None:
        return None if self._curing is None else self._curing.problem

    def told(self, outcome: MemberOutcome) -> MemberOutcome:
        if outcome.name not in self._known:
            self._known[outcome.name] = self._tried(outcome.with_at_most(self._options.errors))
        return self._known[outcome.name]

    def _tried(self, outcome: MemberOutcome) -> MemberOutcome:
        if not outcome.findings:
            return outcome
        if self._curing is None:
            from pitviper.driver.verify.curing import Curing  # for programs with errors only

            self._curing = Curing(self._front, self._options, self._library)
        return self._curing.cured(outcome)


class _Told:
    """A watch that is told of each outcome what the user is told."""

    def __init__(self, watch: Watch, told: Callable[[MemberOutcome], MemberOutcome]) -> None:
        self._watch = watch
        self._told = told

    def started(self, member: str, done: int, total: int) -> None:
        self._watch.started(member, done, total)

    def finished(self, outcome: MemberOutcome) -> None:
        if outcome.findings and isinstance(self._watch, WatchesCures):
            self._watch.curing(outcome.name)
        self._watch.finished(self._told(outcome))


@contextmanager
def open_verifier(
    options: VerifyOptions = DEFAULT_OPTIONS,
    library: tuple[Path, ...] = (),
    watch: Watch | None = None,
    how: RunOptions = IN_THIS_PROCESS,
) -> Iterator[Verifier]:
    """A verifier whose time runs from now on; UsageError where the log cannot be written.

    >>> with open_verifier() as verifier:
    ...     done = verifier.verify(verifier.read(Path("examples/cell.vpr")))
    >>> done.verdict.value
    'verified'
    """
    if options.solver_log is None:
        runner = Runner(options, how)
        yield Verifier(options, runner, library, watch)
        runner.close()
        return
    from pitviper.base.file import open_log
    from pitviper.driver.verify.sessions import SolverLog

    with open_log(options.solver_log) as log:
        yield Verifier(options, Runner(options, how, SolverLog(log)), library, watch)


CHECKED_ONLY = "the program was read and checked, nothing was proved"


def check_file(
    path: Path, options: CheckOptions = DEFAULTS, library: tuple[Path, ...] = ()
) -> FileReport:
    """Read and check one file; UsageError where it cannot be read."""
    start = time.perf_counter()
    loaded = load(path, options, library)
    return report_of(path, loaded, time.perf_counter() - start)


def report_of(path: Path, loaded: FrontEnd, seconds: float) -> FileReport:
    """Rejected, or undecided: reading and checking prove nothing."""
    verdict = Verdict.UNDECIDED if loaded.accepted else Verdict.REJECTED
    reason = CHECKED_ONLY if loaded.accepted else None
    problems = diagnosed(loaded, loaded.diagnostics)
    return FileReport(path, verdict, problems, _undecided(loaded), seconds, reason)


def verification_report(path: Path, done: ProgramOutcome, seconds: float) -> FileReport:
    """All that is known after a verification; the reason is that of the first open question."""
    outcomes = tuple(done.members.values())
    problems = [problem for outcome in outcomes for problem in problems_of_outcome(outcome)]
    return FileReport(
        path,
        done.verdict,
        (*diagnosed(done.front, done.diagnostics), *problems),
        {outcome.name: outcome.verdict for outcome in outcomes},
        seconds,
        _reason(outcomes) if done.verdict is Verdict.UNDECIDED else None,
        outcomes,
    )


def _reason(outcomes: Iterable[MemberOutcome]) -> str | None:
    for outcome in outcomes:
        if outcome.crash is not None:
            return f"internal error in member {outcome.name}"
        if outcome.undecided:
            return f"{outcome.name}: {outcome.undecided[0].message}"
    return None


def diagnosed(loaded: FrontEnd, diagnostics: Iterable[Diagnostic]) -> tuple[Problem, ...]:
    """Diagnostics as problems, each with the member around it."""
    return tuple(problem_of_diagnostic(d, _member_of(loaded, d.span)) for d in diagnostics)


def _member_of(loaded: FrontEnd, span: Span | None) -> str | None:
    """The name of the member that a place is in, whatever the language."""
    if span is None:
        return None
    for declared in loaded.declared:
        if declared.span.encloses(span):
            return declared.name
    return None


def member_at(loaded: FrontEnd, offset: int) -> str | None:
    """The name of the member around a place of the file, whatever the language."""
    return _member_of(loaded, Span(loaded.source, offset, offset))


def _undecided(loaded: FrontEnd) -> dict[str, Verdict]:
    """Members that a verifier would have something to prove about."""
    if loaded.program is None:
        return {}
    tables = (loaded.program.methods, loaded.program.functions, loaded.program.predicates)
    return {name: Verdict.UNDECIDED for table in tables for name in table}
