"""Verifier and exploration take turns until nothing changes (chapter 4 of the paper).

What the verifier proves is not attacked; what exploration proves by running all paths is assumed
by the verifier, which may then prove more.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pitviper.driver.explore import Explorer
from pitviper.driver.explore_options import ExploreOptions
from pitviper.driver.frontend import FrontEnd
from pitviper.driver.verify import Verifier
from pitviper.plugins.statements import all_statements, statements_in
from pitviper.plugins.verified_under import can_be_assumed, marking
from pitviper.program.member import Program
from pitviper.program.stmt import Assert
from pitviper.results.exploration import MethodExploration, Place
from pitviper.results.member import MemberOutcome
from pitviper.results.testcase import TestCase
from pitviper.results.verdict import Verdict
from pitviper.results.wizard import Colour, ColouredPlace, WizardReport
from pitviper.source.span import Span

ROUNDS = 5
"""More turns than this have never changed anything."""

SHOWN = (
    "assert.failed", "postcondition.violated", "exhale.failed", "call.precondition",
    "invariant.not.established", "invariant.not.preserved", "fold.failed", "unfold.failed",
    "assignment.failed",
)  # fmt: skip
"""Checks that a user has written, or knows of."""


@dataclass
class _Knowledge:
    """What is known so far; grows from turn to turn."""

    program: Program
    outcomes: dict[str, MemberOutcome] = field(default_factory=dict)
    first: dict[str, MemberOutcome] = field(default_factory=dict)
    explored: dict[str, MethodExploration] = field(default_factory=dict)
    assumed: dict[Span, None] = field(default_factory=dict)


def run_wizard(front: FrontEnd, verifier: Verifier, options: ExploreOptions) -> WizardReport:
    """The colours of all assertions in methods with a body."""
    assert front.program is not None
    known = _Knowledge(front.program)
    rounds = 0
    while rounds < ROUNDS:
        rounds += 1
        _verify(known, front, verifier)
        if not _explore(known, front, options):
            break
    return _report(known, front, rounds)


def _verify(known: _Knowledge, front: FrontEnd, verifier: Verifier) -> None:
    program = marking(known.program, frozenset(known.assumed))
    known.outcomes = verifier.verify(replace(front, program=program)).members
    if not known.first:
        known.first = known.outcomes


def _explore(known: _Knowledge, front: FrontEnd, options: ExploreOptions) -> bool:
    """Explore methods that the verifier did not prove; whether an assertion is newly proved."""
    assumable = {
        s.assertion.span
        for s in all_statements(known.program)
        if isinstance(s, Assert) and can_be_assumed(s)
    }
    changed = False
    trusted = frozenset(_verified_places(known))
    explorer = Explorer(known.program, str(front.source.path), replace(options, trusted=trusted))
    try:
        for method in explorer.methods:
            outcome = known.outcomes.get(method)
            if outcome is not None and outcome.verdict is Verdict.VERIFIED:
                continue
            done = explorer.explore(method)
            known.explored[method] = done
            for place in done.places:
                if place.span in assumable and _is_proved(place, done):
                    changed = changed or place.span not in known.assumed
                    known.assumed[place.span] = None
    finally:
        explorer.close()
    return changed


def _verified_places(known: _Knowledge) -> list[Span]:
    """Assertions of members that are decided, without those that have a finding."""
    found: dict[Span, None] = {}
    for name, done in known.explored.items():
        outcome = known.outcomes.get(name)
        for place in done.places:
            is_own = place.member == name and place.span not in known.assumed
            if is_own and outcome is not None and _is_verified(place, outcome):
                found[place.span] = None
    return list(found)


def _is_verified(place: Place, outcome: MemberOutcome) -> bool:
    if outcome.undecided or outcome.crash is not None or outcome.omitted:
        return False
    return not any(_is_about(f.span, place.span) for f in outcome.findings)


def _is_about(one: Span, other: Span) -> bool:
    """Whether two places are one: a finding may be told at a statement or at its assertion."""
    same_file = one.file.path == other.file.path
    inside = other.start <= one.start < other.end or one.start <= other.start < one.end
    return same_file and inside


def _is_proved(place: Place, done: MethodExploration) -> bool:
    """All paths were run, some of them came here, and none failed."""
    is_own = place.member == done.method
    return done.is_complete and is_own and place.reached > 0 and not place.failed


def _report(known: _Knowledge, front: FrontEnd, rounds: int) -> WizardReport:
    places = [p for name in known.program.methods for p in _method_places(name, known)]
    order = {Colour.RED: 0, Colour.YELLOW: 1, Colour.GREEN: 2}
    places.sort(key=lambda p: (order[p.colour], p.covered, p.span.start))
    gained = [
        f.span
        for name, outcome in known.first.items()
        for f in outcome.findings
        if f.span not in known.assumed
        and not any(_is_about(s, f.span) for s in known.assumed)
        and not any(_is_about(g.span, f.span) for g in known.outcomes[name].findings)
    ]
    undecided = [n for n, o in known.outcomes.items() if o.verdict is Verdict.UNDECIDED]
    return WizardReport(
        str(front.source.path),
        tuple(places),
        rounds,
        tuple(known.assumed),
        tuple(gained),
        tuple(undecided),
    )


def _method_places(name: str, known: _Knowledge) -> list[ColouredPlace]:
    outcome, done = known.outcomes.get(name), known.explored.get(name)
    if done is None:
        return _all_green(name, known)
    covered, lines = done.coverage
    share = covered / lines if lines else 0.0
    found = []
    for place in done.places:
        if place.member != name or place.error not in SHOWN:
            continue
        first = known.first.get(name)
        reported = first is not None and not _is_verified(place, first)
        own = ColouredPlace(place.span, name, place.error, Colour.YELLOW, covered=round(share, 3))
        test = _failing(place, done)
        if test is not None:
            found.append(replace(own, colour=Colour.RED, test=test))
        elif _is_proved(place, done) and reported:
            found.append(replace(own, colour=Colour.GREEN, by="exploration", spurious=True))
        elif outcome is not None and _is_verified(place, outcome):
            found.append(replace(own, colour=Colour.GREEN, by="verifier"))
        elif _is_proved(place, done):
            found.append(replace(own, colour=Colour.GREEN, by="exploration"))
        else:
            found.append(own)
    return found


def _all_green(name: str, known: _Knowledge) -> list[ColouredPlace]:
    """The written assertions of a method that the verifier proved, which nobody explored."""
    body = known.program.methods[name].body
    outcome = known.outcomes.get(name)
    if body is None or outcome is None or outcome.verdict is not Verdict.VERIFIED:
        return []
    method = known.program.methods[name]
    spans = [
        (s.assertion.span, "assert.failed") for s in statements_in(body) if isinstance(s, Assert)
    ]
    spans += [(clause.span, "postcondition.violated") for clause in method.postconditions]
    return [ColouredPlace(s, name, e, Colour.GREEN, "verifier", covered=1.0) for s, e in spans]


def _failing(place: Place, done: MethodExploration) -> TestCase | None:
    for run in done.certain_failures:
        finding = run.finding
        if finding is not None and finding.span == place.span and finding.error == place.error:
            return run.test
    return None
