"""From what verifier and exploration found out to the colours of assertions."""

from __future__ import annotations

from pitviper.base.record import field, replace, struct
from pitviper.driver.wizard.order import Check, failed_before
from pitviper.engines.explore.search.extensions import (
    PROMISE,
    WITHOUT_RUNS,
    Trust,
    is_about,
    is_check,
)
from pitviper.plugins.build import statements_in
from pitviper.program.member import Program
from pitviper.program.stmt import Assert, Exhale, While
from pitviper.results.exploration import ExploredRun, MethodExploration, Place
from pitviper.results.finding import Finding
from pitviper.results.verdict import MemberOutcome, Verdict
from pitviper.results.wizard import Colour, ColouredPlace, WizardReport
from pitviper.results.wording import VIPER, wording_of
from pitviper.source.span import Span

SHOWN = (
    "assert.failed", "postcondition.violated", "exhale.failed", "call.precondition",
    "invariant.not.established", "invariant.not.preserved", "fold.failed", "unfold.failed",
    "assignment.failed",
)  # fmt: skip
"""Checks that a user has written, or knows of."""

ORDER = {Colour.RED: 0, Colour.YELLOW: 1, Colour.UNREACHED: 2, Colour.GREEN: 3}


@struct
class Knowledge:
    """What is known so far; grows from turn to turn.

    `first` is what the verifier said without help, `assumed` the assertions of methods that
    exploration has proved for it.
    """

    program: Program
    outcomes: dict[str, MemberOutcome] = field(default_factory=dict)
    first: dict[str, MemberOutcome] = field(default_factory=dict)
    explored: dict[str, MethodExploration] = field(default_factory=dict)
    assumed: dict[tuple[str, Span], None] = field(default_factory=dict)


def trust_of(outcome: MemberOutcome) -> Trust | None:
    """The checks that a verifier has proved; None if it may have missed some.

    After a failed assertion the verifier goes on under its truth. Where something else fails,
    what comes behind is not relied on: only promises come behind a promise.
    """
    if outcome.undecided or outcome.crash is not None or outcome.omitted:
        return None
    others = [f for f in outcome.findings if f.reason != "assertion.false"]
    cuts = [f.span.start for f in others if f.error != PROMISE]
    doubtful = tuple([(f.span, f.error) for f in outcome.findings])
    promises = all(f.error != PROMISE for f in others)
    return Trust(outcome.name, doubtful, min(cuts, default=None), promises)


def is_proved(place: Place, done: MethodExploration) -> bool:
    """All ways were run, and none failed here; some came here, or none ended before.

    A way that ended inside of the assertion, at what a function asks for, did not come through it.
    """
    if place.member != done.method or place.failed or not done.is_complete:
        return False
    if any(_is_inside(finding, place) for finding in _own_failures(done, done.failures)):
        return False
    return place.reached > 0 or not done.failures


def _own_failures(done: MethodExploration, runs: tuple[ExploredRun, ...]) -> list[Finding]:
    """What fails in a method itself, not in its callees."""
    found = [run.finding for run in runs if run.finding is not None]
    return [finding for finding in found if finding.member == done.method]


def _is_inside(finding: Finding, place: Place) -> bool:
    """Whether another check fails on the way through the assertion of a place."""
    check, other = (place.span, place.error), (finding.span, finding.error)
    inside = place.span.start <= finding.span.start < place.span.end
    return finding.error != place.error and inside and is_check(other, check)


def colours(
    known: Knowledge, methods: tuple[str, ...], file: str, *, chosen: bool, turns: int
) -> WizardReport:
    """The report; `chosen` says that only some methods are asked for."""
    places = [place for name in methods for place in _method_places(name, known)]
    members = list(methods) if chosen else list(known.outcomes)
    for name in members:
        places += _other_failures(name, known, places)
        places += _other_findings(name, known, places)
    places.sort(key=_order)
    undecided = [n for n in members if _verdict(n, known) is Verdict.UNDECIDED]
    return WizardReport(
        file,
        tuple(places),
        turns,
        tuple(known.assumed),
        tuple(_gained(known)),
        tuple([(n, _why_undecided(n, known)) for n in undecided if not _is_complete(n, known)]),
    )


def _order(place: ColouredPlace) -> tuple[int, bool, float, int]:
    """Red, yellow, green. Yellow ones that may fail come first, then those least explored."""
    is_yellow = place.colour is Colour.YELLOW
    calm = is_yellow and not place.doubt
    return ORDER[place.colour], calm, place.covered if is_yellow else 0.0, place.span.start


def _verdict(name: str, known: Knowledge) -> Verdict:
    outcome = known.outcomes.get(name)
    return Verdict.UNDECIDED if outcome is None else outcome.verdict


def _why_undecided(name: str, known: Knowledge) -> str:
    outcome = known.outcomes.get(name)
    if outcome is None:
        return NOT_VERIFIED
    if outcome.crash is not None:
        return f"internal error: {outcome.crash.said}"
    return outcome.undecided[0].message if outcome.undecided else ""


def _is_complete(name: str, known: Knowledge) -> bool:
    done = known.explored.get(name)
    return done is not None and done.is_complete and not done.failures


def _gained(known: Knowledge) -> list[Span]:
    """Findings that went away because of what exploration proved elsewhere."""
    return [
        f.span
        for name, outcome in known.first.items()
        for f in outcome.findings
        if not any(member == name and is_about(s, f.span) for member, s in known.assumed)
        and not any(is_about(g.span, f.span) for g in known.outcomes[name].findings)
    ]


def _method_places(name: str, known: Knowledge) -> list[ColouredPlace]:
    done = known.explored.get(name)
    if done is None:
        return _not_explored(name, known)
    function = known.program.functions.get(name)
    whole = None if function is None else function.span
    own = [p for p in done.places if p.member == name and p.error in SHOWN and p.span != whole]
    places = [_coloured(place, done, known) for place in own]
    return [p for p in places if p.colour is not Colour.GREEN or _is_written(p)]


def _is_written(place: ColouredPlace) -> bool:
    """Whether somebody wrote what is checked: other languages leave steps to inference."""
    if wording_of(place.span) is VIPER:
        return True
    text = place.span.text
    ghost = place.error in ("fold.failed", "unfold.failed")
    return text.startswith(("open", "close")) if ghost else bool(text)


def _coloured(place: Place, done: MethodExploration, known: Knowledge) -> ColouredPlace:
    name = done.method
    trust = trust_of(known.outcomes[name]) if name in known.outcomes else None
    first = known.first.get(name)
    check = (place.span, place.error)
    findings = () if first is None else first.findings
    reported = any(is_check((f.span, f.error), check) for f in findings)
    explored = is_proved(place, done)
    ways = place.reached + done.left
    own = ColouredPlace(
        place.span,
        name,
        place.error,
        Colour.YELLOW,
        ways=place.reached,
        left=done.left,
        covered=_share(place.reached, ways),
        spurious=reported and explored,
        open=done.open,
    )
    failing = _certainly_failing(place, known)
    if failing is not None:
        red = replace(own, colour=Colour.RED, test=failing.test, spurious=False)
        return replace(red, assuming=failing.assuming)
    if _is_behind_failure(place, done, known):
        return replace(own, colour=Colour.UNREACHED, spurious=False)
    is_assumed = (name, place.span) in known.assumed
    if trust is not None and trust.covers(place.span, place.error) and not is_assumed:
        return replace(own, colour=Colour.GREEN, by="verifier")
    doubtful = _failing(place, (*done.failures, *done.beyond))
    if doubtful is not None:
        own = replace(own, doubt=doubtful.doubts[0], test=doubtful.test)
    if explored:
        return replace(own, colour=Colour.GREEN, by="exploration", bodies=done.inlined)
    return own


def _is_behind_failure(place: Place, done: MethodExploration, known: Knowledge) -> bool:
    """Whether a check fails, or may fail, on a way to this one: then nothing is proved of it.

    What exploration proved by running all ways fails nowhere, whatever the verifier said of it, and
    ends at nothing that no run looks at.
    """
    outcome = known.outcomes.get(done.method)
    proved = [p for p in done.places if is_proved(p, done)]
    ignored = WITHOUT_RUNS if place in proved else ()
    said = [
        f
        for f in (() if outcome is None else outcome.findings)
        if not any(is_check((f.span, f.error), (p.span, p.error)) for p in proved)
        and not f.error.startswith(ignored)
    ]
    own = _own_failures(done, done.failures)
    if any(_is_inside(finding, place) for finding in own):
        return True
    check = Check(place.span, place.error)
    return failed_before(check, (*said, *own), done.method, known.program)


def _share(run: int, ways: int) -> float:
    """The part of the ways that was run, rounded down: all of them only if none is left."""
    return run * 1000 // ways / 1000 if ways else 0.0


def _certainly_failing(place: Place, known: Knowledge) -> ExploredRun | None:
    """A run of the member itself that fails there, or else one of a member that uses it."""
    done = known.explored.get(place.member)
    own = None if done is None else _failing(place, done.certain_failures)
    others = [run for other in known.explored.values() for run in other.certain_failures]
    using = tuple([run for run in others if run.is_of(place.member)])
    return own or _failing(place, using)


def _failing(place: Place, runs: tuple[ExploredRun, ...]) -> ExploredRun | None:
    """The run with the smallest inputs: not all were made small before the time was over."""
    here = (place.span, place.error)
    found = [r for r in runs if r.finding is not None and (r.finding.span, r.finding.error) == here]
    return min(found, key=_size_of_inputs, default=None)


def _size_of_inputs(run: ExploredRun) -> tuple[int, int]:
    inputs = [] if run.test is None else list(run.test.inputs)
    return len(inputs), sum(len(value) for _, value in inputs)


def _not_explored(name: str, known: Knowledge) -> list[ColouredPlace]:
    """The written assertions of a member that nobody explored: the verifier may know of them."""
    outcome = known.outcomes.get(name)
    trust = None if outcome is None else trust_of(outcome)
    findings = () if outcome is None else outcome.findings
    places = []
    for span, error in _written_checks(name, known.program):
        yellow = ColouredPlace(span, name, error, Colour.YELLOW, open=(NOT_BEGUN,))
        if failed_before(Check(span, error), findings, name, known.program):
            places.append(replace(yellow, colour=Colour.UNREACHED))
        elif trust is not None and trust.covers(span, error):
            places.append(ColouredPlace(span, name, error, Colour.GREEN, "verifier", covered=1.0))
        else:
            places.append(yellow)
    return places


def _written_checks(name: str, program: Program) -> list[tuple[Span, str]]:
    method = program.methods.get(name)
    spans: list[tuple[Span, str]] = []
    for s in () if method is None or method.body is None else statements_in(method.body):
        match s:
            case Assert(assertion):
                spans.append((assertion.span, "assert.failed"))
            case Exhale(assertion):
                spans.append((assertion.span, "exhale.failed"))
            case While(invariants=invariants):
                spans += [(i.span, "invariant.not.preserved") for i in invariants]
            case _:
                pass
    promises = (method or program.functions[name]).postconditions
    return spans + [(clause.span, "postcondition.violated") for clause in promises]


def _other_failures(
    name: str, known: Knowledge, places: list[ColouredPlace]
) -> list[ColouredPlace]:
    """Failures of a method at checks that no place above is about, such as what a function asks."""
    done = known.explored.get(name)
    shown = {(p.span, p.error) for p in places if p.member == name}
    found: dict[tuple[Span, str], Finding] = {}
    for finding in () if done is None else _own_failures(done, done.failures):
        if (finding.span, finding.error) not in shown:
            found.setdefault((finding.span, finding.error), finding)
    return [_about_finding(finding, name, known) for finding in found.values()]


def _other_findings(
    name: str, known: Knowledge, places: list[ColouredPlace]
) -> list[ColouredPlace]:
    """Errors of the verifier that no place above is about: none is left out."""
    outcome = known.outcomes.get(name)
    found: dict[Span, Finding] = {}
    for finding in () if outcome is None else outcome.findings:
        check = (finding.span, finding.error)
        if not any(p.member == name and is_check(check, (p.span, p.error)) for p in places):
            found.setdefault(finding.span, finding)
    return [_about_finding(f, name, known) for f in found.values()]


def _about_finding(finding: Finding, name: str, known: Knowledge) -> ColouredPlace:
    """The colour of a check that only the verifier told of."""
    done = known.explored.get(name)
    own = ColouredPlace(finding.span, name, finding.error, Colour.YELLOW)
    if done is not None:
        own = replace(own, ways=_runs_at(finding.span, done), open=done.open)
    failing = _certainly_failing(Place(finding.span, name, finding.error), known)
    if failing is not None:
        return replace(own, colour=Colour.RED, test=failing.test, assuming=failing.assuming)
    if finding.error.startswith(WITHOUT_RUNS):
        return replace(own, ways=0, open=(NOT_LOOKED_AT,))
    if done is None:
        return replace(own, open=(_why_not_run(name, known.program),))
    if _is_complete(name, known):
        green = replace(own, colour=Colour.GREEN, by="exploration", spurious=True)
        return replace(green, bodies=done.inlined)
    return replace(own, left=done.left, covered=_share(own.ways, own.ways + done.left))


NOT_BEGUN = "no run was begun before the time was over"
NOT_LOOKED_AT = "whether something ends, or is refuted, no run can tell: the verifier's word counts"
NOT_VERIFIED = "its turn did not come"
NOT_RUN = "predicates, and members without a body, are not run"
NO_PROMISE = "functions that promise nothing are run where `--method` names them"


def _why_not_run(name: str, program: Program) -> str:
    """Why exploration knows nothing of a member."""
    member = program.methods.get(name) or program.functions.get(name)
    if member is None or member.body is None:
        return NOT_RUN
    return NOT_BEGUN if name in program.methods or member.postconditions else NO_PROMISE


def _runs_at(span: Span, done: MethodExploration) -> int:
    """How many runs came to the line of a check that exploration has no place for."""
    file = str(span.file.path)
    return max([c.runs for c in done.lines if (c.file, c.line) == (file, span.line)], default=0)
