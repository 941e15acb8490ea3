"""States: immutable records of terms. A statement makes a new state; facts go to the emitter."""

from __future__ import annotations

from collections.abc import Mapping

from pitviper.base.record import field, record, replace
from pitviper.engines.vcg.heap.entry import AnyEntry, Index, Kind
from pitviper.terms import build as tb
from pitviper.terms import operators as op
from pitviper.terms.term import App, Term

PRE_STATE = ""
"""The label under which `old(e)` finds the heap of the method's pre-state."""


SOME = "some "
"""How the names of amounts begin that are positive by their making."""


@record
class Heap:
    """Values in one array per kind, permissions as sums of entries.

    A kind whose array nobody changed has a constant for it, named after `base`.
    """

    base: str
    values: Mapping[Kind, Term] = field(default_factory=dict)
    perms: Mapping[Kind, tuple[AnyEntry, ...]] = field(default_factory=dict)

    def array(self, kind: Kind) -> Term:
        found = self.values.get(kind)
        if found is None:
            found = tb.constant(f"{kind.what.value} {kind.name}@{self.base}", kind.sort)
        return found

    def entries(self, kind: Kind) -> tuple[AnyEntry, ...]:
        return self.perms.get(kind, ())

    def stored(self, kind: Kind, index: Index, value: Term) -> Heap:
        """With another value at one index."""
        return self.valued(kind, kind.store(self.array(kind), index, value))

    def valued(self, kind: Kind, array: Term) -> Heap:
        return Heap(self.base, {**self.values, kind: array}, self.perms)

    def holding(self, kind: Kind, entries: tuple[AnyEntry, ...]) -> Heap:
        return Heap(self.base, self.values, {**self.perms, kind: entries})

    def emptied(self) -> Heap:
        """The same values, no permissions."""
        return Heap(self.base, self.values)


@record
class LabelRecord:
    """The heap at a label; `passed` says whether flow went through it."""

    heap: Heap
    passed: Term = tb.TRUE


@record
class State:
    """`heap` is where expressions are evaluated.

    While an assertion is exhaled, `left` is what remains of it so far; `perm` looks there.
    `guard` are the conditions of expressions around, on top of the block's; everything emitted
    holds under it. `known` are literals that hold here, for what is decided without a question.
    `decisions` are the branches taken since the entry, as far as all ways to here share them.
    `frames` are the heaps set aside at the heads of the loops around, outermost first. `ages` says
    for references which `new` they are older than. `transferred` is what was moved in from around
    the package that is going on.
    """

    store: Mapping[str, Term]
    heap: Heap
    left: Heap | None = None
    labels: Mapping[str, LabelRecord] = field(default_factory=dict)
    guard: Term = tb.TRUE
    known: frozenset[Term] = frozenset()
    decisions: tuple[Term, ...] = ()
    frames: tuple[Heap, ...] = ()
    ages: Mapping[Term, int] = field(default_factory=dict)
    transferred: Mapping[tuple[Kind, Index], Term] = field(default_factory=dict)

    @property
    def held(self) -> Heap:
        """The permissions held right now: less than `heap` while exhaling."""
        return self.heap if self.left is None else self.left

    def under(self, condition: Term) -> State:
        """Inside an expression, where a condition holds."""
        return replace(
            self, guard=tb.conjoin(self.guard, condition), known=self.knowing(condition).known
        )

    def knowing(self, fact: Term) -> State:
        """With a fact that was assumed (by the caller) where this state is."""
        if fact is tb.TRUE:
            return self
        parts = fact.args if isinstance(fact, App) and fact.symbol is op.AND else (fact,)
        return replace(self, known=self.known | set(parts))

    @property
    def lasting(self) -> frozenset[Term]:
        """What is known whatever the conditions around: that amounts made as positive are."""
        return frozenset([fact for fact in self.known if _is_lasting(fact)])

    def decided(self, condition: Term) -> Term:
        """The condition, or its truth value where it is known without a question."""
        if condition in self.known:
            return tb.TRUE
        return tb.FALSE if tb.negate(condition) in self.known else condition

    def binding(self, name: str, value: Term) -> State:
        return replace(self, store={**self.store, name: value})

    def storing(self, store: Mapping[str, Term]) -> State:
        return replace(self, store=store)

    def on(self, heap: Heap) -> State:
        """With another heap, and nothing being exhaled."""
        return replace(self, heap=heap, left=None)

    def leaving(self, left: Heap) -> State:
        """While exhaling: with another remainder."""
        return replace(self, left=left)

    def labelled(self, name: str, heap: Heap, passed: Term = tb.TRUE) -> State:
        return self.with_labels({**self.labels, name: LabelRecord(heap, passed)})

    def with_labels(self, labels: Mapping[str, LabelRecord]) -> State:
        return replace(self, labels=labels)

    def framed(self, frames: tuple[Heap, ...]) -> State:
        return replace(self, frames=frames)


def _is_lasting(fact: Term) -> bool:
    if not isinstance(fact, App) or fact.symbol is not op.LESS or fact.args[0] is not tb.NONE:
        return False
    amount = fact.args[1]
    return isinstance(amount, App) and not amount.args and amount.symbol.name.startswith(SOME)
