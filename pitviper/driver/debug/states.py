"""Records a program and answers about its states: steps, the state before each, instances of it.

recorded = record_program(load_text(text, "list.vpr"))
state = recorded.member("insert").state(12)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from pitviper.base.deep_stack import run_deep
from pitviper.base.qualified import is_qualified
from pitviper.base.record import replace, struct
from pitviper.base.usage_error import UsageError
from pitviper.base.written import as_written
from pitviper.checking.typed_input import InputReader
from pitviper.counterexample.alloy.model import alloy_text
from pitviper.counterexample.instance import instances
from pitviper.counterexample.options import CounterexampleOptions
from pitviper.counterexample.passed import way_to
from pitviper.counterexample.problem import axiomatic_problem_of
from pitviper.counterexample.question import Earlier, Question, Sought, sought_of, types_of
from pitviper.counterexample.where import Constraints
from pitviper.debugger.obligations.obligation import Assumption
from pitviper.debugger.tree import assumption_tree
from pitviper.driver.counterexample.search import constrained_program
from pitviper.driver.debug.debugging import error_view
from pitviper.driver.debug.words import DEPTH, Recording, StateWords, bare
from pitviper.driver.debug.written import written_changes, written_state
from pitviper.driver.front.frontend import FrontEnd
from pitviper.driver.front.selection import select_members
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.sessions import Sessions
from pitviper.engines.symbolic.state import State
from pitviper.explain.findings import conditions_of
from pitviper.explain.places import FLOW, on_path
from pitviper.explain.recorded_run import RecordedMember, recorded_members
from pitviper.explain.recorder import MEMBER, Action, Failing, node_text, outcome_text
from pitviper.plugins.pipeline import apply_plugins
from pitviper.program import stmt as ps
from pitviper.program.member import Program
from pitviper.results.counterexample import Result
from pitviper.results.cursor import HeldAt
from pitviper.results.debugging import DebugNode
from pitviper.results.finding import Finding
from pitviper.results.symbolic_states import (
    HeldLine,
    PathPoint,
    RecordedFailure,
    RecordedMemberView,
    RecordedStep,
    StoredValue,
    SymbolicState,
)
from pitviper.results.wording import kind_text
from pitviper.source.reading import Decoded
from pitviper.source.span import NO_SPAN, Span
from pitviper.terms.term import Term

DEFAULT_OPTIONS = VerifyOptions()
MOST_MOMENTS = 80
"""Statements on the way to a failure whose values are told."""


def record_program(front: FrontEnd, options: VerifyOptions = DEFAULT_OPTIONS) -> RecordedProgram:
    """Verifies all members with a recorder; UsageError where a plugin rejects the program."""
    if front.program is None:
        raise UsageError("the program has errors: nothing was recorded")
    return run_deep(lambda: _recorded(front, options, Constraints(())))


def _recorded(front: FrontEnd, options: VerifyOptions, constraints: Constraints) -> RecordedProgram:
    assert front.program is not None
    program = front.program
    if options.select:
        program = select_members(program, options.select)
    encoded = apply_plugins(program, options.plugins)
    if encoded.diagnostics:
        raise UsageError(encoded.diagnostics[0].message)
    check = front.reader(options.check)
    found: dict[str, LookedAt] = {}
    engine = replace(options.symbolic, infer_ghost=False)
    with Sessions(options.limit, options.timeout) as sessions:
        left_out = constraints.methods.values()
        for recorded in recorded_members(encoded, engine, sessions.open, left_out):
            found[recorded.member.name] = LookedAt(recorded, program, check, constraints)
    return RecordedProgram(front, options, found)


class RecordedProgram:
    """The members of a program, each with all that happened in its proof."""

    def __init__(
        self, front: FrontEnd, options: VerifyOptions, members: Mapping[str, LookedAt]
    ) -> None:
        self._front = front
        self._options = options
        self._members = members
        self._constrained: dict[tuple[str, tuple[str, ...]], LookedAt] = {}

    def members(self) -> tuple[RecordedMemberView, ...]:
        """Returns all members of the text, in its order."""
        views = [member.view() for member in self._members.values()]
        views = [view for view in views if view.span != NO_SPAN or not is_qualified(view.name)]
        return tuple(sorted(views, key=lambda view: view.span.start))

    def member(self, name: str, where: tuple[str, ...] = ()) -> LookedAt:
        """Returns a member; with constraints, recorded once more in a program that has them."""
        if name not in self._members:
            raise UsageError(f"there is no member {name}")
        if not where:
            return self._members[name]
        known = self._constrained.get((name, where))
        if known is None:
            known = run_deep(lambda: self._with(name, where))
            self._constrained[name, where] = known
        return known

    def _with(self, name: str, where: tuple[str, ...]) -> LookedAt:
        decoded = Decoded(self._front.source, None)
        front, constraints = constrained_program(decoded, where, self._options.check, ())
        if name not in constraints.methods:
            raise UsageError(f"the constraint does not fit {name}: only methods have constraints")
        own = constraints.methods[name]
        selected = replace(self._options, select=(name, own))
        recorded = _recorded(front, selected, constraints)
        return recorded.member(name)


@struct
class _Step:
    """A recorded action in its place."""

    number: int
    action: Action
    parent: int | None


class LookedAt:
    """One recorded member: its steps in the order in which they began, and their states."""

    def __init__(
        self,
        recorded: RecordedMember,
        program: Program,
        check: InputReader,
        constraints: Constraints,
    ) -> None:
        self._recorded = recorded
        self._program = program
        self._constraints = constraints
        self._recording = Recording(recorded, check)
        self._steps: list[_Step] = []
        todo: list[tuple[Action, int | None]] = []
        todo += [(root, None) for root in reversed(recorded.recorder.roots)]
        while todo:
            action, parent = todo.pop()
            number = len(self._steps)
            self._steps.append(_Step(number, action, parent))
            todo += [(inner, number) for inner in action.inner][::-1]
        self._number = {id(step.action): step.number for step in self._steps}

    # ------------------------------------------------------------ lists

    def view(self) -> RecordedMemberView:
        member, why = self._recorded.member, self._recording.trouble
        kind = kind_text(type(member).__name__.lower(), member.span)
        return RecordedMemberView(
            member.name, kind, member.span, len(self._steps), self.failures, why
        )

    @cached_property
    def failures(self) -> tuple[RecordedFailure, ...]:
        """The checks that the user is told about, in the order in which they failed."""
        return tuple(
            [
                RecordedFailure(
                    error_view(at, failing.failed, finding), self._number[id(failing.action)]
                )
                for at, (failing, finding) in enumerate(self._recording.failures)
            ]
        )

    def steps(self) -> tuple[RecordedStep, ...]:
        """Returns all steps, parents before what they asked for."""
        first, ways = self._first_steps(), self._ways()
        views = [self._view(step, first) for step in self._steps]
        return tuple([replace(view, way=ways.get(view.number, "")) for view in views])

    def _ways(self) -> dict[int, str]:
        """The decisions on the way to those steps whose place and rule others share."""
        alike: dict[tuple[str, Span], list[_Step]] = {}
        for step in self._steps:
            alike.setdefault((step.action.rule, step.action.node.span), []).append(step)
        known: dict[int, str] = {}
        found: dict[int, str] = {}
        for step in [step for steps in alike.values() if len(steps) > 1 for step in steps]:
            st = _state_of(step.action)
            if st is not None:
                at = id(st.path)
                if at not in known:
                    holds = ", ".join([c.holds for c in conditions_of(st.path)])
                    known[at] = as_written(holds, step.action.node.span.file.text)
                found[step.number] = known[at]
        return found

    def _first_steps(self) -> dict[int, int]:
        """The first step that starts on each path."""
        found: dict[int, int] = {}
        for step in self._steps:
            before = step.action.before
            if before is not None and step.action.rule != "branch":
                found.setdefault(id(before.path), step.number)
        return found

    def _view(self, step: _Step, first: Mapping[int, int]) -> RecordedStep:
        action = step.action
        sides = {side: st for side, st in action.sides if st is not None}
        behind = [
            None if (s := sides.get(k)) is None else first.get(id(s.path)) for k in (True, False)
        ]
        return RecordedStep(
            step.number,
            step.parent,
            action.rule,
            as_written(node_text(action.node), action.node.span.file.text),
            action.node.span,
            outcome_text(action),
            action.wrong is not None,
            _state_of(action) is not None,
            (behind[0], behind[1]),
        )

    def trace(self) -> Iterator[str]:
        """Gives all that was recorded, a line for each step and each question to the solver."""
        depth: dict[int | None, int] = {None: -1}
        for step in self._steps:
            action = step.action
            level = depth[step.number] = depth[step.parent] + 1
            place = action.node.span
            at = f"  [{place}]" if place.file is not NO_SPAN.file else ""
            head = f"{step.number:>5} {'  ' * level}{action.rule} {node_text(action.node)}"
            yield f"{head}  -> {outcome_text(action)}{at}"
            for asked in action.asked:
                said = "proved" if asked.answer.proved else asked.answer.unknown or "not proved"
                yield f"      {'  ' * level}? {asked.name} {asked.goal}: {said}"

    # ------------------------------------------------------------ states

    def state(self, number: int) -> SymbolicState:
        """Returns the state that a step starts from, in words."""
        described = run_deep(lambda: self._described(number))
        return written_state(described, self._recorded.member.span.file.text)

    def _described(self, number: int) -> SymbolicState:
        st, step = self._state(number), self._steps[number]
        words = self._words_at(number)
        previous = self._previous(number)
        before = None if previous is None else self._state(previous)
        known = {entry.fact for entry in (() if before is None else before.path)}
        tree = assumption_tree(
            st.path, self._recorded.recorder, self._around(step), words.expressions
        )
        held, lost = _held(words, st, before)
        return SymbolicState(
            number,
            previous,
            tuple([_stored(n, v, before, words) for n, v in st.store.items()]),
            held,
            lost,
            _old_heaps(words, st),
            tuple([_fact_view(node) for node in tree.roots]),
            tuple([f.id for f in tree.facts if before is not None and f.term not in known]),
        )

    def _words_at(self, number: int) -> StateWords:
        """Words for the state of a step; its statement has the variables of the user."""
        around = [a for a in self._around(self._steps[number]) if a.rule == "execute"]
        at = around[-1] if around else self._steps[number].action
        return StateWords(self._recording, self._state(number), at.node.span, at.before)

    def _state(self, number: int) -> State:
        if not 0 <= number < len(self._steps):
            raise UsageError(f"there is no step {number}")
        st = _state_of(self._steps[number].action)
        if st is None:
            raise UsageError(f"step {number} starts from no state")
        return st

    def _previous(self, number: int) -> int | None:
        """The step before in the same list whose state is on the way to this one, else the one
        around it."""
        step = self._steps[number]
        entries = on_path(self._state(number).path)
        siblings = [s for s in self._steps[: step.number] if s.parent == step.parent]
        for sibling in reversed(siblings):
            st = _state_of(sibling.action)
            if st is not None and (id(st.path) in entries or not st.path.length):
                return sibling.number
        around = None if step.parent is None else self._steps[step.parent]
        has_state = around is not None and _state_of(around.action) is not None
        return around.number if around is not None and has_state else None

    def _around(self, step: _Step) -> tuple[Action, ...]:
        found: list[Action] = [step.action]
        while step.parent is not None:
            step = self._steps[step.parent]
            found.append(step.action)
        return tuple(found[::-1])

    # ------------------------------------------------------------ the way to a failure

    def path(self, failure: int) -> tuple[PathPoint, ...]:
        """Returns the statements and decisions that lead to a failure."""
        return run_deep(lambda: tuple(self._path(failure)))

    def _passed(self, failing: Failing) -> Iterator[tuple[_Step, list[State]]]:
        """Statements and branches on the way, each with the states behind it that are on it."""
        entries = on_path(failing.failed.state.path)
        going_on = {id(action) for action in failing.during}
        for step in self._steps:
            action = step.action
            after = [s for s in action.after if s.path.length and id(s.path) in entries]
            if action.rule in FLOW and (after or id(action) in going_on):
                yield step, after

    def _trail(self, failing: Failing) -> Iterator[tuple[Span, State, State]]:
        """Gives what each statement on the way has changed.

        What changed in front of one is told where it begins: a loop forgets values so. Variables
        that are only declared have values that nobody gave them, which are not told.
        """
        last: State | None = None
        for step, after in self._passed(failing):
            node, before = step.action.node, step.action.before
            if before is None:
                continue
            if last is not None and last is not before:
                yield node.span, last, before
            last = after[-1] if after and step.action.rule == "execute" else before
            if last is not before and not isinstance(node, ps.Declare):
                yield node.span, before, last

    def _path(self, failure: int) -> Iterator[PathPoint]:
        failing, _ = self._failure(failure)
        words = self._words_at(self._number[id(failing.action)])
        for step, after in self._passed(failing):
            action = step.action
            taken = None
            if action.rule == "branch":
                live = [side for side, s in action.sides if s is not None and s in after]
                taken = live[0] if live else None
            changes = (
                () if action.before is None or not after else _changes(action, after[-1], words)
            )
            span = action.node.span
            text = as_written(node_text(action.node), span.file.text)
            changes = written_changes(changes, span.file.text)
            yield PathPoint(step.number, span, text, taken, changes)

    def _failure(self, number: int) -> tuple[Failing, Finding | None]:
        if not 0 <= number < len(self._recording.failures):
            raise UsageError(f"there is no failed check {number} in {self._recorded.member.name}")
        return self._recording.failures[number]

    # ------------------------------------------------------------ instances

    def question_at(self, number: int) -> Question:
        """Returns what is sought for an example of the state before a step."""
        member, origins = self._recorded.member, self._recorded.recorder.origins
        st, names = self._state(number), None
        around = [a.before for a in self._around(self._steps[number]) if a.rule == "execute"]
        if around and around[-1] is not None and around[-1].store is not st.store:
            st, names = st.storing(around[-1].store), st.store
        action = self._steps[number].action
        passed = way_to(self._state(number), action, self._recorded.recorder)
        sought = Sought(self._recorded.run, member, st, None, origins, names, passed=passed)
        span = action.node.span
        question = Question(self._program, sought, span, None, types_of(member))
        return self._constraints.required(question)

    def question_of(self, failure: int) -> Question:
        """Returns what is sought for a counterexample of a failed check."""
        failing, finding = self._failure(failure)
        member, sought = self._recorded.member, sought_of(failing, self._recorded)
        span = self.failures[failure].error.span
        earlier = tuple(self._earlier(failing))
        trail = tuple(self._trail(failing))[-MOST_MOMENTS:]
        question = Question(
            self._program, sought, span, finding, types_of(member), earlier=earlier, trail=trail
        )
        return self._constraints.required(question)

    def _earlier(self, failing: Failing) -> Iterator[Earlier]:
        for other in self._recorded.recorder.failures:
            if other is failing:
                return
            finding, goal = other.failed.finding, other.failed.context.goal
            if finding is not None:
                yield Earlier(finding.message, finding.span, goal)

    def instances(self, question: Question, objects: int, most: int) -> Iterator[Result]:
        """Gives instances of different shapes one after the other, or why there is none."""
        options = CounterexampleOptions(objects, most, replay=question.finding is not None)
        found = instances(question, options)
        while (result := run_deep(lambda: next(found, None))) is not None:
            yield result

    def alloy(self, question: Question, objects: int) -> str:
        """Returns a state as a model for Alloy."""
        title = f"{question.member}, line {question.span.line}"
        return run_deep(lambda: alloy_text(axiomatic_problem_of(question), title, objects))


def _state_of(action: Action) -> State | None:
    """The state that an action starts from; the merged one of a merge."""
    if action.rule == MEMBER:
        return None
    if action.before is not None:
        return action.before
    return action.after[0] if action.after else None


def _stored(name: str, value: Term, before: State | None, words: StateWords) -> StoredValue:
    shown, text = words.name(name), words.value(value, of=name)
    text = "as given" if text == shown else text
    if before is None:
        return StoredValue(shown, text)
    then = before.store.get(name)
    if then is None:
        return StoredValue(shown, text, is_new=True)
    return StoredValue(shown, text, None if then is value else words.value(then, of=name))


def _held(
    words: StateWords, st: State, before: State | None
) -> tuple[tuple[HeldLine, ...], tuple[HeldAt, ...]]:
    """What is held, and what was held in the state before and is not any more."""
    now = words.heap(st.heap, DEPTH)
    if before is None:
        return tuple([HeldLine(view) for view in now]), ()
    then = words.heap(before.heap, 0)
    lines = [HeldLine(view, replace(view, contents=()) not in then) for view in now]
    places = {(view.quantifier, view.location) for view in now}
    return tuple(lines), tuple([v for v in then if (v.quantifier, v.location) not in places])


def _old_heaps(words: StateWords, st: State) -> tuple[tuple[str, tuple[HeldAt, ...]], ...]:
    """Heaps of labels; while an assertion is taken away, also what is left then."""
    olds = [(f"old[{label}]" if label else "old", heap) for label, heap in st.old.items()]
    left = [] if st.left is None else [("what is left while this is given away", st.left)]
    return tuple([(title, words.heap(heap, DEPTH)) for title, heap in (*left, *olds)])


def _fact_view(node: Assumption) -> DebugNode:
    children = tuple([_fact_view(child) for child in node.children])
    final = None if node.final is None else bare(node.final)
    return DebugNode(
        node.id,
        node.description,
        node.original,
        final,
        node.span,
        children,
        internal=node.internal,
    )


def _changes(action: Action, after: State, words: StateWords) -> tuple[tuple[str, str], ...]:
    before = action.before
    assert before is not None
    store = [
        (words.name(name), words.value(value, of=name))
        for name, value in after.store.items()
        if before.store.get(name) is not value
    ]
    held = set(words.heap(before.held, 0))
    cells = [
        (view.location, view.value)
        for view in words.heap(after.held, 0)
        if view not in held and view.value is not None
    ]
    return (*store, *cells)
