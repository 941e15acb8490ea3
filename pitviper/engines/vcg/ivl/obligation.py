"""What a failed assertion of the intermediate language means in the user's program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from pitviper.results.finding import Condition, Event, Finding
from pitviper.source.span import Span

Key: TypeAlias = tuple[str, str, Span, Span | None, tuple[str, ...]]


class Kind(Enum):
    """What it means that a goal is not proved."""

    FINDING = "a failed obligation; undecided if the solver gave up"
    HOPED = "what the user hopes for: giving up is a failure, too"
    WARNING = "nothing, but a proof is worth a warning"


@dataclass(frozen=True, slots=True)
class Obligation:
    """All that a finding needs; the message is made only if there is one.

    `explain` tells what became of a missing permission and what is held instead.
    """

    error: str
    reason: str
    span: Span
    message: Callable[[], str]
    offending: Span | None = None
    origin: tuple[str, ...] = ()
    kind: Kind = Kind.FINDING
    explain: Callable[[], tuple[tuple[Event, ...], tuple[str, ...]]] | None = None

    @property
    def key(self) -> Key:
        """Failures with the same key are one."""
        return self.error, self.reason, self.span, self.offending, self.origin

    def failed(self, member: str, conditions: tuple[Condition, ...]) -> Finding:
        history, held = self.explain() if self.explain is not None else ((), ())
        return Finding(
            self.error,
            self.reason,
            self.span,
            member,
            self.message(),
            self.offending,
            self.origin,
            conditions,
            history=history,
            held=held,
        )
