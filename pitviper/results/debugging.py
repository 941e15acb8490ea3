"""What the proof debugger shows: plain data for every view."""

from __future__ import annotations

from enum import Enum

from pitviper.base.record import field, record
from pitviper.results.counterexample import Result
from pitviper.results.finding import Finding
from pitviper.source.span import Span


@record
class DebugNode:
    """An assumption, or a group of them.

    `original` is what stands in the program, `final` the same with versions and labels: it can be
    typed in again. What the language has no words for is `internal` and has a description only.
    A node that was removed counts for nothing, with all its children.
    """

    id: int
    description: str | None
    original: str | None
    final: str | None
    span: Span | None
    children: tuple[DebugNode, ...] = ()
    internal: bool = field(default=False, kw_only=True)
    removed: bool = field(default=False, kw_only=True)
    added: bool = field(default=False, kw_only=True)

    @property
    def text(self) -> str:
        return self.final or self.description or self.original or "internal"


@record
class HeldView:
    """What is held: a location, its value, how much of it.

    `quantifier` is `forall i: Int :: ... ==>` where many locations are held at once. `contents` are
    the locations inside of a predicate instance with their values, where these are known.
    """

    location: str
    value: str | None
    amount: str
    quantifier: str = ""
    contents: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        """As an assertion."""
        access = f"acc({self.location}, {self.amount})"
        return f"{self.quantifier} {access}" if self.quantifier else access


@record
class StateDescription:
    """A symbolic state in the words of the program."""

    store: tuple[tuple[str, str], ...]
    heap: tuple[HeldView, ...]
    branch: tuple[str, ...] = ()


@record
class GoalView:
    """What has to be proved: as it stands in the program, or as it was typed; and in full."""

    text: str
    final: str | None
    original: bool


@record
class ErrorView:
    """One failed obligation, as a choice."""

    number: int
    id: str
    message: str
    member: str
    span: Span
    offending: Span | None
    branch: tuple[str, ...] = ()
    chosen: bool = False


def error_of(number: int, finding: Finding, member: str = "") -> ErrorView:
    """Returns the error as the user knows it; `member` is for a finding that names none."""
    branch = tuple([condition.holds for condition in finding.conditions])
    name = finding.member or member
    return ErrorView(
        number, finding.id, finding.message, name, finding.span, finding.offending, branch
    )


class Outcome(Enum):
    PROVED = "proved"
    FAILED = "not proved"
    UNDECIDED = "undecided"


@record
class ProofView:
    """What became of an attempt to prove a goal."""

    goal: str
    outcome: Outcome
    solver: str
    seconds: float
    why: str | None = None


# ---------------------------------------------------------------- replies


@record
class Errors:
    """The failed obligations of a run."""

    errors: tuple[ErrorView, ...]


@record
class ObligationReply:
    """A proof obligation, or some sections of it: the others are None."""

    error: ErrorView | None = None
    state: StateDescription | None = None
    old_heaps: tuple[tuple[str, tuple[HeldView, ...]], ...] | None = None
    assumptions: tuple[DebugNode, ...] | None = None
    axioms: tuple[str, ...] | None = None
    goal: GoalView | None = None
    sections: tuple[str, ...] = ()


@record
class NodeReply:
    """Assumptions by themselves, with all that is known about them."""

    nodes: tuple[DebugNode, ...]
    terms: tuple[str, ...] = ()
    title: str = ""


@record
class ProofReply:
    proof: ProofView


@record
class Note:
    """Something was done, or there is something to say."""

    text: str
    warning: bool = False


@record
class Problem:
    """The input has no meaning: one line, with the part of the input that is wrong.

    `is_about_state` where it has none in this state: a permission is missing, say.
    """

    message: str
    line: str = ""
    start: int = 0
    end: int = 0
    is_about_state: bool = False


@record
class StepView:
    """A step of the recorded run; `here` is where the reader is."""

    number: int
    rule: str
    text: str
    span: Span
    depth: int
    outcome: str
    on_path: bool
    here: bool = False


@record
class StepsReply:
    steps: tuple[StepView, ...]
    state: StateDescription | None = None
    title: str = ""


@record
class DiffReply:
    """What differs between two states: (kind, removed, added)."""

    title: str
    store: tuple[tuple[str, str | None, str | None], ...]
    heap: tuple[tuple[bool, str], ...]
    assumptions: tuple[tuple[bool, str], ...]


@record
class SourceReply:
    """Lines of the program around a place."""

    span: Span
    around: int


@record
class Listing:
    """Lines of text under a title; `plain` ones go out as they are (exports)."""

    title: str
    lines: tuple[str, ...]
    plain: bool = False


@record
class CounterexampleReply:
    """Concrete states in which the goal does not hold, or why there are none."""

    results: tuple[Result, ...]


@record
class Quit:
    """The session is over."""


Reply = (
    Errors
    | ObligationReply
    | NodeReply
    | ProofReply
    | Note
    | Problem
    | StepsReply
    | DiffReply
    | SourceReply
    | Listing
    | CounterexampleReply
    | Quit
)
