"""What one command says about one file: the shape that all views show."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pitviper.base.record import field, record
from pitviper.results.finding import Condition, Event, Finding
from pitviper.results.verdict import MemberOutcome, Verdict
from pitviper.results.wording import advice_for, label_of, prefixed_message, readable_message
from pitviper.source.diagnostic import Diagnostic, Related, Severity
from pitviper.source.edit import Cure
from pitviper.source.span import Span


@record
class Problem:
    """A message of the front end or a failed obligation; `member` is the declaration around it.

    A failed obligation has the decisions on the path where it fails, the number of other paths
    where it fails too, and, for a missing permission, what became of it and what is held instead.
    `cures` are changes of the text that do what `help` says, as far as an editor can do it.
    """

    id: str
    severity: Severity
    span: Span | None
    message: str
    member: str | None = None
    related: tuple[Related, ...] = ()
    help: str | None = None
    conditions: tuple[Condition, ...] = ()
    other_paths: int = 0
    history: tuple[Event, ...] = ()
    held: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    cures: tuple[Cure, ...] = ()

    @property
    def title(self) -> str:
        """The message with the kind of error that Viper puts in front of it."""
        return prefixed_message(self.id, self.message)

    @property
    def readable(self) -> str:
        """The title with the place, as other tools of the language print it."""
        return readable_message(self.id, self.message, self.span)

    def __str__(self) -> str:
        """A line: how bad, which kind, what, and where."""
        return f"{self.severity.value}[{self.id}]: {self.readable}"

    def __repr__(self) -> str:
        return f"<{self}>"


@record
class FileReport:
    """`verdict` is UNDECIDED where nothing was proved; `reason` says why.

    `outcomes` tell more about members that a verifier has looked at; their findings and warnings
    are among the problems.
    """

    file: Path
    verdict: Verdict
    problems: tuple[Problem, ...] = ()
    members: Mapping[str, Verdict] = field(default_factory=dict)
    seconds: float = 0.0
    reason: str | None = None
    outcomes: tuple[MemberOutcome, ...] = ()

    @property
    def accepted(self) -> bool:
        """Whether the front end had nothing against the program."""
        return self.verdict is not Verdict.REJECTED

    @property
    def crashed(self) -> bool:
        return any(outcome.crash is not None for outcome in self.outcomes)

    def count(self, severity: Severity) -> int:
        return sum(1 for problem in self.problems if problem.severity is severity)


def problem_of_diagnostic(diagnostic: Diagnostic, member: str | None = None) -> Problem:
    return Problem(
        diagnostic.code,
        diagnostic.severity,
        diagnostic.span,
        diagnostic.message,
        member,
        diagnostic.related,
        diagnostic.help,
        cures=diagnostic.cures,
    )


def problem_of_finding(finding: Finding) -> Problem:
    """The offending part is a related place, unless it is the place of the finding itself."""
    offending = finding.offending
    related: tuple[Related, ...] = ()
    if offending is not None and offending != finding.span:
        related = (Related(offending, label_of(finding)),)
    return Problem(
        finding.id,
        Severity.ERROR,
        finding.span,
        finding.message,
        finding.member,
        related,
        advice_for(finding),
        finding.conditions,
        finding.other_paths,
        finding.history,
        finding.held,
        finding.notes,
        finding.cures,
    )


def problems_of_outcome(outcome: MemberOutcome) -> tuple[Problem, ...]:
    """Warnings, then findings."""
    warnings = [problem_of_diagnostic(warning, outcome.name) for warning in outcome.warnings]
    return (*warnings, *[problem_of_finding(finding) for finding in outcome.findings])
