"""Symbolic states in the words of the source: their variables, what is held, what is known."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property

from pitviper.base.record import replace
from pitviper.checking.typed_input import InputReader
from pitviper.counterexample.question import Sought
from pitviper.counterexample.recorded_state import Inside, contents
from pitviper.debugger.obligations.held import HeapWords, place_text
from pitviper.debugger.obligations.scope import names_in_scope, program_names
from pitviper.driver.verify.sessions import Stopped
from pitviper.encoding.decoding import Meanings
from pitviper.engines.symbolic.heap.chunk import Chunk, Heap, Kind, QuantifiedChunk, Resource
from pitviper.engines.symbolic.state import State
from pitviper.explain.expression import Vocabulary
from pitviper.explain.final_expression import FinalExpressions
from pitviper.explain.places import Places
from pitviper.explain.quantified import Inverses, at_places, without_numbers
from pitviper.explain.recorded_run import RecordedMember
from pitviper.explain.recorder import Failing
from pitviper.explain.state_expression import StateExpressions, StatePlaces, Versions, versions_of
from pitviper.program import expr as pe
from pitviper.program.print.expressions import text_of
from pitviper.program.print.objects import placed, type_words, with_class_names
from pitviper.program.rooms import is_elsewhere
from pitviper.results.cursor import HeldAt
from pitviper.results.finding import Finding
from pitviper.results.wording import VIPER, value_text, wording_of
from pitviper.solver.session import FactKind
from pitviper.source.span import Span
from pitviper.terms import operators as op
from pitviper.terms.term import App, Literal, Term, Var

MOST_FACTS = 40
DEPTH = 2
"""How many levels of predicate instances are looked into."""
UNKNOWN = "not known"
"""An amount that the program has no words for."""
_LABEL = re.compile(r"debug@[0-9]+")


class Recording:
    """A recorded member with what the words for all its states share."""

    def __init__(self, recorded: RecordedMember, reader: InputReader) -> None:
        self.recorded = recorded
        self.reader = reader

    @cached_property
    def versions(self) -> Versions:
        """What the symbols of the run were made for."""
        return versions_of(self.recorded.recorder.roots)

    @cached_property
    def failures(self) -> tuple[tuple[Failing, Finding | None], ...]:
        """The failed checks that the user is told about, and how; None is what was not decided."""
        found: list[tuple[Failing, Finding | None]] = []
        for failing in self.recorded.recorder.failures:
            finding = failing.failed.finding
            told = None if finding is None else self.recorded.told(finding)
            if finding is None or told is not None:
                found.append((failing, told))
        return tuple(found)

    @property
    def trouble(self) -> str | None:
        """Why the record ends early; None if it is whole."""
        crash = self.recorded.crash
        if isinstance(crash, Stopped):
            return "the time for the run is over"
        return None if crash is None else f"{type(crash).__name__}: {crash}"


def bare(text: str) -> str:
    """Returns an expression without parentheses around the whole of it."""
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and at + 1 < len(text):
            return text
    return text[1:-1] if text.startswith("(") and text.endswith(")") else text


class StateWords:
    """Puts one state into words: names of variables, and of locations with the same value."""

    def __init__(self, of: Recording, st: State, at: Span, around: State | None = None) -> None:
        """`at` is the place of the state, `around` the state of the statement that it is part of:
        contracts of others have variables of their own."""
        self._recording = of
        self._st = st
        self._recorded = of.recorded
        self._at = at
        self.origins = of.recorded.recorder.origins
        self._stores = [st.store] if around is None or around is st else [around.store, st.store]
        scope = names_in_scope(of.recorded.member, at)
        self._scope = {typed: name for name, typed in scope.items()}
        self._params = {p.name for p in of.recorded.member.params}
        self._early = self._early_names()
        self._names = self._current_names()

    def _early_names(self) -> dict[Term, str]:
        """What was there at the start: parameters."""
        names: dict[Term, str] = {}
        for variable, value in self._stores[0].items():
            if variable in self._params and not isinstance(value, Literal):
                names.setdefault(value, variable)
        return names

    def _current_names(self) -> dict[Term, str]:
        names = dict(self._early)
        variables = [item for store in self._stores for item in store.items()]
        here = [(name, value) for name, value in variables if name in self._scope]
        for variable, value in (*here, *variables):
            if not isinstance(value, Literal):
                names.setdefault(value, self.name(variable))
        return names

    # ------------------------------------------------------------ terms

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        run = self._recorded.run
        known = program_names(run.program, self._recording.reader)
        taken = frozenset([*self._scope.values(), *run.program.functions, *run.program.predicates])
        return Vocabulary(Meanings(run.symbols), known, taken)

    @cached_property
    def _places(self) -> Places:
        recorder = self._recorded.recorder
        assert recorder.services is not None
        return Places(recorder, self._st, self._at, recorder.services)

    @cached_property
    def expressions(self) -> StateExpressions:
        """Expressions that mean in this state what terms mean."""
        return self._expressions(StatePlaces(self._places, self.origins, self._st))

    @cached_property
    def _elsewhere(self) -> StateExpressions:
        """The same without the locations of this state: these are not worth themselves."""
        return self._expressions(StatePlaces(self._places, self.origins, self._st, now=False))

    def _expressions(self, places: StatePlaces) -> StateExpressions:
        versions = self._recording.versions
        return StateExpressions(self._vocabulary, places, self._names, versions)

    def text(self, term: Term) -> str:
        """Returns a term with the names that variables and locations have in this state."""
        return self._text(self.expressions.of(term), term)

    def value(self, term: Term, of: str = "") -> str:
        """Returns what a variable or location is worth, without its own name for it."""
        if term in self._early:
            return self._early[term]
        own = self._scope.get(of, of)
        if term in self._definitions and self._names.get(term) in (None, own):
            term = self._definitions[term]
        if self._names.get(term) != own:
            return self._text(self._elsewhere.of(term), term)
        for store in self._stores:
            for variable, value in store.items():
                name = self._scope.get(variable, variable)
                if value is term and name != own and variable in self._scope:
                    return name
        if isinstance(term, Var) or (isinstance(term, App) and not term.args):
            return self._some(term)
        return self._text(self._elsewhere.unnamed(term), term)

    def _some(self, term: Term) -> str:
        """What is said of a value that only facts say something about."""
        found = self._elsewhere.unnamed(term)
        if isinstance(found, pe.Old) and not isinstance(found.operand, pe.Var):
            return bare(text_of(found))
        type_ = self._vocabulary.meanings.type_of(term.sort)
        if type_ is not None and wording_of(self._at) is not VIPER:
            return f"some {type_words(type_)}"
        return f"some {type_ or 'value'}"

    def _text(self, expression: pe.Expr | None, term: Term) -> str:
        if expression is not None and not isinstance(term, Literal):
            return value_text(bare(text_of(placed(expression, self._at))), self._at)
        text = FinalExpressions(self.origins, self._names).text(term)
        return _LABEL.sub(lambda m: f"line {self._lines.get(m[0], 0)}", text)

    @cached_property
    def _lines(self) -> dict[str, int]:
        return {label: span.line for span, label in self.origins.places.items()}

    @cached_property
    def _definitions(self) -> dict[Term, Term]:
        """What symbols of ours stand for, where the engine gave a value a short name."""
        found: dict[Term, Term] = {}
        for entry in self._st.path:
            fact = entry.fact
            defines = entry.kind is FactKind.DEFINITION and isinstance(fact, App)
            if defines and isinstance(fact, App) and fact.symbol is op.EQUAL:
                found.setdefault(fact.args[0], fact.args[1])
        return found

    def store(self) -> tuple[tuple[str, str], ...]:
        """Returns the variables in scope with their values."""
        found = []
        for variable, value in self._st.store.items():
            if variable in self._scope or variable == "result":
                found.append((self.name(variable), self.value(value, of=variable)))
        return tuple(found)

    def name(self, variable: str) -> str:
        """Returns what the source calls a variable."""
        return self._scope.get(variable, variable)

    def terms(self) -> Iterator[Term]:
        """Returns the values of the state, for their types."""
        yield from self._st.store.values()
        for chunk in self._st.heap:
            if chunk.resource.kind is Kind.FIELD:
                yield chunk.value

    def facts(self) -> tuple[str, ...]:
        """Returns what is known beside the decisions, as far as the source has words for it."""
        found: dict[str, None] = {}
        for entry in self._st.path:
            if entry.kind is FactKind.PLAIN and entry.provenance is not None:
                expression = self.expressions.of(entry.fact)
                text = "true" if expression is None else self._fact(expression)
                if text != "true":
                    found[text] = None
        return tuple(list(found)[-MOST_FACTS:])

    def _fact(self, expression: pe.Expr) -> str:
        """A fact in words of the source; an equation of one thing with itself says nothing."""
        placed_here = placed(expression, self._at)
        if isinstance(placed_here, pe.Equal):
            left, right = text_of(placed_here.left), text_of(placed_here.right)
            if left == right:
                return "true"
        return value_text(bare(text_of(placed_here)), self._at)

    # ------------------------------------------------------------ heaps

    def heap(self, heap: Heap, depth: int) -> tuple[HeldAt, ...]:
        """Returns what a heap holds; predicate instances with their contents."""
        inside = self._insides(heap, depth) if depth else {}
        found = []
        instances = 0
        for chunk in heap:
            place: tuple[int, ...] | None = None
            if self._has_body(chunk.resource):
                place, instances = (instances,), instances + 1
            found.append(
                HeldAt(
                    place_text(chunk.resource, [self.text(a) for a in chunk.args]),
                    self._value_of(chunk.resource, chunk.value),
                    self.text(chunk.amount),
                    contents=() if place is None else self._contents(place, inside, self._names),
                )
            )
        quantified = HeapWords(self.text, self.expressions, self._inverses)
        for held in quantified.held(Heap({}, _quantified(heap))):
            found.append(HeldAt(held.location, held.value, held.amount, held.quantifier))
        return tuple(found)

    def _value_of(self, resource: Resource, value: Term) -> str | None:
        if resource.kind is not Kind.FIELD:
            return None
        text = self.value(value)
        return text if _is_readable(text) else None

    def _has_body(self, resource: Resource) -> bool:
        predicates = self._recorded.run.program.predicates
        named = resource.kind is Kind.PREDICATE and resource.name in predicates
        return named and predicates[resource.name].body is not None

    def _insides(self, heap: Heap, depth: int) -> dict[tuple[int, ...], Inside]:
        if not any(self._has_body(chunk.resource) for chunk in heap):
            return {}
        sought = Sought(self._recorded.run, self._recorded.member, self._st, None, self.origins)
        return {inside.place: inside for inside in contents(heap, sought, "inside", depth).opened}

    def _contents(
        self,
        place: tuple[int, ...],
        inside: Mapping[tuple[int, ...], Inside],
        names: Mapping[Term, str],
    ) -> tuple[HeldAt, ...]:
        known = inside.get(place)
        if known is None:
            return ()
        found: list[HeldAt] = []
        several = len(known.outcomes) > 1
        for number, outcome in enumerate(known.outcomes):
            own, chunks = dict(names), list(_written_ones(outcome.heap))
            for chunk in chunks:
                if chunk.resource.kind is Kind.FIELD:
                    shown = FinalExpressions(self.origins, own)
                    own.setdefault(chunk.value, shown.location(chunk.resource, chunk.args))
            shown = FinalExpressions(self.origins, own)
            when = shown.text(outcome.guard) if several else ""
            when = with_class_names(when, self._recorded.member.span)
            instances = 0
            for chunk in chunks:
                inner: tuple[HeldAt, ...] = ()
                if self._has_body(chunk.resource):
                    deeper = (*place, number, instances)
                    inner, instances = self._contents(deeper, inside, own), instances + 1
                location = place_text(chunk.resource, [shown.text(a) for a in chunk.args])
                value = own.get(chunk.value)
                if value == location or chunk.resource.kind is not Kind.FIELD:
                    value = None
                amount = shown.text(chunk.amount)
                entry = HeldAt(location, value, amount, "", when, inner)
                alike = [
                    i for i, f in enumerate(found) if replace(f, when="") == replace(entry, when="")
                ]
                if alike:
                    found[alike[0]] = replace(entry, when="")
                else:
                    found.append(entry)
        return tuple(found)

    def amount(self, amount: Term) -> str:
        """How much is held of one location."""
        told = at_places(amount, self._inverses)
        return UNKNOWN if told is None else self.text(without_numbers(told))

    @property
    def _inverses(self) -> Inverses:
        services = self._recorded.recorder.services
        return {} if services is None else services.inverses


def _written_ones(heap: Heap) -> Iterator[Chunk]:
    """Chunks of one location each, but those for what other classes define."""
    for chunk in _single(heap):
        if not is_elsewhere(chunk.resource.name):
            yield chunk


def _single(heap: Heap) -> Iterator[Chunk]:
    """Chunks of one location each, those of quantified resources among them."""
    yield from heap
    for wide in heap.quantified_chunks():
        if wide.only is not None and wide.value is not None:
            yield Chunk(wide.resource, wide.only, wide.value, wide.amount_at(wide.only))


def _quantified(heap: Heap) -> dict[Resource, tuple[QuantifiedChunk, ...]]:
    return {r: heap.quantified(r) for r in heap.quantified_resources()}


def _is_readable(text: str) -> bool:
    """Whether a text has only words of the source: no snapshots, no triggers."""
    return not any(word in text for word in ("Snap.", "snap@", "out<", "in<", "trigger<", "..."))
