"""A small concrete state in which a check fails, or why there is none: plain data."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from pitviper.base.qualified import call_words, wand_words
from pitviper.base.record import record
from pitviper.source.span import Span

NOW = ""
"""The label of the present state; `old` is that of the method's start."""


class Standing(Enum):
    """What is known about an instance, from most to least."""

    REPLAYED = "replayed"  # a concrete run from the member's start fails in the same place
    CHECKED = "checked"  # our evaluator confirms every assumption, and that the check fails
    CANDIDATE = "candidate"  # something about it could not be confirmed


class Absence(Enum):
    WITHIN_BOUNDS = "none within bounds"
    SPURIOUS = "spurious"  # the assumptions prove what failed: the solver did not see it
    UNREACHABLE = "unreachable"  # the assumptions contradict each other
    AFTER_FAILURE = "after an earlier failure"  # likewise, but an earlier failure is among them
    UNDECIDED = "undecided"  # the solver reached its limit
    EXCLUDED = "excluded by a constraint"  # what the user asked for holds in no state here


@record
class Shown:
    """A value as text, with the objects in it; one that is not `pinned` could be any other."""

    text: str
    objects: tuple[str, ...] = ()
    pinned: bool = True


@record
class Variable:
    name: str
    type: str
    value: Shown


@record
class Location:
    """A field of an object: how much of it is held, and its value."""

    object: str
    field: str
    amount: str
    value: Shown


MISSING = "missing"
"""The amount of an instance that a check asks for, and of which nothing need be held."""


@record
class Instance:
    """A predicate instance or a magic wand that is held; `owns` are the locations inside of it,
    `inside` the instances.

    The `shape` of a wand has holes where its arguments stand.
    """

    kind: str
    name: str
    args: tuple[Shown, ...]
    amount: str
    owns: tuple[Location, ...] = ()
    shape: str = ""
    inside: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        values = [arg.text for arg in self.args]
        return wand_words(self.shape, values) if self.shape else call_words(self.name, values)


@record
class HeapState:
    """What is held in a state: `label` is empty for the present one."""

    label: str
    locations: tuple[Location, ...] = ()
    instances: tuple[Instance, ...] = ()


@record
class Application:
    """The value of a function for some arguments."""

    text: str
    value: Shown


@record
class Focus:
    """What the failing check looks at; `labels` are those of the earlier states among that.

    `missing` are predicate instances that it asks for, with the amount that is wanted left open.
    """

    objects: tuple[str, ...] = ()
    locations: tuple[tuple[str, str], ...] = ()
    variables: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    missing: tuple[Instance, ...] = ()


@record
class Moment:
    """A statement on the way to a state, and the values that it has changed, with their names."""

    span: Span
    values: tuple[tuple[str, str], ...]


@record
class Counterexample:
    """An instance of a state. `finding` is the failed check's id, None for an example of a state.

    `caption` says in one sentence what goes wrong. `confirmed` are the checks that the instance
    passed, `doubts` what could not be confirmed. `number` counts the instances of one state.
    `trail` is how the values came about, as far as the question has asked for that.
    """

    member: str
    finding: str | None
    span: Span
    caption: str
    standing: Standing
    objects: tuple[str, ...]
    variables: tuple[Variable, ...]
    heaps: tuple[HeapState, ...]
    functions: tuple[Application, ...] = ()
    focus: Focus = Focus()
    confirmed: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    number: int = 1
    trail: tuple[Moment, ...] = ()


@record
class Reason:
    """A fact that takes part in the reason why there is no instance."""

    text: str
    span: Span | None = None


@record
class NoCounterexample:
    """Why a failed check (or a state, without `finding`) has no instance."""

    member: str
    finding: str | None
    span: Span
    absence: Absence
    message: str
    objects: int = 0
    because: tuple[Reason, ...] = ()
    advice: tuple[str, ...] = ()


Result: TypeAlias = Counterexample | NoCounterexample
