"""What became of a permission that is missing: the step on the failing path that gave it up.

Steps are recorded as references to the heaps before and after a statement, which costs nothing
worth measuring; they are compared only when a check has failed. NOTE(no-guess): where branches were
merged, the steps inside them are not on the path; if the permission was still there after the last
step on the path, it was lost on the way since, and nothing is said.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from pitviper.engines.symbolic.heap.chunk import Heap, predicate_resource
from pitviper.engines.symbolic.heap.consolidate import same_args
from pitviper.engines.symbolic.provenance import Location, Step
from pitviper.engines.symbolic.state import State
from pitviper.program import stmt as ps
from pitviper.program.print.expressions import text_of
from pitviper.results.finding import Event
from pitviper.results.wording import spoken
from pitviper.solver.session import Path
from pitviper.terms import build as tb
from pitviper.terms.term import Term

MAX_QUESTIONS = 16
"""Questions to the solver about one missing permission."""

Proves: TypeAlias = Callable[[State, Term], bool]


def history_of(
    st: State, location: Location, steps: Sequence[Step], proves: Proves
) -> tuple[Event, ...]:
    """The event that took the permission away last; none if it is not known."""
    return _Search(st, location, proves).run(steps)


class _Search:
    """Walks back along one path, with a bounded number of questions."""

    def __init__(self, st: State, location: Location, proves: Proves) -> None:
        self._st = st
        self._location = location
        self._proves = proves
        self._asked = 0

    def run(self, steps: Sequence[Step]) -> tuple[Event, ...]:
        now = self._amount(self._st.held)
        if self._less(now, self._amount(self._st.heap)):
            return ()  # an earlier part of the same assertion has it
        entries = _entries(self._st.path)
        for step in reversed(steps):
            if step.after.path not in entries or not self._concerns(step):
                continue
            after = self._amount(step.after.heap)
            if self._less(now, after):
                return ()
            before = self._amount(step.before)
            if self._less(after, before):
                whole = after is tb.NONE or self._ask(tb.equal(after, tb.NONE))
                event = _event(step.statement, "the permission" if whole else _PART)
                return (event, *self._became_of(step, steps))
        return ()

    def _became_of(self, step: Step, steps: Sequence[Step]) -> tuple[Event, ...]:
        """What became of the instance into which the permission was folded, if it is gone, too."""
        if not isinstance(step.statement, ps.Fold):
            return ()
        resource = predicate_resource(step.statement.predicate.predicate)
        made = [c for c in step.after.heap.of(resource) if c not in step.before.of(resource)]
        if len(made) != 1:
            return ()
        name = text_of(step.statement.predicate)
        later = list(steps)[list(steps).index(step) + 1 :]
        told = _Search(self._st, Location(resource, made[0].args), self._proves).run(later)
        return tuple([Event(e.text.replace("the permission", name, 1), e.span) for e in told])

    def _concerns(self, step: Step) -> bool:
        """Whether a step changed anything of the resource, in a loop that is still going on."""
        resource, after = self._location.resource, step.after.heap
        if isinstance(step.statement, ps.While | ps.Label):
            frame = step.after.frames[-1]
            if not any(f is frame for f in self._st.frames):
                return False
        return step.before.of(resource) is not after.of(resource) or step.before.quantified(
            resource
        ) is not after.quantified(resource)

    def _amount(self, heap: Heap) -> Term:
        resource, args = self._location.resource, self._location.args
        chunks = heap.of(resource)
        parts = [tb.ite(same_args(c.args, args), c.amount, tb.NONE) for c in chunks]
        parts += [c.amount_at(args) for c in heap.quantified(resource)]
        return tb.total(parts)

    def _less(self, a: Term, b: Term) -> bool:
        return a is not b and b is not tb.NONE and self._ask(tb.less(a, b))

    def _ask(self, goal: Term) -> bool:
        if goal is tb.TRUE or goal is tb.FALSE:
            return goal is tb.TRUE
        self._asked += 1
        return self._asked <= MAX_QUESTIONS and self._proves(self._st, goal)


_PART = "part of the permission"


def _entries(path: Path) -> frozenset[Path]:
    """All older parts of a path, to look up; the empty path is part of every one."""
    root = path
    while root.older is not None:
        root = root.older
    return frozenset([root, *path])


def _event(s: ps.Stmt, what: str) -> Event:
    match s:
        case ps.MethodCall(method):
            text = f"{what} was given up by this call of {method} and not returned"
        case ps.Exhale():
            text = f"{what} was exhaled here"
        case ps.Fold(location):
            text = f"{what} was folded into {text_of(location)} here"
        case ps.Unfold(location):
            text = f"{what} was given up by unfolding {text_of(location)} here"
        case ps.Package():
            text = f"{what} was packaged into the wand here"
        case ps.Apply():
            text = f"{what} was given up by applying the wand here"
        case ps.While() | ps.Label():
            text = f"{what} stayed outside this loop: its invariants do not ask for it"
        case _:
            text = f"{what} was lost here"
    span = s.condition.span if isinstance(s, ps.While) else s.span
    return Event(spoken(text, span), span)
