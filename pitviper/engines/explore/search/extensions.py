"""Small plug-ins of the search: each may cut it, add to it, and listen to its runs."""

from __future__ import annotations

from collections.abc import Iterable

from pitviper.base.record import record
from pitviper.engines.explore.model.program import Constraint, Model
from pitviper.engines.explore.runtime.ending import Site, Status
from pitviper.engines.explore.runtime.inputs import Assignment
from pitviper.engines.explore.runtime.run import Callbacks, Run
from pitviper.engines.explore.runtime.value import Decision, Kind
from pitviper.source.span import Span


class Extension:
    """Whatever an extension does not define is as without it.

    A search without its parts may still be complete: what `searches` and `keeps` refuse must be
    known to somebody else. What `successors` adds proves nothing, and may find failures.
    """

    def searches(self, decisions: tuple[Decision, ...], index: int) -> bool:
        """Whether the other side of one of the decisions of a run is worth a run."""
        return True

    def keeps(self, decision: Decision) -> bool:
        """Whether it still is when its turn comes."""
        return True

    def successors(self, run: Run, status: Status) -> Iterable[Assignment]:
        """Inputs that are worth a run because of one that was made."""
        return ()

    def listener(self, run: Run) -> Callbacks | None:
        """Hears what a run tells, before the run takes note of it; it may end the run."""
        return None


@record
class Trust:
    """Somebody has proved the checks of a member, all but the `doubtful` ones.

    These are places with the kind of check, for one assertion may be checked in several ways.
    Where something else than an assertion fails, or a check cannot be told apart by its place,
    what comes `behind` is not known: it is the first such offset, if there is one. If that is a
    promise, the whole body comes before it, and `promises` alone are not known.
    """

    member: str
    doubtful: tuple[tuple[Span, str], ...] = ()
    behind: int | None = None
    promises: bool = True

    def covers(self, span: Span, error: str) -> bool:
        """Whether the check of this kind at a place is proved."""
        if error == PROMISE and not self.promises:
            return False
        if self.behind is not None and (error in LAST or span.start >= self.behind):
            return False
        return not any(is_check(doubt, (span, error)) for doubt in self.doubtful)


PROMISE = "postcondition.violated"
LAST = (PROMISE, "invariant.not.preserved", "contract.not.wellformed")
"""Checks that stand before the code that they are made behind."""


def is_about(one: Span, other: Span) -> bool:
    """Whether two places are one: a finding may be told at a statement or at its assertion."""
    same_file = one.file.path == other.file.path
    inside = other.start <= one.start < other.end or one.start <= other.start < one.end
    return same_file and inside


def is_check(one: tuple[Span, str], other: tuple[Span, str]) -> bool:
    """Whether two checks may be one: at the same place, and not of two kinds that are told apart.

    An invariant is established and preserved: one says nothing about the other. That something
    ends, or is not true, no run checks: it is none of the checks of a run.
    """
    kinds = {one[1], other[1]}
    alone = [kind.startswith(WITHOUT_RUNS) for kind in (one[1], other[1])]
    return kinds != TOLD_APART and alone[0] == alone[1] and is_about(one[0], other[0])


TOLD_APART = {"invariant.not.established", "invariant.not.preserved"}
WITHOUT_RUNS = ("termination.", "refute.")
"""Kinds of checks that only a verifier makes."""


class Trusted(Extension):
    """Does not attack checks that somebody else has proved, from the moment on that it hears so."""

    def __init__(self, model: Model, trusts: Iterable[Trust] = ()) -> None:
        self._model = model
        self._sites: dict[str, dict[Site, None]] = {}
        for trust in trusts:
            self.add(trust)

    def add(self, trust: Trust) -> None:
        """What is said about a member now counts instead of what was said before."""
        self._sites[trust.member] = {
            (method.name, index): None
            for method in self._model.methods.values()
            for index, instruction in enumerate(method.instructions)
            if isinstance(instruction, Constraint)
            and instruction.blame is not None
            and instruction.blame.member == trust.member
            and trust.covers(instruction.blame.span, instruction.blame.error)
        }

    def searches(self, decisions: tuple[Decision, ...], index: int) -> bool:
        return self.keeps(decisions[index])

    def keeps(self, decision: Decision) -> bool:
        is_attack = decision.kind is Kind.ASSERT and decision.taken
        return not (is_attack and any(decision.site in sites for sites in self._sites.values()))


class Bounded(Extension):
    """Goes round the same branch only so often: for loops that would be unrolled for ever."""

    def __init__(self, visits: int) -> None:
        self._visits = visits
        self.cut: dict[Site, None] = {}

    def searches(self, decisions: tuple[Decision, ...], index: int) -> bool:
        decision = decisions[index]
        if decision.kind is not Kind.BRANCH:
            return True
        visits = sum([d.site == decision.site for d in decisions[: index + 1]])
        if visits > self._visits:
            self.cut[decision.site] = None
        return visits <= self._visits
