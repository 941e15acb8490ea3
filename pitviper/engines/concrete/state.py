"""The state of a run between two steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from pitviper.base.record import field, record, replace
from pitviper.engines.concrete.heap.heap import EMPTY_HEAP, ONE, Chunk, Heap, Resource
from pitviper.engines.concrete.values.unknown import Raw
from pitviper.program.expr import Var

RESULT = "result"
"""The name of the value of a function in its postconditions; a keyword, so no variable has it."""

LHS = "lhs"

UNSETTLED = Heap({})
"""Stands for the permissions of a state that is partly exhaled and partly unfolded."""


@record
class State:
    """Variables, the heap, the old heaps by label (None: the pre-state of the method).

    `outer` are the heaps around that of a wand being packaged, nearest first: what the own heap
    lacks is taken from them. `exhaled` is the heap for `perm` and `forperm` while an exhale is
    under way. With `binary` only zero or not counts of an amount, as inside functions. `assuming`
    says which side of `[A, B]` counts. All amounts are multiplied by `scale`: it is the share of
    a predicate instance whose body is looked at.
    """

    store: Mapping[str, Raw]
    heap: Heap = EMPTY_HEAP
    old: Mapping[str | None, Heap] = field(default_factory=dict)
    outer: tuple[Heap, ...] = ()
    exhaled: Heap | None = None
    binary: bool = False
    assuming: bool = True
    scale: Fraction = ONE

    def binding(self, name: str, value: Raw) -> State:
        return replace(self, store={**self.store, name: value})

    def binding_all(self, variables: Sequence[Var], values: Sequence[Raw]) -> State:
        new = {v.name: value for v, value in zip(variables, values, strict=True)}
        return replace(self, store={**self.store, **new})

    def on(self, heap: Heap) -> State:
        return replace(self, heap=heap)

    def remembering(self, label: str | None) -> State:
        """The heap as it is now gets a name."""
        return replace(self, old={**self.old, label: self.whole_heap()})

    def chunk(self, resource: Resource) -> Chunk | None:
        """The nearest chunk of a resource."""
        for heap in (self.heap, *self.outer):
            if (chunk := heap.chunks.get(resource)) is not None:
                return chunk
        return None

    def held(self, resource: Resource) -> Fraction:
        """All that can be had of a resource, in the heap and around it."""
        amount = self.heap.amount(resource)
        for heap in self.outer:
            amount += heap.amount(resource)
        return amount

    def whole_heap(self) -> Heap:
        """The heap with what is around it; what is nearer hides what is farther."""
        if not self.outer:
            return self.heap
        chunks: dict[Resource, Chunk] = {}
        for heap in (*reversed(self.outer), self.heap):
            chunks.update(heap.chunks)
        return Heap(chunks)
