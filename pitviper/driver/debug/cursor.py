"""The symbolic states of one member, recorded once and shown on demand, where nothing fails too.

`record_member` verifies a member with a recorder. A `MemberRecord` knows the states in front of
and behind every statement, on every path, and puts those that are asked for into the words of the
source. It keeps references to states that are values, so it is small until it is asked.
"""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.base.deep_stack import run_deep
from pitviper.base.qualified import short_name
from pitviper.base.record import field, record, replace
from pitviper.base.written import as_written
from pitviper.debugger.obligations.symbolic import Background, SymbolicObligation
from pitviper.debugger.session import debugger_for
from pitviper.debugger.workbench import Workbench
from pitviper.driver.debug.debugging import DebugSession, error_view
from pitviper.driver.debug.tools import DriverTools
from pitviper.driver.debug.words import DEPTH, Recording, StateWords
from pitviper.driver.debug.written import written_state_at
from pitviper.driver.front.frontend import FrontEnd
from pitviper.driver.front.selection import select_members
from pitviper.driver.verify.completion import completed
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.sessions import Sessions
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.access import permission_amount
from pitviper.engines.symbolic.heap.chunk import Kind, field_resource, predicate_resource
from pitviper.engines.symbolic.recorder import Failed
from pitviper.engines.symbolic.rules.evaluate import evaluate
from pitviper.engines.symbolic.services import INTERNAL, Obligation
from pitviper.engines.symbolic.state import State
from pitviper.engines.symbolic.verifier import context_for
from pitviper.explain.findings import conditions_of
from pitviper.explain.places import on_path
from pitviper.explain.recorded_run import RecordedMember, recorded_members
from pitviper.explain.recorder import MEMBER, Action, Failing, node_text
from pitviper.plugins.pipeline import apply_plugins
from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program import stmt as ps
from pitviper.program.member import Method, Program
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants
from pitviper.results.cursor import Asked, HeldChange, StateAt, StatesAt, StepAt, Track
from pitviper.results.debugging import ErrorView, Problem
from pitviper.results.finding import Finding
from pitviper.solver.z3.session import Z3Session
from pitviper.source.span import NO_SPAN, Span
from pitviper.terms import build as tb
from pitviper.terms.sort import BOOL, PERM
from pitviper.terms.substitute import subterms
from pitviper.terms.supply import Supply
from pitviper.terms.term import App, Literal, Term

MOST_STATES = 24
"""States at one place that are put into words; a number says how many more there are."""

MOST_BRANCHES = 5
"""Decisions of a member up to which all its paths are kept apart, also behind them."""


def record_member(front: FrontEnd, name: str, options: VerifyOptions) -> MemberRecord | None:
    """Verifies a member with a recorder; None where the program has no such member.

    >>> from pitviper.driver.front.frontend import load_text
    >>> front = load_text("method m(x: Int) { var y: Int := x + 1\\n assert y > x }")
    >>> found = record_member(front, "m", VerifyOptions()).at(45)
    >>> [(state.text, state.store) for state in found.states]
    [('assert y > x', (('x', 'x'), ('y', 'x + 1')))]
    """
    return run_deep(lambda: _record(completed(front, options), name, options))


def _record(front: FrontEnd, name: str, options: VerifyOptions) -> MemberRecord | None:
    whole = front.program
    if whole is None or not any(
        name in table for table in (whole.methods, whole.functions, whole.predicates)
    ):
        return None
    program = select_members(whole, (name,))
    encoded = apply_plugins(program, options.plugins)
    if encoded.diagnostics:
        return None
    options = replace(options, join=_decisions(program.methods.get(name)) > MOST_BRANCHES)
    others = [*program.methods, *program.predicates]
    left_out = [other for other in others if other != name]
    with Sessions(options.limit, options.timeout) as sessions:
        engine = options.for_language(front.language).symbolic
        for recorded in recorded_members(encoded, engine, sessions.open, left_out):
            if recorded.member.name == name:
                return MemberRecord(recorded, front, program, options)
    return None


def _decisions(method: Method | None) -> int:
    if method is None or method.body is None:
        return 0
    return sum(1 for node in descendants(method.body) if isinstance(node, ps.If | ps.Goto))


@record
class _Step:
    """An action that a reader sees, and its number."""

    number: int
    action: Action

    @property
    def span(self) -> Span:
        return self.action.node.span


@record
class _Place:
    """A state, and the step that it is in front of, or behind."""

    step: _Step
    state: State
    after: bool = field(default=False, kw_only=True)


class MemberRecord:
    """The recorded run of one member."""

    def __init__(
        self, recorded: RecordedMember, front: FrontEnd, program: Program, options: VerifyOptions
    ) -> None:
        self._recorded = recorded
        self.front = front
        self._program = program
        self._options = options
        self._debuggers: dict[int, DebugSession] = {}
        self._words = Recording(recorded, front.reader(options.check))
        found = [a for a in _visible(recorded.recorder.roots) if a.node.span != NO_SPAN]
        self._steps = [_Step(number, action) for number, action in enumerate(found)]

    @property
    def name(self) -> str:
        return self._recorded.member.name

    @property
    def recorded(self) -> RecordedMember:
        return self._recorded

    @property
    def trouble(self) -> str | None:
        """Returns why the record ends early; None if it is whole."""
        return self._words.trouble

    # ------------------------------------------------------------ where

    def at(self, offset: int) -> StatesAt:
        """Returns the states at an offset of the file, with the expression that stands there."""
        return run_deep(lambda: self._at(offset))

    def _at(self, offset: int) -> StatesAt:
        places = list(self._places(offset))
        node = self._node_at(offset)
        shown = [self._view(place, node) for place in places[:MOST_STATES]]
        reason = self.trouble
        if not shown and reason is None:
            reason = "no path comes here"
        return StatesAt(self.name, tuple(shown), reason, max(0, len(places) - MOST_STATES))

    def _places(self, offset: int) -> Iterator[_Place]:
        """Gives the states at an offset: in front of the statement there, or behind the last one.

        In a clause of a contract: behind what it assumes, in front of what it checks.
        """
        here = [s for s in self._steps if self._is_around(s.span, offset)]
        flow = [s for s in here if s.action.rule in ("execute", "branch")]
        if flow:
            yield from _before(_smallest(flow))
            return
        if here:
            yield from _in_clause(_smallest(here))
            return
        member, source = self._recorded.member.span, self.front.source
        known = [s for s in self._flow_steps() or self._steps if s.span.file is source]
        earlier = [s for s in known if member.start <= s.span.start and s.span.end <= offset]
        if earlier:
            last = max(s.span.end for s in earlier)
            yield from _behind([s for s in earlier if s.span.end == last])
        elif self._is_around(member, offset):
            yield from _behind([s for s in self._steps if s.action.group][-1:])

    def _flow_steps(self) -> list[_Step]:
        return [s for s in self._steps if s.action.rule in ("execute", "branch")]

    def _is_around(self, span: Span, offset: int) -> bool:
        return span.file is self.front.source and span.start <= offset < span.end

    def _node_at(self, offset: int) -> Node | None:
        """The smallest expression or location around an offset that a question makes sense for."""
        asked = (
            ps.FieldAssign,
            pe.Var,
            pe.FieldRead,
            pa.FieldLocation,
            pa.PredicateLocation,
            pe.FunctionApp,
        )
        best: Node | None = None
        for node in descendants(self._recorded.member):
            if isinstance(node, asked) and self._is_around(node.span, offset):
                if self.front.language is not None and not _is_written(node):
                    continue
                size = node.span.end - node.span.start
                if best is None or size <= best.span.end - best.span.start:
                    best = node
        return best

    # ------------------------------------------------------------ what statements do

    def changes(self) -> tuple[HeldChange, ...]:
        """Returns which permissions statements bring and take, where all paths agree on that."""
        return run_deep(lambda: tuple(self._changes()))

    def _changes(self) -> Iterator[HeldChange]:
        found: dict[Span, list[HeldChange]] = {}
        for step in self._flow_steps():
            before, source = step.action.before, self.front.source
            if step.action.rule != "execute" or before is None or step.span.file is not source:
                continue
            for after in step.action.after:
                known = found.setdefault(step.span, [])
                if len(known) < MOST_STATES:
                    known.append(self._change(step, before, after))
        for changes in found.values():
            alike = all(change == changes[0] for change in changes)
            if alike and (changes[0].gained or changes[0].lost):
                yield changes[0]

    def _change(self, step: _Step, before: State, after: State) -> HeldChange:
        if before.held is after.held or isinstance(step.action.node, ps.FieldAssign):
            return HeldChange(step.span, (), ())
        words = StateWords(self._words, after, step.span)
        then, now = (
            {(held.quantifier, held.location): held.short for held in words.heap(st.held, 0)}
            for st in (before, after)
        )
        return HeldChange(
            step.span,
            tuple([text for place, text in now.items() if then.get(place) != text]),
            tuple([text for place, text in then.items() if place not in now]),
        )

    # ------------------------------------------------------------ ways through the member

    def tracks(self) -> tuple[Track, ...]:
        """Returns the ways through the member, as lists of steps; loop bodies are ways, too."""
        return run_deep(lambda: tuple(self._tracks()))

    def _tracks(self) -> Iterator[Track]:
        flow = self._flow_steps()
        flow = [s for s in self._steps if s in flow or self.problems(s)] or self._steps
        leaves = [s for s in flow if s.action.rule != "branch" and self._is_last(s, flow)]
        for leaf in leaves or flow[-1:]:
            ends = leaf.action.after or ([leaf.action.before] if leaf.action.before else [])
            for end in ends[:1]:
                entries = on_path(end.path)
                steps = [s for s in flow if s is leaf or self._leads(s, entries, leaf)]
                problems = self.problems(leaf)
                ending = problems[0] if problems else "the end of the path"
                conditions = tuple([c.holds for c in conditions_of(end.path)])
                yield Track(conditions, tuple([self.step(s.number) for s in steps]), ending)

    def _is_last(self, step: _Step, flow: list[_Step]) -> bool:
        """Whether no later statement starts from a state behind this one."""
        if not step.action.after:
            return True
        ends = {id(st.path) for st in step.action.after}
        stores = {id(st.store) for st in step.action.after}
        for later in [s for s in flow if s.number > step.number]:
            before = later.action.before
            if before is not None:
                if id(before.path) in ends or ends & on_path(before.path):
                    return False
                if id(before.store) in stores and before.path.length == 0:
                    return False
        return True

    def _leads(self, step: _Step, entries: frozenset[int], leaf: _Step) -> bool:
        before = step.action.before
        if before is None or step.number > leaf.number:
            return False
        return id(before.path) in entries or not before.path.length

    def step(self, number: int) -> StepAt:
        """Returns a step by its number."""
        step = self._steps[number]
        action = step.action
        text = as_written(node_text(action.node), self.front.source.text)
        return StepAt(number, action.rule, text, step.span, self.problems(step))

    @property
    def count(self) -> int:
        return len(self._steps)

    def view(
        self, number: int, *, after: bool = False, offset: int | None = None
    ) -> StateAt | None:
        """Returns the state in front of a step, or behind it; None where there is none."""
        step = self._steps[number]
        states = step.action.after if after else [step.action.before]
        node = None if offset is None else self._node_at(offset)
        st = states[0] if states else None
        return (
            None
            if st is None
            else run_deep(lambda: self._view(_Place(step, st, after=after), node))
        )

    def problems(self, step: _Step) -> tuple[str, ...]:
        """Returns what fails in a step, as the user is told."""
        found: dict[str, None] = {}
        for _, told in self._failing(step):
            said = "The solver reached its limit before this was decided."
            found[said if told is None else told.message] = None
        return tuple(found)

    def finding(self, number: int) -> Finding | None:
        """Returns the first failed check of a step, as the user is told; None if there is none."""
        for _, told in self._failing(self._steps[number]):
            if told is not None:
                return told
        return None

    def _failing(self, step: _Step) -> Iterator[tuple[Failing, Finding | None]]:
        for failing, told in self._words.failures:
            if step.action in failing.during or failing.action is step.action:
                yield failing, told

    def debugger(self, number: int) -> DebugSession:
        """Returns the proof debugger in the state of a step: on what fails there, if anything does.

        Where nothing fails, there is no goal but those that are typed in.
        """
        found = self._debuggers.get(number)
        if found is None:
            obligation = run_deep(lambda: self._obligation(self._steps[number]))
            tools = DriverTools(self._program, self._options)
            found = DebugSession(self.front, debugger_for([obligation], tools))
            self._debuggers[number] = found
        return found

    def value(self, number: int, text: str) -> str | Problem:
        """Returns the value of an expression in front of a step; of a claim, whether it holds."""
        return run_deep(lambda: self._value(number, text))

    def _value(self, number: int, text: str) -> str | Problem:
        debugger = self.debugger(number).debugger
        assert debugger is not None
        bench, step = debugger.bench, self._steps[number]
        read = bench.read(text)
        st = step.action.before or step.action.after[0]
        if isinstance(read, Problem):
            return self._other_value(text, bench, StateWords(self._words, st, step.span)) or read
        if read.term is None:
            assert read.formula is not None
            lacks = bench.obligation.failure_of(read.formula, bench.desk())
            return "true" if lacks is None else "false"
        path = bench.path()
        for fact in read.learnt:
            path = path.assume(fact)
        if read.term.sort is BOOL:
            if bench.ask(read.term, path).proved:
                return "true"
            return "false" if bench.ask(tb.negate(read.term), path).proved else "not known"
        words = StateWords(self._words, st, step.span)
        return _told_amount(read.term, bench, words) or words.value(read.term)

    def _other_value(self, text: str, bench: Workbench, words: StateWords) -> str | Problem | None:
        """The value of an expression that is no claim, or why it has none here; else None."""
        obligation = bench.obligation
        assert isinstance(obligation, SymbolicObligation)
        samples = {term.sort: term for term in (*words.terms(), tb.integer(0), tb.WRITE)}
        for like in samples.values():
            found = obligation.value(text, like, bench.desk())
            if not isinstance(found, Problem):
                return _told_amount(found, bench, words) or words.value(found)
            if found.is_about_state:
                return found
        return None

    def _obligation(self, step: _Step) -> SymbolicObligation:
        check = self.front.reader(self._options.check)
        background = Background(self._recorded, self._program, check)
        for failing, told in self._failing(step):
            error = error_view(0, failing.failed, told)
            return SymbolicObligation(error, failing, background)
        services, st = self._recorded.recorder.services, step.action.before
        assert services is not None
        if st is None:
            st = step.action.after[0]
        node = step.action.node
        failed = Failed(st, node, None, Context(services, Obligation(INTERNAL, node)))
        error = ErrorView(0, "state", "the state before this step", self.name, step.span, None)
        return SymbolicObligation(error, Failing(failed, step.action, (step.action,)), background)

    # ------------------------------------------------------------ words

    def _view(self, place: _Place, node: Node | None) -> StateAt:
        step, after, st = place.step, place.after, place.state
        words = StateWords(self._words, st, step.span)
        found = StateAt(
            step.number,
            after,
            step.span,
            node_text(step.action.node),
            words.store(),
            words.heap(st.held, DEPTH),
            tuple([(name or "old", words.heap(heap, 0)) for name, heap in st.old.items()]),
            tuple([condition.holds for condition in conditions_of(st.path)]),
            words.facts(),
            () if after else self.problems(step),
            None if node is None else self._asked(node, st, words),
        )
        return written_state_at(found, self.front.source.text)

    def _asked(self, node: Node, st: State, words: StateWords) -> Asked | None:
        """The value of an expression in a state, and the permission that is held to it."""
        text = _asked_text(node)
        if isinstance(node, pe.Var) and node.name not in st.store:
            return Asked(text)
        run, member = self._recorded.run, self._recorded.member
        with Z3Session() as solver:
            solver.declare(self._recorded.axioms)
            cx = context_for(run, member, solver)
            services = replace(cx.services, supply=Supply(_ASKED), origins=words.origins)
            cx = replace(cx, services=services).unjudged()
            match node:
                case pe.Var():
                    return Asked(text, words.value(st.store[node.name], of=node.name))
                case (
                    pe.FieldRead(receiver, field)
                    | pa.FieldLocation(receiver, field)
                    | ps.FieldAssign(receiver, field)
                ):
                    st, place = evaluate(st, receiver, cx)
                    resource, places = field_resource(field), [place]
                case pa.PredicateLocation(predicate, given):
                    resource = predicate_resource(predicate)
                    places = []
                    for arg in given:
                        st, place = evaluate(st, arg, cx)
                        places.append(place)
                case pe.FunctionApp():
                    st, result = evaluate(st, node, cx)
                    return Asked(text, _known_value(result, words))
                case _:
                    return Asked(text)
            amount = permission_amount(st, resource, tuple(places))
            shown = self._amount(amount, st, solver, words)
            value = None
            if resource.kind is Kind.FIELD and shown != "none":
                typed = run.program.fields[resource.name].type
                read = pe.FieldRead(receiver, resource.name, typed, span=node.span)
                value = _known_value(evaluate(st, read, cx)[1], words)
            return Asked(text, value, shown)

    def _amount(self, amount: Term, st: State, solver: Z3Session, words: StateWords) -> str:
        if not isinstance(amount, Literal):
            for known in (tb.WRITE, tb.NONE):
                if solver.entails(st.path, tb.equal(amount, known)).proved:
                    return words.text(known)
        return words.amount(amount)


def _told_amount(amount: Term, bench: Workbench, words: StateWords) -> str | None:
    """All or nothing, where a permission amount is known to be that."""
    if amount.sort is not PERM or isinstance(amount, Literal):
        return None
    for known in (tb.WRITE, tb.NONE):
        if bench.ask(tb.equal(amount, known), bench.path()).proved:
            return words.text(known)
    return None


_ASKED = "here"
"""The owner of symbols that only the evaluation of a question has made."""


def _known_value(value: Term, words: StateWords) -> str | None:
    """A value in words; None where the state says nothing of a part: no path evaluates it there."""
    for part in subterms(value):
        if isinstance(part, App) and f"@{_ASKED}." in getattr(part.symbol, "name", ""):
            return None
    return words.value(value)


def _is_written(node: Node) -> bool:
    """Whether a node names something that stands in the text; `this` is often left out there."""
    match node:
        case pe.Var(name):
            return node.span.text == name
        case pe.FieldRead(field=name) | pa.FieldLocation(field=name) | ps.FieldAssign(field=name):
            return short_name(name) in node.span.text
        case pe.FunctionApp(function=name) | pa.PredicateLocation(predicate=name):
            return short_name(name) in node.span.text
        case _:
            return True


def _asked_text(node: Node) -> str:
    if isinstance(node, ps.FieldAssign):
        return text_of(pa.FieldLocation(node.receiver, node.field, span=node.span))
    return text_of(node)


def _visible(roots: list[Action]) -> Iterator[Action]:
    """The actions that a reader knows: those of the member itself, and statements inside others.

    A declaration with a value is two statements at one place; the first of them says nothing.
    """
    todo = [*roots][::-1]
    depth: dict[int, bool] = {id(root): True for root in roots}
    while todo:
        action = todo.pop()
        top = depth.get(id(action), False)
        if action.rule != MEMBER and (top or action.rule == "execute"):
            alone = not isinstance(action.node, ps.Declare) or action.node.span.text.find(":=") < 0
            if alone and action.rule != "merge":
                yield action
        for inner in action.inner:
            depth[id(inner)] = action.rule == MEMBER
        todo += action.inner[::-1]


def _smallest(steps: list[_Step]) -> list[_Step]:
    size = min(s.span.end - s.span.start for s in steps)
    return [s for s in steps if s.span.end - s.span.start == size]


def _before(steps: list[_Step]) -> Iterator[_Place]:
    for step in steps:
        if step.action.before is not None:
            yield _Place(step, step.action.before)


def _behind(steps: list[_Step]) -> Iterator[_Place]:
    for step in steps:
        for st in step.action.after:
            yield _Place(step, st, after=True)


def _in_clause(steps: list[_Step]) -> Iterator[_Place]:
    produced = [s for s in steps if s.action.rule == "produce"]
    yield from _behind(produced) if produced else _before(steps)
