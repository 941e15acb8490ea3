"""Small plug-ins of the search: each may keep parts of it from being searched."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from pitviper.base.record import record
from pitviper.engines.explore.model.program import Constraint, Model
from pitviper.engines.explore.runtime.ending import Site
from pitviper.engines.explore.runtime.value import Decision, Kind
from pitviper.source.span import Span


class Extension(Protocol):
    """Asked about every decision of every run."""

    def searches(self, decision: Decision, node: int) -> bool:
        """Whether the other side of the decision is worth a run."""
        ...

    def keeps(self, decision: Decision) -> bool:
        """Whether it still is when its turn comes."""
        ...


@record
class Trust:
    """Somebody has proved the checks of a member, all but the `doubtful` ones.

    These are places with the kind of check, for one assertion may be checked in several ways.
    Where something else than an assertion fails, or a check cannot be told apart by its place,
    what comes `behind` is not known: it is the first such offset, if there is one.
    """

    member: str
    doubtful: tuple[tuple[Span, str], ...] = ()
    behind: int | None = None

    def covers(self, span: Span, error: str) -> bool:
        """Whether the check of this kind at a place is proved."""
        if self.behind is not None and (error in LAST or span.start >= self.behind):
            return False
        return not any(is_check(doubt, (span, error)) for doubt in self.doubtful)


LAST = ("postcondition.violated", "invariant.not.preserved", "contract.not.wellformed")
"""Checks that stand before the code that they are made behind."""


def is_about(one: Span, other: Span) -> bool:
    """Whether two places are one: a finding may be told at a statement or at its assertion."""
    same_file = one.file.path == other.file.path
    inside = other.start <= one.start < other.end or one.start <= other.start < one.end
    return same_file and inside


def is_check(one: tuple[Span, str], other: tuple[Span, str]) -> bool:
    """Whether two checks may be one: at the same place, and not of two kinds that are told apart.

    An invariant is established and preserved: one says nothing about the other.
    """
    kinds = {one[1], other[1]}
    return kinds != TOLD_APART and is_about(one[0], other[0])


TOLD_APART = {"invariant.not.established", "invariant.not.preserved"}


class Trusted:
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

    def searches(self, decision: Decision, node: int) -> bool:
        return self.keeps(decision)

    def keeps(self, decision: Decision) -> bool:
        is_attack = decision.kind is Kind.ASSERT and decision.taken
        return not (is_attack and any(decision.site in sites for sites in self._sites.values()))


class Bounded:
    """Goes round the same branch only so often: for loops that would be unrolled for ever."""

    def __init__(self, visits: int) -> None:
        self._visits = visits
        self._seen: dict[tuple[int, Site], int] = {}
        self.cut: dict[Site, None] = {}

    def searches(self, decision: Decision, node: int) -> bool:
        if decision.kind is not Kind.BRANCH:
            return True
        key = (node, decision.site)
        self._seen[key] = self._seen.get(key, 0) + 1
        if self._seen[key] > self._visits:
            self.cut[decision.site] = None
            return False
        return True

    def keeps(self, decision: Decision) -> bool:
        return True
