"""Failed checks of symbolic execution, as obligations for the debugger."""

from __future__ import annotations

from functools import cached_property

from pitviper.base.record import record
from pitviper.checking.typed_input import InputReader
from pitviper.counterexample.question import Sought
from pitviper.counterexample.recorded_state import contents
from pitviper.debugger.obligations.held import HeapWords, place_text
from pitviper.debugger.obligations.obligation import Desk, Goal, Lack
from pitviper.debugger.obligations.readable import ReadableObligation
from pitviper.debugger.obligations.scope import declared_names, names_in_scope, program_names
from pitviper.debugger.reading import Reader
from pitviper.debugger.tree import Tree, assumption_tree, written
from pitviper.encoding.decoding import Meanings
from pitviper.engines.symbolic.heap.chunk import Heap, Kind
from pitviper.engines.symbolic.heap.consolidate import same_args
from pitviper.engines.symbolic.state import State
from pitviper.explain.expression import TermExpressions, Vocabulary
from pitviper.explain.final_expression import FinalExpressions
from pitviper.explain.places import Places
from pitviper.explain.recorded_run import RecordedMember
from pitviper.explain.recorder import Action, Failing
from pitviper.program import expr as pe
from pitviper.program.assertion import Assertion
from pitviper.program.member import Function, Program
from pitviper.results.debugging import ErrorView, HeldView, Problem, StateDescription
from pitviper.solver.session import FactKind
from pitviper.source.span import Span
from pitviper.terms import build as tb
from pitviper.terms.term import App, Literal, Term


@record
class Background:
    """What all failed checks of a member share; `source` is the program before plugins."""

    recorded: RecordedMember
    source: Program
    check: InputReader


class SymbolicObligation(ReadableObligation):
    """Implements `Obligation`. Everything is made from the recorded states, when it is needed."""

    def __init__(self, error: ErrorView, failing: Failing, background: Background) -> None:
        self.error = error
        self.failing = failing
        self.recorder = background.recorded.recorder
        self._background = background
        self._failed = failing.failed
        self._around = _statement_state(failing)

    # ------------------------------------------------------------ parts, made once

    @property
    def at(self) -> Span:
        """The statement or clause that is being checked."""
        statement = _statement(self.failing)
        if statement is not None:
            return statement.node.span
        return self._failed.context.obligation.node.span

    @property
    def axioms(self) -> list[Term]:
        return self._background.recorded.axioms

    @cached_property
    def _reader(self) -> Reader:
        failed = self._failed
        scope = names_in_scope(self._background.recorded.member, self.at)
        store = self._around.store
        names = {name: store[typed] for name, typed in scope.items() if typed in store}
        if "result" in store:
            names["result"] = store["result"]
        names |= self._bound_names(scope)
        reader = Reader(
            failed, self._around, names, self._background.source, self._background.check
        )
        reader.axioms = self._background.recorded.axioms
        reader.functions = self._background.recorded.run.axioms
        services = failed.context.services
        reader.places = Places(self.recorder, failed.state, self.at, services)
        taken = frozenset([*names, *services.program.functions, *services.program.predicates])
        source, check = self._background.source, self._background.check
        known = program_names(source, check)
        special: dict[Term, pe.Expr] = {}
        result = store.get("result")
        if isinstance(result, App) and isinstance(self._background.recorded.member, Function):
            special[result] = pe.Result(self._background.recorded.member.result)
        vocabulary = Vocabulary(Meanings(services.symbols), known, taken, special)
        reader.words = TermExpressions(vocabulary, reader.places)
        goal = failed.context.goal
        reader.learn(*store.values(), *failed.state.store.values())
        reader.learn(*([] if goal is None else [goal]))
        reader.learn(*[entry.fact for entry in failed.state.path])
        for heap in (
            failed.state.heap,
            failed.state.held,
            *[label.heap for label in reader.places.labels],
        ):
            reader.learn(*_heap_terms(heap))
        return reader

    def _bound_names(self, scope: dict[str, str]) -> dict[str, Term]:
        """Variables of quantifiers and lets around the failed part of the statement itself."""
        if not self.at.encloses(self._failed.node.span):
            return {}
        declared = declared_names(self._background.recorded.member) | scope.keys()
        return {n: t for n, t in self._failed.state.store.items() if n not in declared}

    @property
    def places(self) -> Places:
        places = self._reader.places
        assert places is not None
        return places

    @cached_property
    def _tree(self) -> Tree:
        path, during = self._failed.state.path, self.failing.during
        return assumption_tree(path, self.recorder, during, self.words)

    @cached_property
    def goal(self) -> Goal:
        term = self._failed.context.goal
        lacking = self._failed.context.lacking
        text = written(self._failed.node)
        if lacking is not None:
            text = f"permission to {text}"
        final = None if term is None or isinstance(term, Literal) else self.text(term)
        return Goal(text, final, term, original=True)

    # ------------------------------------------------------------ descriptions

    def state(self) -> StateDescription:
        return self.describe(self._failed.state, self._around)

    def describe(self, st: State, around: State | None = None) -> StateDescription:
        """Returns any state of the run, in words."""
        store = (st if around is None else around).store
        branch = [e.fact for e in st.path if e.kind is FactKind.BRANCH and e.provenance is not None]
        return StateDescription(
            tuple([(name, self.text(value)) for name, value in store.items()]),
            self.held(st.held),
            tuple([self.text(fact) for fact in branch]),
        )

    def held(self, heap: Heap) -> tuple[HeldView, ...]:
        inverses = self._failed.context.services.inverses
        return HeapWords(self.text, self.words, inverses, self._insides(heap)).held(heap)

    def _insides(self, heap: Heap) -> dict[int, Heap]:
        """What is inside of instances, by the chunks that stand for them, if that is certain."""
        recorded = self._background.recorded
        predicates = recorded.run.program.predicates
        chunks = [c for c in heap if c.resource.kind is Kind.PREDICATE]
        if not any(predicates[c.resource.name].body is not None for c in chunks):
            return {}
        state, origins = self._failed.state, recorded.recorder.origins
        sought = Sought(recorded.run, recorded.member, state, None, origins)
        opened = contents(heap, sought, "inside").opened
        return {
            id(inside.chunk): inside.outcomes[0].heap
            for inside in opened
            if len(inside.outcomes) == 1
        }

    def old_heaps(self) -> tuple[tuple[str, tuple[HeldView, ...]], ...]:
        return tuple([(label.text, self.held(label.heap)) for label in self.places.labels])

    @cached_property
    def _fallback(self) -> FinalExpressions:
        return FinalExpressions(self.recorder.origins)

    # ------------------------------------------------------------ typed-in text

    def value(self, text: str, like: Term, desk: Desk) -> Term | Problem:
        """Returns the value of an expression that has the type of a term."""
        return self._reader.value(text, like, desk)

    def failure_of(self, formula: Assertion, desk: Desk) -> str | None:
        return self._reader.failure_of(formula, desk)

    def formula(self, text: str) -> Assertion | Problem:
        return self._reader.formula(text)

    def names(self) -> tuple[str, ...]:
        """Returns the variables in scope."""
        return tuple(self._reader.names)

    def vocabulary(self) -> tuple[str, ...]:
        labels = [label.text for label in self.places.labels]
        return (*self._reader.names, *self._reader.versions, *labels)

    # ------------------------------------------------------------ permissions

    def lack(self) -> Lack | None:
        lacking = self._failed.context.lacking
        if lacking is None:
            return None
        held = self._failed.state.held
        views = self.held(Heap({lacking.resource: held.of(lacking.resource)}))
        chunks = [
            (view, same_args(chunk.args, lacking.args))
            for view, chunk in zip(views, held.of(lacking.resource), strict=True)
        ]
        for wide in held.quantified(lacking.resource):
            view = self.held(Heap({}, {lacking.resource: (wide,)}))[0]
            chunks.append((view, tb.greater(wide.amount_at(lacking.args), tb.NONE)))
        location = place_text(lacking.resource, [self.text(a) for a in lacking.args])
        finding = self._failed.finding
        history = () if finding is None else finding.history
        return Lack(location, lacking.args, tuple(chunks), history)


def _statement(failing: Failing) -> Action | None:
    """The innermost statement that was being executed."""
    return next((a for a in reversed(failing.during) if a.rule == "execute"), None)


def _statement_state(failing: Failing) -> State:
    """The state whose store has the variables of the user: contracts have stores of their own."""
    statement = _statement(failing)
    if statement is not None and statement.before is not None:
        return statement.before
    return failing.failed.state


def _heap_terms(heap: Heap) -> list[Term]:
    plain = [term for c in heap for term in (*c.args, c.value, c.amount)]
    return plain + [t for c in heap.quantified_chunks() for t in (c.amount, *(c.only or ()))]
