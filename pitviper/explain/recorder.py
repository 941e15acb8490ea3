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
from pitviper.engines.symbolic.provenance import BranchPoint, Origins, Provenance
from pitviper.engines.symbolic.recorder import Failed
from pitviper.engines.symbolic.state import State
from pitviper.explain.final_expression import FinalExpressions
from pitviper.program import stmt as ps
from pitviper.program.member import Declaration
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.print.printer import stmt_text
from pitviper.results.trace import Assumption, Question, Side, StateView, TraceStep
from pitviper.solver.session import Answer, FactKind, Path
from pitviper.source.span import Span
from pitviper.terms.term import TRUE, Term

T = TypeVar("T", bound="State | tuple[State, Term]")

MEMBER = "member"
PRUNED = "the path contradicts it"


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

    `applied` has the heaps in which locations were read and functions applied, by their values.
    """

    def __init__(self) -> None:
        self.origins = Origins()
        self.roots: list[Action] = []
        self._active: list[Action] = []
        self._numbers: dict[int, int] = {}
        self._states: list[State] = []
        self.failures: list[Failing] = []
        self._shown: FinalExpressions | None = None
        self.applied: dict[Term, Heap] = {}

    # ------------------------------------------------------------ what the engine tells

    def started(self, member: Declaration) -> None:
        """All that comes from now on belongs to this member."""
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

    # ------------------------------------------------------------ what a reader asks

    def steps(self) -> tuple[TraceStep, ...]:
        """The whole tree; states are numbered in the order in which they are met here."""
        return tuple([self.step(action) for action in self.roots])

    def step(self, action: Action) -> TraceStep:
        shown = self._words()
        return TraceStep(
            action.rule,
            node_text(action.node),
            action.node.span,
            None if action.before is None else self._number(action.before),
            tuple([self._number(st) for st in action.after]),
            outcome_text(action),
            tuple([self._side(taken, st) for taken, st in action.sides]),
            tuple([self._number(st) for st in action.merged]),
            tuple([_question(asked, shown) for asked in action.asked]),
            tuple([self.step(inner) for inner in action.inner]),
        )

    def view(self, number: int) -> StateView:
        """A state that some step mentions."""
        return state_view(self._states[number], self._words())

    def _words(self) -> FinalExpressions:
        """One for all states: they share most of their terms."""
        if self._shown is None:
            self._shown = FinalExpressions(self.origins)
        return self._shown

    def _side(self, taken: bool, st: State | None) -> Side:  # noqa: FBT001 - as in the data
        return Side(taken, None, PRUNED) if st is None else Side(taken, self._number(st))

    def _number(self, st: State) -> int:
        number = self._numbers.get(id(st))
        if number is None:
            number = self._numbers[id(st)] = len(self._states)
            self._states.append(st)
        return number


def _state(outcome: State | tuple[State, Term]) -> State:
    return outcome if isinstance(outcome, State) else outcome[0]


def outcome_text(action: Action) -> str:
    """How an action ended."""
    if action.wrong is not None:
        return action.wrong
    if not action.over:
        return "not finished"
    return "done" if action.after or action.rule == MEMBER else "no state left"


def _question(asked: Asked, shown: FinalExpressions) -> Question:
    answer = asked.answer
    told = "proved" if answer.proved else answer.unknown or "not proved"
    return Question(asked.name, shown.text(asked.goal), asked.limit, told)


def node_text(node: Node) -> str:
    """One line for an expression, an assertion, a statement or a member."""
    if isinstance(node, ps.Stmt):
        return stmt_text(node).partition("\n")[0]
    return node.name if isinstance(node, Declaration) else text_of(node)


def state_view(st: State, shown: FinalExpressions) -> StateView:
    """Everything about a state; made only when somebody looks at it."""
    return StateView(
        tuple([(name, shown.text(value)) for name, value in st.store.items()]),
        _heap(st.heap, shown),
        assumptions(st.path, shown),
        None if st.left is None else _heap(st.left, shown),
    )


def _heap(heap: Heap, shown: FinalExpressions) -> tuple[str, ...]:
    """`acc(x@0.f, write) with value v@1`; a quantified chunk shows its amount for any location."""
    plain = [
        f"acc({shown.location(c.resource, c.args)}, {shown.text(c.amount)})"
        f" with value {shown.text(c.value)}"
        for c in heap
    ]
    wide = [
        f"forall {', '.join(v.name for v in c.formals)} :: "
        f"acc({shown.location(c.resource, c.formals)}, {shown.text(c.amount)})"
        for c in heap.quantified_chunks()
    ]
    return (*plain, *wide)


def assumptions(path: Path, shown: FinalExpressions) -> tuple[Assumption, ...]:
    """The facts of a path, oldest first, each with where it comes from."""
    return tuple(
        [
            Assumption(shown.text(entry.fact), *_described(entry))
            for entry in path
            if entry.fact is not TRUE
        ]
    )


def _described(entry: Path) -> tuple[str, Span | None]:
    match entry.provenance:
        case Provenance(group, node):
            source = f"{group}: " if group else ""
            return f"{source}{text_of(node)}", node.span
        case BranchPoint(node=node, taken=taken):
            text = text_of(node) if taken else f"!({text_of(node)})"
            return f"branch condition: {text}", node.span
        case _:
            return _INTERNAL[entry.kind], None


_INTERNAL = {
    FactKind.PLAIN: "internal",
    FactKind.DEFINITION: "definition",
    FactKind.GLOBAL: "definition",
    FactKind.BRANCH: "branch condition",
}
