"""Where the values of heap locations can be read: a label for each state that had them.

A label `debug@3#l:21` names the state in front of line 21 on the way to a failed check; `debug@3`
is the same. Labels are given in the order of the path, states that are not on it (branches that
were merged, bodies that were unfolded for an expression) follow where a value is found only there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pitviper.base.record import record
from pitviper.engines.symbolic.heap.chunk import (
    EMPTY,
    Args,
    Chunk,
    Heap,
    Kind,
    QuantifiedChunk,
    Resource,
)
from pitviper.engines.symbolic.provenance import Origins
from pitviper.engines.symbolic.services import Services
from pitviper.engines.symbolic.state import State
from pitviper.explain.recorder import Action, TraceRecorder
from pitviper.program.member import Program
from pitviper.program.types import Type
from pitviper.solver.session import Path
from pitviper.source.span import NO_SPAN, Span
from pitviper.terms import build as tb
from pitviper.terms.symbol import Symbol
from pitviper.terms.term import App, Term

Summaries = dict[object, tuple[Term, tuple[Term, ...]]]
FLOW = ("execute", "branch")
"""Rules that work on whole statements, in states that a user knows."""


@record
class Label:
    """A state by its heap; `span` is the place in front of which it is.

    `called` is another name for it, where it has one.
    """

    number: int
    heap: Heap
    span: Span
    called: str | None = None

    @property
    def name(self) -> str:
        return f"debug@{self.number}"

    @property
    def text(self) -> str:
        """With the line, for people."""
        if self.called is not None:
            return self.called
        return self.name if self.span == NO_SPAN else f"{self.name}#l:{self.span.line}"


@record
class Place:
    """The location whose value something is, in the state with a label."""

    label: Label
    resource: Resource
    args: Args


class NoPlaces:
    """Where no states were recorded: no value is told as that of a location."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def field_type(self, field: str) -> Type:
        return self.program.fields[field].type

    def needs_heap(self, function: str) -> bool:
        """Whether the value of a function depends on the state."""
        return bool(self.program.functions[function].preconditions)

    def value(self, term: Term) -> Place | None:
        return None

    def values_in(self, map_: Term) -> Label | None:
        return None

    def applied(self, symbol: Symbol, snapshot: Term) -> Label | None:
        return None


class Places(NoPlaces):
    """The labels of one failed check; a heap is equal to itself only."""

    def __init__(self, recorder: TraceRecorder, st: State, at: Span, services: Services) -> None:
        self._origins: Origins = recorder.origins
        super().__init__(services.program)
        self._quantified = services.quantified
        self._labels: dict[Heap, Label] = {}
        self._values: dict[Term, tuple[Heap, Span, Resource, Args]] = {}
        self._maps: dict[Term, tuple[Heap, Span]] = {}
        self._mapped: dict[Term, tuple[QuantifiedChunk, ...]] = {}
        self._applied: dict[tuple[Symbol, Term], Heap] = {}
        self._at: dict[Heap, Span] = {}
        self._held: dict[tuple[QuantifiedChunk, ...], tuple[Heap, Span]] = {}
        self._seen: dict[int, tuple[Chunk, ...]] = {}  # by identity, which lasts as long as they do
        for heap, span in _on_the_way(recorder.roots, st, at):
            self._label(heap, span)
            self._index(heap, span)
        for state, span in _elsewhere(recorder.roots):
            self._index(state.heap, span)
        self._index_maps(services.summaries)
        for value, heap in recorder.applied.items():
            if isinstance(value, App) and value.args:
                self._applied.setdefault((value.symbol, value.args[0]), heap)

    @property
    def labels(self) -> tuple[Label, ...]:
        """All labels that were given so far."""
        return tuple(self._labels.values())

    def value(self, term: Term) -> Place | None:
        """The location of a value that was made for one."""
        origin = self._origins.values.get(term)
        if origin is None or origin.resource.kind is not Kind.FIELD:
            return None
        found = self._values.get(term)
        if found is None and origin.resource in self._quantified:
            return None  # a heap of its own would need a map
        if found is None:
            chunk = Chunk(origin.resource, origin.args, term, tb.WRITE)
            found = self._values[term] = EMPTY.adding(chunk), NO_SPAN, *chunk_place(chunk)
        heap, span, resource, args = found
        return Place(self._label(heap, span), resource, args)

    def values_in(self, map_: Term) -> Label | None:
        """The state whose values a map has, of all locations of a field."""
        found = self._maps.get(map_)
        return None if found is None else self._label(*found)

    def are_in(self, map_: Term, heap: Heap) -> bool:
        """Whether a map has the values that a heap has, of all locations of its field."""
        chunks = self._mapped.get(map_)
        return chunks is not None and heap.quantified(chunks[0].resource) == chunks

    def applied(self, symbol: Symbol, snapshot: Term) -> Label | None:
        """The state in which a function was applied."""
        heap = self._applied.get((symbol, snapshot))
        return None if heap is None else self._label(heap, self._at.get(heap, NO_SPAN))

    def _label(self, heap: Heap, span: Span) -> Label:
        found = self._labels.get(heap)
        if found is None:
            found = self._labels[heap] = Label(len(self._labels), heap, span)
        return found

    def _index(self, heap: Heap, span: Span) -> None:
        if heap in self._at:
            return
        self._at[heap] = span
        for resource in heap.resources():
            chunks = heap.of(resource)
            if id(chunks) in self._seen:
                continue
            self._seen[id(chunks)] = chunks
            for chunk in chunks:
                self._values.setdefault(chunk.value, (heap, span, *chunk_place(chunk)))
        for resource in heap.quantified_resources():
            self._index_quantified(heap, span, heap.quantified(resource))

    def _index_quantified(
        self, heap: Heap, span: Span, chunks: tuple[QuantifiedChunk, ...]
    ) -> None:
        self._held.setdefault(chunks, (heap, span))
        if len(chunks) == 1:
            self._map(chunks[0].map, chunks, (heap, span))
        for chunk in chunks:
            if chunk.only is not None and chunk.value is not None:
                found = heap, span, chunk.resource, chunk.only
                self._values.setdefault(chunk.value, found)

    def _index_maps(self, summaries: Summaries) -> None:
        for key, (map_, _) in summaries.items():
            if isinstance(key, tuple) and key[2] is None:  # of whole heaps, not of footprints
                found = self._held.get(key[0])
                if found is not None:
                    self._map(map_, key[0], found)

    def _map(
        self, map_: Term, chunks: tuple[QuantifiedChunk, ...], found: tuple[Heap, Span]
    ) -> None:
        if map_ not in self._maps:
            self._maps[map_] = found
            self._mapped[map_] = chunks


def chunk_place(chunk: Chunk) -> tuple[Resource, Args]:
    return chunk.resource, chunk.args


def on_path(path: Path) -> frozenset[int]:
    """The ids of all older parts of a path; the empty path is part of every one."""
    found: list[int] = []
    node: Path | None = path
    while node is not None:
        found.append(id(node))
        node = node.older
    return frozenset(found)


def actions(roots: Iterable[Action]) -> Iterator[Action]:
    """All actions in the order in which they began."""
    todo = [*roots][::-1]
    while todo:
        action = todo.pop()
        yield action
        todo += action.inner[::-1]


def _on_the_way(roots: list[Action], st: State, at: Span) -> Iterator[tuple[Heap, Span]]:
    entries = on_path(st.path)
    for action in actions(roots):
        before = action.before
        if action.rule in FLOW and before is not None and _leads_on(before, entries):
            yield before.heap, action.node.span
    yield st.heap, at


def _leads_on(state: State, entries: frozenset[int]) -> bool:
    return id(state.path) in entries or not state.path.length


def _elsewhere(roots: list[Action]) -> Iterator[tuple[State, Span]]:
    """States in front of statements first: their places are those that a user knows."""
    for action in actions(roots):
        if action.before is not None and action.rule in FLOW:
            yield action.before, action.node.span
    for action in actions(roots):
        if action.before is not None:
            yield action.before, action.node.span
        for state in action.after:
            yield state, action.node.span
