"""Two verifiers about one member: what they agree on, and what one tells of the other.

NOTE(unproved). A member may rest on something that is not verified: a function that is refuted, a
predicate or a contract without a meaning. One verifier believes it, the other does not, or each
goes on behind it in its own way. What they say there rests on an assumption that failed, so that
no difference is a mistake of ours: the member is open until that is mended.
"""

from __future__ import annotations

from collections.abc import Iterable

from pitviper.base.record import replace
from pitviper.program.member import Function, Method, Predicate
from pitviper.program.print.printer import member_text
from pitviper.results.finding import Finding
from pitviper.results.verdict import Disagreement, MemberAnswer, Undecided

UNSUPPORTED = "feature.unsupported"
"""The reason of a finding that says nothing about the program."""


def agreed(
    member: Function | Predicate | Method,
    symbolic: MemberAnswer,
    vcg: MemberAnswer,
    *,
    inferring: bool = False,
) -> MemberAnswer:
    """What both say. A verifier that gave up, or does not know a construct, contradicts nobody, but
    the member counts as proved only if both prove it.

    Where ghost statements are inferred, none are known behind the first failure of a path: if both
    refute the member, what symbolic execution says counts.
    """
    if inferring and symbolic.findings and vcg.findings:
        vcg = replace(vcg, findings=symbolic.findings)
    crash = symbolic.crash or vcg.crash
    seconds = symbolic.seconds + vcg.seconds
    warnings = tuple(dict.fromkeys([*symbolic.warnings, *vcg.warnings]))
    if crash is None and _decides(symbolic) and _decides(vcg) and _says(symbolic) != _says(vcg):
        crash = _report(member, symbolic, vcg)
    findings = {_place(f): f for f in (*vcg.findings, *symbolic.findings)}
    return MemberAnswer(
        tuple(findings.values()),
        tuple(dict.fromkeys([*symbolic.undecided, *vcg.undecided])),
        warnings,
        crash,
        seconds,
        symbolic.inferred,
    )


def open_behind(answer: MemberAnswer, unproved: str) -> MemberAnswer:
    """The answer of two that differ behind a member that is not verified: see NOTE(unproved)."""
    difference = answer.crash
    assert isinstance(difference, Disagreement)
    why = (
        f"the verifiers differ, and what they say rests on `{unproved}`, which is not verified: "
        "one of them may have believed it"
    )
    return replace(
        answer,
        findings=tuple([f for f in answer.findings if f not in difference.one_sided]),
        undecided=(*answer.undecided, Undecided(difference.place, why)),
        crash=None,
    )


def is_silent(finding: Finding) -> bool:
    """Whether permission is missing, and nobody says what is held there."""
    return finding.reason == "insufficient.permission" and finding.containing is None


def told_of_states(
    findings: tuple[Finding, ...], others: tuple[Finding, ...]
) -> tuple[Finding, ...]:
    """The findings of one verifier, with the states that the other saw in the same places."""
    seen = {_place(finding): finding for finding in others}
    told = []
    for finding in findings:
        other = seen.get(_place(finding))
        if other is not None and is_silent(finding):
            finding = replace(
                finding,
                conditions=finding.conditions or other.conditions,
                history=other.history,
                held=other.held,
                containing=other.containing,
            )
        told.append(finding)
    return tuple(told)


def _decides(answer: MemberAnswer) -> bool:
    """Whether there is nothing left open: no limit reached, no construct unknown."""
    unknown = any(finding.reason == UNSUPPORTED for finding in answer.findings)
    return not answer.undecided and answer.crash is None and not unknown


def _place(finding: Finding) -> tuple[str, str, str, tuple[str, ...]]:
    """What a finding is about: parts of an assertion fail on their own."""
    return finding.id, str(finding.span), str(finding.offending), finding.origin


def _key(finding: Finding) -> tuple[str, int, tuple[str, ...]]:
    """By what verifiers are compared, who may blame different parts of a line."""
    return finding.id, finding.span.line, finding.origin


def _says(answer: MemberAnswer) -> frozenset[tuple[str, int, tuple[str, ...]]]:
    return frozenset([_key(finding) for finding in answer.findings])


def _report(
    member: Function | Predicate | Method, symbolic: MemberAnswer, vcg: MemberAnswer
) -> Disagreement:
    ours, theirs = _says(symbolic), _says(vcg)
    if not ours or not theirs:
        one, other = ("symbolic", "vcg") if not ours else ("vcg", "symbolic")
        said = f"the verifiers disagree: {one} proves {member.name}, {other} does not"
    else:
        said = f"the verifiers disagree: both refute {member.name}, but for different reasons"
    alone = [f for f in symbolic.findings if _key(f) not in theirs]
    others = [f for f in vcg.findings if _key(f) not in ours]
    lines = [
        said,
        "",
        "only the symbolic verifier says:",
        *_lines(alone),
        "only the verifier by conditions (vcg) says:",
        *_lines(others),
        "",
        f"the member, at {member.span}:",
        member_text(member),
    ]
    return Disagreement(said, "\n".join(lines), member.span, (*alone, *others))


def _lines(findings: Iterable[Finding]) -> list[str]:
    return [f"  {f.id} ({f.span}): {f.message}" for f in findings] or ["  nothing"]
