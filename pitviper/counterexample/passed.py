"""What was held on the way to a state: a state behind one that is impossible is so as well.

NOTE(passed). A verifier says what follows from two chunks where it needs that, and looks into
instances only where the program does. So the heap of a state, and those with a label, are not all
that counts: what was given away before, and what loops have set aside, was held at some moment,
and no location was held more than once then. A new object is none of those that were stored before.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import TypeAlias

from pitviper.base.record import record, replace
from pitviper.engines.symbolic.heap.chunk import Chunk, Heap, Kind, Resource
from pitviper.engines.symbolic.outcomes import guard_since
from pitviper.engines.symbolic.state import State
from pitviper.explain.places import actions, on_path
from pitviper.explain.recorder import Action, TraceRecorder
from pitviper.program import stmt as ps
from pitviper.solver.session import Path
from pitviper.terms import build as tb
from pitviper.terms.term import Term

MOST_PASSED = 16
"""Heaps on the way that are looked at, the last ones."""
_GIVES_AWAY = (ps.Exhale, ps.Cut, ps.MethodCall, ps.Apply)


@record
class Passed:
    """What was held at a moment, on the ways to a state that meet this condition."""

    given: Term
    heap: Heap

    def covers(self, other: Passed) -> bool:
        """Returns whether the other has nothing that this has not."""
        if self.given is not tb.TRUE and self.given is not other.given:
            return False
        plain, wide = set(self.heap), set(self.heap.quantified_chunks())
        return all(chunk in plain for chunk in other.heap) and all(
            chunk in wide for chunk in other.heap.quantified_chunks()
        )


@record
class New:
    """A new object; the variables and heaps that there were before, each if a condition holds."""

    made: Term
    named: tuple[tuple[Term, Term], ...]
    heaps: tuple[Passed, ...]


@record
class Way:
    """What is known of the way to a state: what was held, which objects are new, and the shapes
    of wands that were packaged: these hold what they took, which nobody counts. `applied` are wands
    that were applied before anything was given away beside them."""

    heaps: tuple[Passed, ...] = ()
    new: tuple[New, ...] = ()
    packaged: frozenset[Resource] = frozenset()
    applied: frozenset[Chunk] = frozenset()


def way_to(st: State, until: Action, recorder: TraceRecorder) -> Way:
    """Returns what was held on the way to a state: at its end with all that is set aside, and
    before each statement that gave something away; `until` is the action that the state is of."""
    steps = _on_the_way(st, until, recorder)
    found = [*_before_losses(st, steps)][::-1]
    if st.frames:
        found.insert(0, Passed(tb.TRUE, _together(st)))
    kept = [Passed(tb.TRUE, heap) for heap in (st.heap, *st.old.values())]
    known = len(kept)
    for each in found:
        if not any(other.covers(each) for other in kept):
            kept.append(each)
    packaged = [
        chunk.resource
        for _, action in steps
        if isinstance(action.node, ps.Package)
        for after in action.after
        for chunk in (*after.heap, *after.heap.quantified_chunks())
        if chunk.resource.kind is Kind.WAND
    ]
    passed, made, applied = kept[known:][:MOST_PASSED], tuple(_new(steps)), _applied(steps)
    return Way(tuple(passed), made, frozenset(packaged), applied)


Steps: TypeAlias = list[tuple[Term, Action]]
"""Statements, each with the condition under which the way was theirs."""


def _before_losses(st: State, steps: Steps) -> Iterator[Passed]:
    """What was held before something was given away, in the order in which that was."""
    last: tuple[Term, State] | None = None
    for given, action in steps:
        before = action.before
        assert before is not None
        if last is not None and len(last[1].frames) < len(before.frames):
            yield Passed(last[0], _together(last[1]))
        if isinstance(action.node, _GIVES_AWAY):
            yield Passed(given, _together(before))
        last = (given, action.after[-1] if action.after else before)
    if last is not None and len(last[1].frames) < len(st.frames):
        yield Passed(last[0], _together(last[1]))


def _applied(steps: Steps) -> frozenset[Chunk]:
    """Wands that were applied, and beside which nothing was given away, nor set aside, before."""
    found, beside = set[Chunk](), set[Chunk]()
    frames = 0
    for _, action in steps:
        before = action.before
        assert before is not None
        wands = {chunk for chunk in before.heap if chunk.resource.kind is Kind.WAND}
        if isinstance(action.node, ps.Apply) and len(before.frames) == frames:
            gone = wands - {chunk for after in action.after for chunk in after.heap}
            found |= gone - beside
            beside |= wands - gone
        elif isinstance(action.node, _GIVES_AWAY) or len(before.frames) != frames:
            beside |= wands
        frames = len(before.frames)
    return frozenset(found)


def _new(steps: Steps) -> Iterator[New]:
    """New objects, with what was named or held before them."""
    variables, earlier = dict[Term, Term](), list[Passed]()
    for given, action in steps:
        before = action.before
        assert before is not None
        for term in before.store.values():
            variables.setdefault(term, given)
        if isinstance(action.node, (*_GIVES_AWAY, ps.FieldAssign)):
            earlier.append(Passed(given, before.heap))
        if isinstance(action.node, ps.New):
            made = action.after[-1].store[action.node.target.name]
            heaps = [Passed(given, heap) for heap in (before.heap, *before.old.values())]
            held = [replace(p, given=tb.conjoin(given, p.given)) for p in earlier[-MOST_PASSED:]]
            named = tuple([(tb.conjoin(given, when), term) for term, when in variables.items()])
            yield New(made, named, (*held, *heaps))


def _on_the_way(st: State, until: Action, recorder: TraceRecorder) -> Steps:
    """Statements that lead to a state, each with the condition under which the way was theirs.

    Where ways have met, those behind that point are followed back as well.
    """
    every = list(takewhile(lambda action: action is not until, actions(recorder.roots)))
    entries: dict[int, Term] = {entry: tb.TRUE for entry in on_path(st.path)}
    found: Steps = []
    for action in reversed(every):
        leads = [s for s in action.after if id(s.path) in entries or not s.path.length]
        if not leads:
            continue
        if action.rule == "merge":
            for way in action.merged:
                given = guard_since(Path(), way.path)
                for entry in on_path(way.path):
                    entries.setdefault(entry, given)
        elif action.rule == "execute" and action.before is not None and not action.before.outers:
            given = entries.get(id(leads[-1].path), tb.TRUE)
            found.append((given, replace(action, after=leads)))
    return found[::-1]


def _together(st: State) -> Heap:
    """What is held and what the loops around have set aside."""
    heap = st.heap
    for frame in st.frames:
        for chunk in frame:
            heap = heap.adding(chunk)
        for many in frame.quantified_chunks():
            heap = heap.adding_quantified(many)
    return heap
