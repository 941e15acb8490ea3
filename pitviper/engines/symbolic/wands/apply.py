"""Applying magic wands: the instance and its left-hand side are given for the right-hand side."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.base.record import replace
from pitviper.encoding.symbols import WAND_APPLY, WAND_SNAPSHOT
from pitviper.engines.shared.judgement import may_lack_meaning, right_is_judged_on_application
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap import access
from pitviper.engines.symbolic.heap.chunk import EMPTY, Resource
from pitviper.engines.symbolic.heap.request import Request
from pitviper.engines.symbolic.modes import Judged
from pitviper.engines.symbolic.rules import consume as consume_rules
from pitviper.engines.symbolic.rules import evaluate as ev
from pitviper.engines.symbolic.rules import produce as produce_rules
from pitviper.engines.symbolic.services import Log
from pitviper.engines.symbolic.state import State
from pitviper.program.assertion import Wand
from pitviper.solver.session import FactKind
from pitviper.terms import build as tb
from pitviper.terms.snapshot import unwrap
from pitviper.terms.term import Term

LEFT_HAND_SIDE = "lhs"
"""The label of the state in which the left-hand side of a wand holds."""


def locate_wand(st: State, wand: Wand, cx: Context) -> tuple[State, Resource, tuple[Term, ...]]:
    """The shape and the values of the holes. Whether these are well-defined where they stand is
    found out when the sides are judged."""
    check_wand(st, wand, cx)
    services = cx.services
    if not may_lack_meaning(services.symbols.shape(wand).holes, services.program):
        return ev.locate(st, wand, cx.claims_only())
    trial = replace(services, log=Log(), recorder=None, checked={})
    judged = replace(cx, services=trial, modes=cx.modes.judging(Judged.EVERYTHING))
    looked, resource, values = ev.locate(st, wand, judged)
    return looked if judged.reported == 0 else _with_definitions(st, looked), resource, values


def _with_definitions(st: State, looked: State) -> State:
    """Of what was learnt from holes without a meaning, what new symbols stand for: NOTE(holes)."""
    for entry in looked.path.since(st.path):
        if entry.kind is FactKind.DEFINITION:
            st = st.assume(entry.fact, entry.kind, entry.provenance)
    return st


def check_wand(st: State, wand: Wand, cx: Context) -> None:
    """Both sides must make sense on their own, the right one with the left one as `old[lhs]`.

    That depends on what is known, so every use is checked; but what is found is said only once in
    the contract of a member, and once in its body.
    """
    if not cx.modes.checking:
        return
    part = "contract" if cx.obligation.error == "not.wellformed" else "body"
    place = f"{part}: {cx.services.symbols.shape(wand).name}"
    if place in cx.services.checked:
        return
    reported = cx.reported
    modes = replace(cx.modes, snapshots=False, in_wand=True)
    inner = cx.proving("wand.not.wellformed", wand).in_modes(modes)
    alone = st.holding(EMPTY).with_outers(())
    for s1 in produce_rules.produce_all(alone, (wand.left,), None, inner):
        right = s1.labelled(LEFT_HAND_SIDE, s1.heap).holding(EMPTY)
        for _ in produce_rules.produce_all(right, (wand.right,), None, inner):
            pass
    if cx.reported > reported:
        cx.services.checked[place] = None


def apply_wand(st: State, wand: Wand, cx: Context) -> Iterator[State]:
    """The snapshot of the wand is a function, so right-hand values follow from left-hand ones."""
    st, resource, holes = locate_wand(st, wand, cx)
    request = Request(resource, holes, tb.WRITE, node=wand)
    st, taken = access.take(st.leaving(st.heap), request, cx)
    function = unwrap(taken, WAND_SNAPSHOT)
    before = st.settled()
    labels, valued = st.old, cx.with_snapshots()
    for s1, left in consume_rules.consume_all(before.leaving(before.heap), (wand.left,), valued):
        inside = s1.settled().labelled(LEFT_HAND_SIDE, s1.heap)
        right = tb.apply(WAND_APPLY, function, left)
        judged = cx if right_is_judged_on_application(wand) else cx.trusting()
        judged = judged.without_introspection()
        for s2 in produce_rules.produce_all(inside, (wand.right,), right, judged):
            yield s2.with_old(labels)
