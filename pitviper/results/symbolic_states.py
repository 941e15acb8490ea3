"""What a recorded proof shows: its steps, and the symbolic state that each of them starts from."""

from __future__ import annotations

from pitviper.base.record import record
from pitviper.results.cursor import HeldAt
from pitviper.results.debugging import DebugNode, ErrorView
from pitviper.source.span import Span


@record
class RecordedStep:
    """A rule at work. `parent` is the number of the step that asked for it, None for the member.

    `ended` says how; `wrong` that something failed in it. `sides` are the first steps behind a
    branch: where its condition holds, and where it does not.
    """

    number: int
    parent: int | None
    rule: str
    text: str
    span: Span
    ended: str
    wrong: bool = False
    has_state: bool = True
    sides: tuple[int | None, int | None] = (None, None)
    way: str = ""
    """The decisions that led to it, where several steps share its place."""


@record
class StoredValue:
    """A variable; `before` is its value in the state before, where that was another one."""

    name: str
    value: str
    before: str | None = None
    is_new: bool = False


@record
class HeldLine:
    """What is held; `is_new` if it was not held so in the state before."""

    view: HeldAt
    is_new: bool = False


@record
class SymbolicState:
    """The state before a step, in words, with what differs from that before step `previous`.

    `gone` is what was held there and is not held here. `facts` are path conditions in groups;
    `new_facts` the numbers of those that were not known before.
    """

    step: int
    previous: int | None
    store: tuple[StoredValue, ...]
    heap: tuple[HeldLine, ...]
    gone: tuple[HeldAt, ...]
    old_heaps: tuple[tuple[str, tuple[HeldAt, ...]], ...]
    facts: tuple[DebugNode, ...]
    new_facts: tuple[int, ...]


@record
class PathPoint:
    """A place that the path to a failure came through: what was done, and what it changed."""

    step: int
    span: Span
    text: str
    taken: bool | None = None
    changes: tuple[tuple[str, str], ...] = ()


@record
class RecordedFailure:
    """A check that failed in a recorded member, and the step that stands for it."""

    error: ErrorView
    step: int


@record
class RecordedMemberView:
    """A member of the program with the number of its steps and what failed in it."""

    name: str
    kind: str
    span: Span
    steps: int
    failures: tuple[RecordedFailure, ...] = ()
    crash: str | None = None
