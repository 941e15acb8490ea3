"""Terms as expressions of the source, as somebody would write them in one state.

A value that a variable has is the variable; one that a field has is `x.f`, one that it had at the
start `old(x.f)`. An earlier value is told by the line at which it is seen first:
`old[line 14](x.f)`, `old[line 19](i)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from pitviper.base.record import replace
from pitviper.encoding.operators import NULL
from pitviper.engines.symbolic.heap.chunk import Args, Heap, Kind, Resource
from pitviper.engines.symbolic.provenance import Origins
from pitviper.engines.symbolic.state import State
from pitviper.explain.expression import Inner, Names, NoWords, TermExpressions, Vocabulary
from pitviper.explain.places import FLOW, Label, NoPlaces, Place, Places, actions
from pitviper.explain.recorder import Action
from pitviper.program import expr as pe
from pitviper.source.span import NO_SPAN
from pitviper.terms.symbol import Symbol
from pitviper.terms.term import App, Term

Versions = Mapping[Term, tuple[str, int]]
"""The variable that a symbol was made for, and the line at which it has this value first."""

NOW, START = "", "old"
"""Labels of the state itself, and of the one at the start of the member."""


def versions_of(roots: Iterable[Action]) -> Versions:
    """Returns what the symbols of a recorded run were made for."""
    found: dict[Term, tuple[str, int]] = {}
    for action in actions(roots):
        if action.rule not in FLOW or action.node.span == NO_SPAN:
            continue
        for st in (action.before, *action.after):
            for name, value in {} if st is None else st.store.items():
                if isinstance(value, App) and not value.args:
                    found.setdefault(value, (name, action.node.span.line))
    return found


class StateExpressions(TermExpressions):
    """Expressions for the terms of one state; `names` are what values are called in it."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        places: StatePlaces,
        names: Mapping[Term, str],
        versions: Versions,
    ) -> None:
        super().__init__(vocabulary, places)
        self._vocabulary = vocabulary
        self._here = places
        self._called = names
        self._versions = versions

    def unnamed(self, term: Term) -> pe.Expr | None:
        """Returns a value that is not called by its own name; its parts have theirs."""
        if term not in self._called:
            return self.of(term)
        called = {value: name for value, name in self._called.items() if value is not term}
        return StateExpressions(self._vocabulary, self._here, called, self._versions).of(term)

    def _expression(self, term: Term, names: Names, inner: Inner) -> pe.Expr:
        called = self._called.get(term)
        if called is None:
            return super()._expression(term, names, inner)
        return pe.Var(called, self._type(term.sort))

    def _variable(self, term: App) -> pe.Expr:
        """A value that a variable had; what was made for something else has no words."""
        known = self._versions.get(term)
        if known is None:
            raise NoWords
        name, line = known
        return pe.Old(f"line {line}", pe.Var(name, self._type(term.sort)))

    def _trigger(self, group: tuple[Term, ...], names: Names) -> list[pe.Trigger]:
        return []  # they say how something is used, not what is known

    def _labelled(self, label: str, operand: pe.Expr) -> pe.Expr:
        if label == NOW:
            return operand
        return pe.Old(None if label == START else label, operand)


class StatePlaces(NoPlaces):
    """Where values can be read, seen from one state: in itself, at the start, in earlier lines.

    `now` is whether values are read in the state itself: what a location is worth is not told by
    the location.
    """

    def __init__(self, places: Places, origins: Origins, st: State, *, now: bool = True) -> None:
        super().__init__(places.program)
        self._places = places
        self._origins = origins
        members = (places.program.predicates, places.program.functions)
        self._elsewhere = [member.span for table in members for member in table.values()]
        olds = [(label or START, heap) for label, heap in st.old.items()]
        self._heaps = [*([(NOW, st.heap)] if now else []), *olds]
        self._values: dict[Term, tuple[str, Heap, Resource, Args]] = {}
        for label, heap in self._heaps:
            for chunk in heap:
                if chunk.resource.kind is Kind.FIELD and chunk.value is not NULL:
                    found = label, heap, chunk.resource, chunk.args
                    self._values.setdefault(chunk.value, found)

    @cached_property
    def _lines(self) -> dict[str, int]:
        """Of labels of statements; what a predicate's body brings was opened by one of these."""
        return {
            label: span.line
            for span, label in self._origins.places.items()
            if not any(
                around.file is span.file and around.start <= span.start <= around.end
                for around in self._elsewhere
            )
        }

    def value(self, term: Term) -> Place | None:
        known = self._values.get(term)
        if known is not None:
            label, heap, resource, args = known
            return Place(Label(0, heap, NO_SPAN, label), resource, args)
        found = self._places.value(term)
        if found is None:
            return None
        line = self._lines.get(self._origins.values[term].label)
        earlier = self._earlier(found.label) if line is None else f"line {line}"
        return replace(found, label=replace(found.label, called=earlier))

    def values_in(self, map_: Term) -> Label | None:
        for label, heap in self._heaps:
            if self._places.are_in(map_, heap):
                return Label(0, heap, NO_SPAN, label)
        return self._named(self._places.values_in(map_))

    def applied(self, symbol: Symbol, snapshot: Term) -> Label | None:
        return self._named(self._places.applied(symbol, snapshot))

    def _named(self, found: Label | None) -> Label | None:
        return None if found is None else replace(found, called=self._earlier(found))

    def _earlier(self, found: Label) -> str:
        known = [label for label, heap in self._heaps if heap is found.heap]
        if known:
            return known[0]
        return "earlier" if found.span == NO_SPAN else f"line {found.span.line}"
