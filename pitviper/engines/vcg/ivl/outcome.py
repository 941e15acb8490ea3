"""What is known about a procedure after its proof."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from pitviper.engines.vcg.ivl.language import Key, Obligation
from pitviper.results.finding import Condition, Finding
from pitviper.results.member import Undecided
from pitviper.solver.session import ASSERT
from pitviper.source.span import Span


@dataclass(slots=True)
class Effort:
    """`forced` says that the lazy facts were needed; `asserts` are those the prover looked at."""

    asserts: int = 0
    queries: int = 0
    forced: bool = False
    splits: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """Findings in the order of the assertions that failed."""

    findings: tuple[Finding, ...] = ()
    undecided: tuple[Undecided, ...] = ()
    warnings: tuple[tuple[Span, str], ...] = ()
    effort: Effort = field(default_factory=Effort)


@dataclass(slots=True)
class Log:
    """Collects an outcome; the same failure is reported once."""

    member: str
    effort: Effort = field(default_factory=Effort)
    _findings: dict[Key, Finding] = field(default_factory=dict)
    _undecided: dict[Key, Undecided] = field(default_factory=dict)
    _warnings: dict[tuple[Span, str], None] = field(default_factory=dict)

    def knows(self, obligation: Obligation) -> bool:
        return obligation.key in self._findings

    def fail(self, obligation: Obligation, conditions: tuple[Condition, ...]) -> None:
        if obligation.key not in self._findings:
            self._findings[obligation.key] = obligation.failed(self.member, conditions)

    def give_up(self, obligation: Obligation) -> None:
        place = obligation.offending or obligation.span
        message = f"the solver reached its limit while checking {obligation.reason}"
        self._undecided.setdefault(obligation.key, Undecided(place, message))

    def warn(self, obligation: Obligation) -> None:
        self._warnings[obligation.span, obligation.message()] = None

    def outcome(self) -> Outcome:
        """A check that failed elsewhere is decided, whatever the solver said about it here."""
        undecided = [u for key, u in self._undecided.items() if key not in self._findings]
        return Outcome(
            tuple(self._findings.values()),
            tuple(dict.fromkeys(undecided)),
            tuple(self._warnings),
            self.effort,
        )


class Strategy(Enum):
    WALK = "one question for each assertion, in order"
    WHOLE = "one question for all assertions of a procedure, as often as there are failures"


@dataclass(frozen=True, slots=True)
class ProverOptions:
    """Limits count solver resources: `first` without the lazy facts, `last` with them."""

    strategy: Strategy = Strategy.WALK
    first: int = ASSERT // 10
    last: int = ASSERT
