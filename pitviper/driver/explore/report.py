"""What exploration and wizard found, as the reports that all machine-readable views know."""

from __future__ import annotations

from pathlib import Path

from pitviper.base.record import replace
from pitviper.driver.front.frontend import FrontEnd
from pitviper.driver.verify.verify import diagnosed
from pitviper.results.exploration import Exploration, ExploredRun, MethodExploration, Replayed
from pitviper.results.finding import Finding
from pitviper.results.report import FileReport, Problem, problems_of_outcome
from pitviper.results.verdict import MemberOutcome, Undecided, Verdict
from pitviper.results.wizard import Colour, ColouredPlace, WizardReport
from pitviper.source.span import NO_SPAN, Span


def exploration_report(front: FrontEnd, done: Exploration) -> FileReport:
    """Certain failures are findings with their inputs; what is open or doubtful is undecided."""
    outcomes = [_outcome(method, _place(front, method.method)) for method in done.methods]
    return _report(front, outcomes, done.seconds)


def wizard_file_report(front: FrontEnd, report: WizardReport) -> FileReport:
    """Red assertions are findings; yellow ones are undecided."""
    by_member: dict[str, list[ColouredPlace]] = {}
    for place in report.places:
        by_member.setdefault(place.member, []).append(place)
    outcomes = [_coloured(name, places) for name, places in by_member.items()]
    outcomes += [
        MemberOutcome(
            name,
            "member",
            undecided=(Undecided(_place(front, name), why or "the verifier gave up"),),
        )
        for name, why in report.undecided
        if name not in by_member
    ]
    return _report(front, outcomes, 0.0)


def replayed_report(done: Replayed, program: Path) -> FileReport:
    """What fails in a kept test now; a run that came to no end is undecided."""
    run = done.run
    findings = () if run is None or run.finding is None else (run.finding,)
    points: tuple[Undecided, ...] = ()
    if done.status not in ("passed", "failed"):
        points = (Undecided(NO_SPAN, f"the run of {done.test.method} ended: {done.status}"),)
    outcome = MemberOutcome(done.test.method, "method", findings, points)
    problems = tuple(problems_of_outcome(outcome))
    members = {outcome.name: outcome.verdict}
    return FileReport(program, outcome.verdict, problems, members, 0.0, outcomes=(outcome,))


def _report(front: FrontEnd, outcomes: list[MemberOutcome], seconds: float) -> FileReport:
    """What all members together say: a failure counts more than an open question."""
    problems: list[Problem] = list(diagnosed(front, front.diagnostics))
    for outcome in outcomes:
        problems += problems_of_outcome(outcome)
    members = {outcome.name: outcome.verdict for outcome in outcomes}
    worst = (Verdict.REFUTED, Verdict.UNDECIDED)
    verdict = next((v for v in worst if v in members.values()), Verdict.VERIFIED)
    path = Path(front.source.path)
    return FileReport(path, verdict, tuple(problems), members, seconds, outcomes=tuple(outcomes))


def _outcome(method: MethodExploration, place: Span) -> MemberOutcome:
    findings: dict[tuple[str, Span], Finding] = {}
    for run in method.certain_failures:
        assert run.finding is not None
        found = replace(run.finding, message=run.finding.message + _inputs(run))
        findings.setdefault((found.id, found.span), found)
    doubts = [
        Undecided(run.finding.span, f"{run.finding.message} This is doubtful: {why}.")
        for run in (*method.failures, *method.beyond)
        for why in run.doubts
        if run.finding is not None
    ]
    points = [*dict.fromkeys(doubts), *[Undecided(place, f"open: {why}") for why in method.open]]
    return MemberOutcome(
        method.method, "method", tuple(findings.values()), tuple(points), seconds=method.seconds
    )


def _coloured(name: str, places: list[ColouredPlace]) -> MemberOutcome:
    findings, points = [], []
    for place in places:
        if place.colour is Colour.RED and place.test is not None:
            inputs = ", ".join(f"{n} = {v}" for n, v in place.test.inputs if v != "?")
            text = f"This fails with {inputs or 'any input'}."
            error, _, reason = place.test.finding.partition(":")
            findings.append(Finding(error, reason, place.span, name, text))
        elif place.colour is Colour.YELLOW:
            text = "Neither proved nor refuted, by the verifier and by exploration."
            points.append(Undecided(place.span, text))
        elif place.colour is Colour.UNREACHED:
            text = "Not reached: something before it fails."
            points.append(Undecided(place.span, text))
    return MemberOutcome(name, "method", tuple(findings), tuple(points))


def _inputs(run: ExploredRun) -> str:
    if run.test is None:
        return ""
    inputs = ", ".join(f"{name} = {value}" for name, value in run.test.inputs if value != "?")
    return f" Inputs: {inputs or 'any'}."


def _place(front: FrontEnd, member: str) -> Span:
    assert front.program is not None
    program = front.program
    return {**program.methods, **program.functions, **program.predicates}[member].span
