"""The proof obligations of termination: what is recorded of each, and how its failure is told."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from pitviper.base.record import record, replace
from pitviper.plugins.build import origin
from pitviper.plugins.step import Findings, Members, Translate
from pitviper.program.node import Annotation
from pitviper.results.finding import Finding
from pitviper.results.wording import spoken
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

    @property
    def _subject(self) -> str:
        """In words of the language of the place."""
        return spoken(self.subject.value, self.span)

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
            message=f"{self._subject} might not terminate. {text}",
            offending=self.offending,
            origin=(),
        )

    def ill_defined(self, finding: Finding) -> Finding:
        """What the user is told when a measure or condition cannot be evaluated."""
        text = finding.message.removeprefix("Assert might fail. ")
        message = f"{self._subject} might not terminate. {text}"
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


def translation(ledger: Ledger, owners: Mapping[str, str]) -> Translate:
    """NOTE(side findings): generated code repeats parts of the source: preconditions, conditions,
    measures. Where such a part has no value, the source has a finding of its own as a rule, and
    the one about the copy is dropped. If nothing else is wrong with the member it is kept: a
    proof that got stuck has proved nothing.
    """

    def translate(findings: Findings, _: Members) -> Findings:
        plain = [_plain(finding, ledger, owners) for finding in findings]
        failed = {finding.member for finding in plain if finding is not None}
        told: dict[Finding, None] = {}
        for finding, translated in zip(findings, plain, strict=True):
            if translated is not None:
                told[translated] = None
            else:
                side = _side(finding, ledger, owners)
                if side.member not in failed:
                    told[side] = None
        return tuple(told)

    return translate


def _plain(finding: Finding, ledger: Ledger, owners: Mapping[str, str]) -> Finding | None:
    """A failed obligation in terms of the source, or a finding about the source; else None."""
    obligation = ledger.find(finding)
    if obligation is not None:
        refuted = finding.id == "assert.failed:assertion.false"
        return obligation.failure(finding) if refuted else None
    return None if finding.member in owners or is_helper(finding) else finding


def _side(finding: Finding, ledger: Ledger, owners: Mapping[str, str]) -> Finding:
    obligation = ledger.find(finding)
    if obligation is not None:
        return obligation.ill_defined(finding)
    return replace(finding, member=owners.get(finding.member, finding.member), origin=())
