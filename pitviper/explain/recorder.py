"""Records the run of one member as a tree of actions, to be read on demand.

Generators of outcomes take turns: the action that works is the innermost of those that were asked
for their next outcome. So an action contains what it asked for, and not what its outcomes led to;
the states connect an action with the ones after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from pitviper.base.record import field, record, struct
from pitviper.engines.symbolic.heap.chunk import Heap
from pitviper.engines.symbolic.provenance import Origins
from pitviper.engines.symbolic.recorder import Failed
from pitviper.engines.symbolic.services import Services
from pitviper.engines.symbolic.state import State
from pitviper.program import stmt as ps
from pitviper.program.member import Declaration
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.print.printer import stmt_text
from pitviper.solver.session import Answer
from pitviper.terms.term import Term

T = TypeVar("T", bound="State | tuple[State, Term]")

MEMBER = "member"


@record
class Asked:
    name: str
    goal: Term
    limit: int
    answer: Answer


@struct(eq=False)
class Action:
    """A rule at work; grows until its last outcome was taken."""

    rule: str
    node: Node
    before: State | None
    after: list[State] = field(default_factory=list)
    over: bool = False
    wrong: str | None = None
    sides: tuple[tuple[bool, State | None], ...] = ()
    merged: tuple[State, ...] = ()
    asked: list[Asked] = field(default_factory=list)
    inner: list[Action] = field(default_factory=list)
    group: str = ""


@record
class Failing:
    """A failed check, the action that stands for it, and the actions that were going on."""

    failed: Failed
    action: Action
    during: tuple[Action, ...]


class TraceRecorder:
    """Implements `Recorder`. `origins` come from the run that is recorded, when it starts.

    So do `services`, which know what its symbols mean.

    `applied` has the heaps in which locations were read and functions applied, by their values.
    """

    def __init__(self) -> None:
        self.origins = Origins()
        self.services: Services | None = None
        self.roots: list[Action] = []
        self._active: list[Action] = []
        self.failures: list[Failing] = []
        self.applied: dict[Term, Heap] = {}

    def started(self, member: Declaration, services: Services | None = None) -> None:
        """All that comes from now on belongs to this member."""
        self.services = services
        action = Action(MEMBER, member, None, over=True)
        self.roots.append(action)
        self._active = [action]

    def following(
        self, rule: str, st: State, node: Node, outcomes: Iterator[T], group: str = ""
    ) -> Iterator[T]:
        action = self._add(Action(rule, node, st, group=group))
        while True:
            self._active.append(action)
            try:
                outcome = next(outcomes, None)
            finally:
                self._active.pop()
            if outcome is None:
                action.over = True
                return
            action.after.append(_state(outcome))
            yield outcome

    def during(self, rule: str, st: State, node: Node, action: Callable[[], T]) -> T:
        added = self._add(Action(rule, node, st))
        self._active.append(added)
        try:
            outcome = action()
        finally:
            self._active.pop()
        added.after.append(_state(outcome))
        added.over = True
        if isinstance(outcome, tuple):
            self.applied.setdefault(outcome[1], st.heap)
        return outcome

    def branched(self, st: State, node: Node, then: State | None, otherwise: State | None) -> None:
        live = [side for side in (then, otherwise) if side is not None]
        sides = ((True, then), (False, otherwise))
        self._add(Action("branch", node, st, live, over=True, sides=sides))

    def merged(self, states: Sequence[State], node: Node, into: Sequence[State]) -> None:
        self._add(Action("merge", node, None, list(into), over=True, merged=tuple(states)))

    def asked(self, name: str, goal: Term, limit: int, answer: Answer) -> None:
        self._active[-1].asked.append(Asked(name, goal, limit, answer))

    def failed(self, failed: Failed) -> None:
        what = "failure" if failed.finding is None else failed.finding.id
        added = self._add(Action("failure", failed.node, failed.state, over=True, wrong=what))
        self.failures.append(Failing(failed, added, tuple(self._active)))
        self._blame(what)

    def left_open(self, failed: Failed) -> None:
        added = self._add(Action("undecided", failed.node, failed.state, over=True))
        self.failures.append(Failing(failed, added, tuple(self._active)))

    def gave_up(self, node: Node, message: str) -> None:
        self._add(Action("undecided", node, None, over=True, wrong=message))
        self._blame(message)

    def _blame(self, what: str) -> None:
        for action in self._active:
            action.wrong = action.wrong or what

    def _add(self, action: Action) -> Action:
        self._active[-1].inner.append(action)
        return action


def _state(outcome: State | tuple[State, Term]) -> State:
    return outcome if isinstance(outcome, State) else outcome[0]


def outcome_text(action: Action) -> str:
    """How an action ended."""
    if action.wrong is not None:
        return action.wrong
    if not action.over:
        return "not finished"
    return "done" if action.after or action.rule == MEMBER else "no state left"


def node_text(node: Node) -> str:
    """One line for an expression, an assertion, a statement or a member."""
    if isinstance(node, ps.Stmt):
        return stmt_text(node).partition("\n")[0]
    return node.name if isinstance(node, Declaration) else text_of(node)
