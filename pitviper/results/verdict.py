"""What is known about a member or a file after a run."""

from __future__ import annotations

from enum import Enum

from pitviper.base.record import record, replace
from pitviper.results.finding import Finding
from pitviper.results.ghost import GhostStep
from pitviper.source.diagnostic import Diagnostic, Severity
from pitviper.source.span import Span


class Verdict(Enum):
    """UNDECIDED is never shown or counted as VERIFIED."""

    VERIFIED = "verified"
    REFUTED = "refuted"
    UNDECIDED = "undecided"
    REJECTED = "rejected"  # the front end did not accept the program


@record
class Undecided:
    """A place of the program that is neither proved nor refuted, and why."""

    span: Span
    message: str


@record
class Crash:
    """A bug of ours: what it says in a line, and the trace for a report."""

    said: str
    trace: str

    @classmethod
    def of(cls, error: Exception) -> Crash:
        import traceback  # for bugs only

        said = traceback.format_exception_only(error)[-1].strip()
        return cls(said, "".join(traceback.format_exception(error)))


@record
class Disagreement(Crash):
    """Two verifiers say different things about the member that stands at `place`; `one_sided` is
    what only one of them says."""

    place: Span
    one_sided: tuple[Finding, ...]


@record
class MemberAnswer:
    """What an engine says about one member of the encoded program.

    What is `remembered` was found by an earlier run.
    """

    findings: tuple[Finding, ...] = ()
    undecided: tuple[Undecided, ...] = ()
    warnings: tuple[Diagnostic, ...] = ()
    crash: Crash | None = None
    seconds: float = 0.0
    inferred: tuple[GhostStep, ...] = ()
    remembered: bool = False


@record
class MemberOutcome:
    """`kind` is the word it is declared with; findings stand in the order of their places.

    `omitted` findings were left out at the user's wish; they count for the verdict. `inferred` are
    ghost statements that the user left out and that the verdict rests on. What is `remembered` was
    found by an earlier run; it is as true as if this one had found it.
    """

    name: str
    kind: str
    findings: tuple[Finding, ...] = ()
    undecided: tuple[Undecided, ...] = ()
    warnings: tuple[Diagnostic, ...] = ()
    crash: Crash | None = None
    seconds: float = 0.0
    omitted: int = 0
    inferred: tuple[GhostStep, ...] = ()
    remembered: bool = False

    @property
    def verdict(self) -> Verdict:
        if (
            self.findings
            or self.omitted
            or any(w.severity is Severity.ERROR for w in self.warnings)
        ):
            return Verdict.REFUTED
        if self.undecided or self.crash is not None:
            return Verdict.UNDECIDED
        return Verdict.VERIFIED

    @property
    def taken_strictly(self) -> MemberOutcome:
        """Warnings that a proof may mean nothing are errors: nobody has looked at it otherwise."""
        strict = [replace(warning, severity=Severity.ERROR) for warning in self.warnings]
        return replace(self, warnings=tuple(strict)) if strict else self

    def with_at_most(self, errors: int | None) -> MemberOutcome:
        """Only the first findings; None keeps all."""
        if errors is None or len(self.findings) <= errors:
            return self
        more = self.omitted + len(self.findings) - errors
        return replace(self, findings=self.findings[:errors], omitted=more)
