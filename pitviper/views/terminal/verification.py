"""What a verification says, as text: members as they are done, and how it ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pitviper.results.report import FileReport, problems_of_outcome
from pitviper.results.verdict import MemberOutcome, Verdict
from pitviper.source.diagnostic import Severity
from pitviper.views.terminal.excerpt import Page
from pitviper.views.terminal.problem import helped_once, problem_text, shortened, undecided_text
from pitviper.views.terminal.report import counted
from pitviper.views.terminal.style import Style, visible

SLOW = 1.0
"""A member that takes at least so many seconds is shown with its time."""

_STYLES = {
    Verdict.VERIFIED: Style.HELP,
    Verdict.UNDECIDED: Style.WARNING,
    Verdict.REFUTED: Style.ERROR,
    Verdict.REJECTED: Style.ERROR,
}
_WIDTH = max(len(verdict.value) for verdict in Verdict)


def outcome_text(outcome: MemberOutcome, page: Page, *, undecided: bool = True) -> str:
    """What there is to say about a member beside its verdict; an empty line behind each part."""
    parts = [problem_text(problem, page) for problem in helped_once(problems_of_outcome(outcome))]
    if undecided:
        parts += [undecided_text(point, page) for point in outcome.undecided]
    return "".join(f"{part}\n\n" for part in parts)


MOST_NAMES = 3
"""Members that are named where many are undecided."""


def undecided_line(reports: Sequence[FileReport], page: Page) -> str | None:
    """One line about all members that are undecided; None where there are none."""
    members = [n for r in reports for n, v in r.members.items() if v is Verdict.UNDECIDED]
    if not members:
        return None
    names = ", ".join(shortened(visible(name)) for name in members[:MOST_NAMES])
    more = f" and {len(members) - MOST_NAMES} more" if len(members) > MOST_NAMES else ""
    reason = next((r.reason for r in reports if r.reason is not None), None)
    why = "" if reason is None else f" (the first: {shortened(visible(reason))})"
    word = page.paint(Style.WARNING, "undecided")
    return f"{word}: {counted(len(members), 'member')}, {names}{more}{why}"


def member_line(outcome: MemberOutcome, page: Page) -> str:
    """`  refuted    method swap: 2 errors`."""
    verdict = page.paint(_STYLES[outcome.verdict], f"{outcome.verdict.value:<{_WIDTH}}")
    name = shortened(visible(outcome.name))
    seconds = f" ({outcome.seconds:.1f} s)" if outcome.seconds >= SLOW else ""
    return f"  {verdict}  {outcome.kind} {name}{_remark(outcome)}{seconds}"


def _remark(outcome: MemberOutcome) -> str:
    if outcome.crash is not None:
        return ": internal error"
    if not outcome.findings:
        return _inferred(outcome)
    hidden = f", {outcome.omitted} more not shown" if outcome.omitted else ""
    return f": {counted(len(outcome.findings), 'error')}{hidden}"


def _inferred(outcome: MemberOutcome) -> str:
    """What the verdict rests on beside the program."""
    texts = list(dict.fromkeys([step.written for step in outcome.inferred]))
    return f", with inferred {'; '.join(map(visible, texts))}" if texts else ""


def suggestions_text(outcome: MemberOutcome) -> str:
    """Where the inferred statements belong, a line for each."""
    return "".join(f"    insert {visible(str(step))}\n" for step in outcome.inferred)


def closing_line(reports: Sequence[FileReport], page: Page, seconds: float) -> str:
    """The last line: the headline of the worst verdict, then what there is of each."""
    members = Counter(verdict for report in reports for verdict in report.members.values())
    total = counted(members.total(), "member")
    files = counted(len(reports), "file")
    warnings = sum(report.count(Severity.WARNING) for report in reports)
    noticed = f", {counted(warnings, 'warning')}" if warnings else ""
    remembered = sum(outcome.remembered for report in reports for outcome in report.outcomes)
    known = f"{remembered} remembered, " if remembered else ""
    end = f"{noticed} ({known}{seconds:.2f} s)."
    headline = _headline(reports, page)
    if headline is None and not members:
        return f"{page.paint(Style.WARNING, 'Nothing to verify')} in {files}{end}"
    if headline is None:
        return f"{page.paint(Style.HELP, f'Verified {total}')} in {files}{end}"
    rejected = sum(1 for report in reports if not report.accepted)
    where = f"{rejected} of {files} rejected" if rejected else f"in {files}"
    if not members:
        return f"{headline}: {where}{end}"
    counts = ", ".join(f"{members[v]} {v.value}" for v in Verdict if members[v])
    return f"{headline}: {counts} of {total}{',' if rejected else ''} {where}{end}"


def _headline(reports: Sequence[FileReport], page: Page) -> str | None:
    """None where everything is verified."""
    errors = sum(report.count(Severity.ERROR) for report in reports)
    errors += sum(outcome.omitted for report in reports for outcome in report.outcomes)
    verdicts = {report.verdict for report in reports}
    if any(report.crashed for report in reports):
        return page.paint(Style.ERROR, "Internal error")
    if verdicts & {Verdict.REFUTED, Verdict.REJECTED}:
        return page.paint(Style.ERROR, f"Found {counted(errors, 'error')}")
    return page.paint(Style.WARNING, "Undecided") if Verdict.UNDECIDED in verdicts else None
