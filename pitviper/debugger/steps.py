"""Walking the recorded run: steps with numbers, what leads to the failure, what changes between."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pitviper.base.record import struct
from pitviper.debugger.obligations.symbolic import SymbolicObligation
from pitviper.engines.symbolic.state import State
from pitviper.explain.places import FLOW, on_path
from pitviper.explain.recorder import MEMBER, Action, node_text, outcome_text
from pitviper.results.debugging import DiffReply, HeldView, Problem, StepsReply, StepView
from pitviper.terms.term import TRUE, Term


@struct
class _Step:
    number: int
    action: Action
    parent: int | None
    depth: int
    on_path: bool


class Steps:
    """The actions of the member of one obligation, in the order in which they began."""

    def __init__(self, obligation: SymbolicObligation) -> None:
        self._obligation = obligation
        self._steps: list[_Step] = []
        failing = obligation.failing
        self._entries = on_path(failing.failed.state.path)
        going_on = {id(action) for action in failing.during}
        todo: list[tuple[Action, int | None, int]] = []
        todo += [(root, None, 0) for root in obligation.recorder.roots][::-1]
        while todo:
            action, parent, depth = todo.pop()
            number = len(self._steps)
            leads = action is failing.action or id(action) in going_on or self._leads(action)
            self._steps.append(_Step(number, action, parent, depth, leads))
            todo += [(inner, number, depth + 1) for inner in action.inner][::-1]
        self.here = next(s.number for s in self._steps if s.action is failing.action)

    def _leads(self, action: Action) -> bool:
        """Whether one of the states after it is on the path; the states before it always are."""
        known = [s for s in action.after if s.path.length]
        return any(id(s.path) in self._entries for s in known)

    def __len__(self) -> int:
        return len(self._steps)

    @property
    def obligation(self) -> SymbolicObligation:
        return self._obligation

    def actions(self) -> Iterator[tuple[int, int | None, Action]]:
        """Gives every action with its number and that of its parent."""
        for step in self._steps:
            yield step.number, step.parent, step.action

    # ------------------------------------------------------------ lists

    def path(self) -> StepsReply:
        """Returns the statements and decisions that lead to the failure."""
        shown = [s for s in self._steps if s.on_path and self._is_landmark(s)]
        return StepsReply(tuple([self._view(s, flat=True) for s in shown]), title="path")

    def whole(self) -> StepsReply:
        return StepsReply(tuple([self._view(s) for s in self._steps]), title="all steps")

    def _is_landmark(self, step: _Step) -> bool:
        action = step.action
        return action.rule in (*FLOW, MEMBER, "merge") or action is self._obligation.failing.action

    def at(self) -> StepsReply:
        """Returns the step where the reader is, with its parent and children, and its state."""
        step = self._steps[self.here]
        around = [] if step.parent is None else [self._steps[step.parent]]
        inside = [s for s in self._steps if s.parent == step.number]
        shown = tuple([self._view(s) for s in (*around, step, *inside)])
        st = self._state(step)
        described = None if st is None else self._obligation.describe(st)
        return StepsReply(shown, described, title=f"step {step.number}")

    def _view(self, step: _Step, *, flat: bool = False) -> StepView:
        action = step.action
        return StepView(
            step.number,
            _rule(action, self._entries),
            node_text(action.node),
            action.node.span,
            0 if flat else step.depth,
            outcome_text(action),
            step.on_path,
            step.number == self.here,
        )

    # ------------------------------------------------------------ moves

    def go(self, where: str) -> StepsReply | Problem:
        target = self._target(where)
        if isinstance(target, Problem):
            return target
        self.here = target
        return self.at()

    def _target(self, where: str) -> int | Problem:
        if where.isdigit():
            known = int(where) < len(self._steps)
            return int(where) if known else self._no_step(where)
        step = self._steps[self.here]
        siblings = [s.number for s in self._steps if s.parent == step.parent]
        place = siblings.index(step.number)
        match where:
            case "parent" | "up":
                found = step.parent
            case "child" | "down":
                found = next((s.number for s in self._steps if s.parent == step.number), None)
            case "next" | "n":
                found = siblings[place + 1] if place + 1 < len(siblings) else None
            case "previous" | "prev":
                found = siblings[place - 1] if place > 0 else None
            case "failure":
                failing = self._obligation.failing.action
                found = next(s.number for s in self._steps if s.action is failing)
            case "then" | "else":
                found = self._side(step, taken=where == "then")
            case _:
                return Problem(f"`{where}` is no step: {_MOVES}")
        return Problem(f"step {step.number} has no {where}") if found is None else found

    def _side(self, step: _Step, *, taken: bool) -> int | None:
        """The first step from the state on one side of a branch."""
        states = [st for side, st in step.action.sides if side is taken and st is not None]
        for later in self._steps[step.number + 1 :]:
            before = later.action.before
            if before is not None and any(before.path is st.path for st in states):
                return later.number
        return None

    def _no_step(self, where: str) -> Problem:
        return Problem(f"there is no step {where}: steps are 0 to {len(self._steps) - 1}")

    # ------------------------------------------------------------ differences

    def diff(self, first: str, second: str) -> DiffReply | Problem:
        states = []
        for where in (first, second):
            if not where.isdigit() or int(where) >= len(self._steps):
                return self._no_step(where)
            st = self._state(self._steps[int(where)])
            if st is None:
                return Problem(f"step {where} starts from no state")
            states.append(st)
        return self._difference(f"step {first} to step {second}", states[0], states[1])

    def _difference(self, title: str, a: State, b: State) -> DiffReply:
        text = self._obligation.text
        names = dict.fromkeys([*a.store, *b.store])
        store = tuple(
            [
                (name, _text(a, name, text), _text(b, name, text))
                for name in names
                if a.store.get(name) is not b.store.get(name)
            ]
        )
        held_a, held_b = [[_line(v) for v in self._obligation.held(s.held)] for s in (a, b)]
        known_a = {entry.fact: None for entry in a.path if entry.fact is not TRUE}
        known_b = {entry.fact: None for entry in b.path if entry.fact is not TRUE}
        return DiffReply(
            title,
            store,
            _changes(held_a, held_b),
            _changes(
                self._told([f for f in known_a if f not in known_b]),
                self._told([f for f in known_b if f not in known_a]),
            ),
        )

    def _told(self, facts: list[Term]) -> list[str]:
        """Those that have words."""
        return [self._obligation.text(f) for f in facts if self._obligation.words.of(f)]

    def _state(self, step: _Step) -> State | None:
        """The state that a step starts from; the merged one of a merge."""
        if step.action.before is not None:
            return step.action.before
        return step.action.after[0] if step.action.after else None


_MOVES = "give a number, parent, child, next, previous, then, else or failure"


def _rule(action: Action, entries: frozenset[int]) -> str:
    """For a branch, the side that the path takes."""
    if action.rule != "branch":
        return action.rule
    for taken, st in action.sides:
        if st is not None and id(st.path) in entries:
            return "branch then" if taken else "branch else"
    return "branch"


def _text(st: State, name: str, text: Callable[[Term], str]) -> str | None:
    value = st.store.get(name)
    return None if value is None else text(value)


def _line(view: HeldView) -> str:
    value = "" if view.value is None else f" -> {view.value}"
    return f"{view.text}{value}"


def _changes(before: list[str], after: list[str]) -> tuple[tuple[bool, str], ...]:
    gone = [(False, line) for line in before if line not in after]
    return (*gone, *[(True, line) for line in after if line not in before])
