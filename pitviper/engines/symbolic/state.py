"""The symbolic state: store, heaps, path; the paper's quadruple with old heaps by label."""

from __future__ import annotations

from collections.abc import Mapping

from pitviper.base.record import field, record
from pitviper.engines.symbolic.heap.chunk import EMPTY, Heap
from pitviper.solver.session import FactKind, Path
from pitviper.terms.term import FALSE, Term

PRE_STATE = ""
"""The label under which `old(e)` finds the heap of the method's pre-state."""


@record
class State:
    """`heap` is where expressions are evaluated.

    While an assertion is being consumed, `left` is what remains of it so far; `perm` looks there.
    `frames` are the heaps set aside at the heads of the loops execution is in, outermost first.
    Inside a package, `outers` are the heaps around it, nearest first: what the wand needs and
    `heap` does not have may be moved in from there.
    """

    store: Mapping[str, Term]
    heap: Heap = EMPTY
    path: Path = field(default_factory=Path)
    old: Mapping[str, Heap] = field(default_factory=dict)
    left: Heap | None = None
    frames: tuple[Heap, ...] = ()
    outers: tuple[Heap, ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether the path has ended: its last fact is `false`."""
        return self.path.fact is FALSE

    @property
    def held(self) -> Heap:
        """The permissions held right now: less than `heap` while consuming."""
        return self.heap if self.left is None else self.left

    def assume(
        self, fact: Term, kind: FactKind = FactKind.PLAIN, provenance: object = None
    ) -> State:
        path = self.path.assume(fact, kind, provenance)
        return self if path is self.path else self.on(path)

    def on(self, path: Path) -> State:
        return State(self.store, self.heap, path, self.old, self.left, self.frames, self.outers)

    def binding(self, name: str, value: Term) -> State:
        store = {**self.store, name: value}
        return State(store, self.heap, self.path, self.old, self.left, self.frames, self.outers)

    def storing(self, store: Mapping[str, Term]) -> State:
        return State(store, self.heap, self.path, self.old, self.left, self.frames, self.outers)

    def holding(self, heap: Heap) -> State:
        """With another heap for evaluation, and nothing being consumed."""
        return State(self.store, heap, self.path, self.old, None, self.frames, self.outers)

    def leaving(self, left: Heap) -> State:
        """While consuming: with another remainder."""
        return State(self.store, self.heap, self.path, self.old, left, self.frames, self.outers)

    def settled(self) -> State:
        """After consuming: the remainder is the heap."""
        return self.holding(self.held)

    def with_old(self, old: Mapping[str, Heap]) -> State:
        return State(self.store, self.heap, self.path, old, self.left, self.frames, self.outers)

    def labelled(self, label: str, heap: Heap) -> State:
        return self.with_old({**self.old, label: heap})

    def framed(self, frames: tuple[Heap, ...]) -> State:
        return State(self.store, self.heap, self.path, self.old, self.left, frames, self.outers)

    def with_outers(self, outers: tuple[Heap, ...]) -> State:
        """With other heaps around; none: nothing may be moved in."""
        return State(self.store, self.heap, self.path, self.old, self.left, self.frames, outers)
