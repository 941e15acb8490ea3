"""Symbolic states at places of a program, in the words of the source: plain data for every view."""

from __future__ import annotations

from pitviper.base.record import record
from pitviper.source.span import Span


@record
class HeldAt:
    """What is held: a location, its value, how much of it, and what is inside a predicate instance.

    `quantifier` is `forall i: Int :: ... ==>` where many locations are held at once; `when` is the
    condition under which this part is inside the instance around it. `value` is None where the
    source has no words for it.
    """

    location: str
    value: str | None
    amount: str
    quantifier: str = ""
    when: str = ""
    contents: tuple[HeldAt, ...] = ()

    @property
    def text(self) -> str:
        """Returns it as an assertion."""
        access = f"acc({self.location}, {self.amount})"
        return " ".join([part for part in (self.quantifier, access) if part])

    @property
    def short(self) -> str:
        """Returns it as somebody would write it: a whole permission has no amount."""
        place = f"acc({self.location})" if "(" not in self.location else self.location
        access = place if self.amount == "write" else f"acc({self.location}, {self.amount})"
        return " ".join([part for part in (self.quantifier, access) if part])


@record
class Asked:
    """The expression under the cursor: its text, its value, and the permission held to it.

    None where it has no value or no permission can be held.
    """

    text: str
    value: str | None = None
    permission: str | None = None


@record
class StateAt:
    """One symbolic state: `step` is its number in the record, `after` which side of the step.

    `conditions` are the decisions that lead here, `facts` what else is known, `problems` what
    fails in the step that starts here.
    """

    step: int
    after: bool
    span: Span
    text: str
    store: tuple[tuple[str, str], ...]
    heap: tuple[HeldAt, ...]
    old_heaps: tuple[tuple[str, tuple[HeldAt, ...]], ...] = ()
    conditions: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    asked: Asked | None = None


@record
class StatesAt:
    """The states at a place, one for each path that comes there.

    `reason` says why there is none, or what is wrong with the record as a whole; `omitted` states
    are left out.
    """

    member: str
    states: tuple[StateAt, ...]
    reason: str | None = None
    omitted: int = 0


@record
class HeldChange:
    """What a statement has brought and taken, as assertions; `span` is the statement."""

    span: Span
    gained: tuple[str, ...]
    lost: tuple[str, ...]


@record
class StepAt:
    """A step of a recorded run, as a reader walks through it; `problems` are what fails in it."""

    number: int
    rule: str
    text: str
    span: Span
    problems: tuple[str, ...] = ()


@record
class Track:
    """One way through a member: its decisions, its steps in their order, and how it ends."""

    conditions: tuple[str, ...]
    steps: tuple[StepAt, ...]
    ending: str
