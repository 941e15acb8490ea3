"""The proof obligations of termination: what is recorded of each, and how its failure is told."""

from __future__ import annotations

from enum import Enum

from pitviper.base.record import record, replace
from pitviper.plugins.build import origin
from pitviper.program.node import Annotation
from pitviper.results.finding import Finding
from pitviper.source.diagnostic import Diagnostic, Severity
from pitviper.source.span import Span

PLUGIN = "termination"
ERROR = "termination.failed"
_HELPER = "helper"


class Subject(Enum):
    FUNCTION = "Function"
    METHOD = "Method"
    LOOP = "Loop"


class Reason(Enum):
    """The id of a reason with its text."""

    TERMINATION_CONDITION = (
        "termination.condition.false",
        "Required termination condition might not hold.",
    )
    TUPLE_CONDITION = ("tuple.condition.false", "Required tuple condition might not hold.")
    TUPLE = ("tuple.false", "Termination measure might not decrease or might not be bounded.")

    @property
    def id(self) -> str:
        return self.value[0]

    @property
    def text(self) -> str:
        return self.value[1]


@record
class Obligation:
    """`span` is the place of the error, `offending` that of the clause or declaration behind it.

    `bound` is the place of the caller's measure if the obligation is a mere conjunction of
    "decreases" and "is bounded": then the failing conjunct tells which of the two it was.
    """

    subject: Subject
    member: str
    reason: Reason
    span: Span
    offending: Span
    bound: Span | None = None

    def failure(self, finding: Finding) -> Finding:
        """What the user is told when the generated assertion fails."""
        text = self.reason.text
        if self.bound is not None and finding.offending == self.bound:
            text = "Termination measure might not be bounded."
        elif self.bound is not None and finding.offending == self.span:
            text = "Termination measure might not decrease."
        return replace(
            finding,
            error=ERROR,
            reason=self.reason.id,
            span=self.span,
            member=self.member,
            message=f"{self.subject.value} might not terminate. {text}",
            offending=self.offending,
            origin=(),
        )

    def ill_defined(self, finding: Finding) -> Finding:
        """What the user is told when a measure or condition cannot be evaluated."""
        text = finding.message.removeprefix("Assert might fail. ")
        message = f"{self.subject.value} might not terminate. {text}"
        if finding.error != "assert.failed":
            return replace(finding, member=self.member, origin=())
        return replace(
            finding, error=ERROR, span=self.span, member=self.member, message=message, origin=()
        )


class Ledger:
    """The obligations of one program, numbered, and what its measures lack."""

    def __init__(self) -> None:
        self._obligations: list[Obligation] = []
        self.diagnostics: list[Diagnostic] = []

    def record(self, obligation: Obligation) -> tuple[Annotation, ...]:
        """The annotation of the statement that checks the obligation."""
        self._obligations.append(obligation)
        return origin(PLUGIN, str(len(self._obligations) - 1))

    def find(self, finding: Finding) -> Obligation | None:
        """The obligation that a finding is about."""
        if finding.origin[:1] != (PLUGIN,) or finding.origin[1] == _HELPER:
            return None
        return self._obligations[int(finding.origin[1])]

    def report_missing(self, function: str, span: Span) -> None:
        """A function that measures are compared with is not declared."""
        message = f"Function {function} is needed to check termination but is not declared."
        diagnostic = Diagnostic("consistency.error", Severity.ERROR, span, message)
        if diagnostic not in self.diagnostics:
            self.diagnostics.append(diagnostic)


def helper() -> tuple[Annotation, ...]:
    """The annotation of a generated statement that states a fact and should not fail."""
    return origin(PLUGIN, _HELPER)


def is_helper(finding: Finding) -> bool:
    return finding.origin == (PLUGIN, _HELPER)
