"""From the values of front end and verifier to the report that views show."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from pitviper.checking.options import CheckOptions
from pitviper.driver.front.frontend import DEFAULTS, FrontEnd, load
from pitviper.results.report import FileReport, Problem, problem_of_diagnostic, problems_of_outcome
from pitviper.results.verdict import MemberOutcome, Verdict
from pitviper.source.diagnostic import Diagnostic
from pitviper.source.span import Span
from pitviper.syntax import tree

if TYPE_CHECKING:  # `pitviper check` loads no verifier
    from pitviper.driver.verify.verify import ProgramOutcome

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
    return tuple(
        problem_of_diagnostic(d, member_around(loaded.members, d.span)) for d in diagnostics
    )


def member_around(members: Iterable[tree.Member], span: Span | None) -> str | None:
    """The name of the member that a place is in; None for fields, imports and other places."""
    if span is None:
        return None
    for member in members:
        around = member.span
        if around.file is span.file and around.start <= span.start and span.end <= around.end:
            return _name(member)
    return None


def _name(member: tree.Member) -> str | None:
    match member:
        case tree.Import() | tree.FieldDeclaration():
            return None
        case _:
            return member.name.name


def _undecided(loaded: FrontEnd) -> dict[str, Verdict]:
    """Members that a verifier would have something to prove about."""
    if loaded.program is None:
        return {}
    tables = (loaded.program.methods, loaded.program.functions, loaded.program.predicates)
    return {name: Verdict.UNDECIDED for table in tables for name in table}
