"""The tree of recorded steps of one member: plain data for the debugger and for reports."""

from __future__ import annotations

from pitviper.base.record import record
from pitviper.source.span import Span


@record
class Question:
    """What the solver was asked: the goal as a Viper expression, what it might cost, the answer.

    `answer` is `proved`, `not proved`, or why the solver gave up.
    """

    name: str
    goal: str
    limit: int
    answer: str


@record
class Side:
    """One side of a branch: the state on it, or why no execution takes it."""

    taken: bool
    state: int | None
    pruned: str | None = None


@record
class TraceStep:
    """A rule at work on a node. States are numbers, to be looked up where they are needed.

    A step has the state it starts from (None: it starts from none), the states it leads to, and
    the steps it takes on the way. `outcome` is `done`, `no state left`, or what is wrong. `sides`
    are those of a branch; a merge has several states in `merged`.
    """

    rule: str
    text: str
    span: Span
    before: int | None
    after: tuple[int, ...] = ()
    outcome: str = "done"
    sides: tuple[Side, ...] = ()
    merged: tuple[int, ...] = ()
    questions: tuple[Question, ...] = ()
    steps: tuple[TraceStep, ...] = ()


@record
class Assumption:
    """A fact that is known on a path: what it says, and where it comes from."""

    text: str
    description: str
    span: Span | None


@record
class StateView:
    """A state as texts: variables with their values, what is held, what is known.

    `remaining` is what is left of it while an assertion is being consumed.
    """

    store: tuple[tuple[str, str], ...]
    heap: tuple[str, ...]
    assumptions: tuple[Assumption, ...]
    remaining: tuple[str, ...] | None = None
