"""Magic wands: instances are held, and given with the left-hand side for the right-hand side."""

from __future__ import annotations

from pitviper.base.record import replace
from pitviper.encoding.inhale_exhale import flattened
from pitviper.encoding.symbols import WAND_APPLY, WAND_SNAPSHOT
from pitviper.engines.shared.judgement import (
    is_judged_on_application,
    is_judged_on_use,
    right_is_judged_on_application,
)
from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.heap import snapshot as snapshots
from pitviper.engines.vcg.heap.add import add_valued
from pitviper.engines.vcg.heap.entry import Index, Kind, Portion, Request
from pitviper.engines.vcg.heap.take import take
from pitviper.engines.vcg.rules import evaluate as ev
from pitviper.engines.vcg.rules import exhale as exhale_rules
from pitviper.engines.vcg.rules import inhale as inhale_rules
from pitviper.engines.vcg.state import Heap, State
from pitviper.engines.vcg.wands.holes import filled
from pitviper.engines.vcg.wands.transfer import transfer
from pitviper.engines.vcg.wands.value import wand_value
from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program import stmt as ps
from pitviper.program.assertion import Assertion, Wand
from pitviper.terms import build as tb
from pitviper.terms.snapshot import unwrap
from pitviper.terms.term import Term


def locate_wand(st: State, wand: pa.Wand, cx: Context) -> tuple[Kind, Index]:
    """The shape and the values of the holes. Whether these are well-defined where they stand is
    found out when the sides are judged."""
    check_wand(st, wand, cx)
    return filled(st, wand, cx)


def inhale_wand(st: State, a: pa.Wand, snap: Term | None, cx: Context) -> State:
    kind, index = locate_wand(st, a, cx)
    value = cx.fresh("wand", WAND_SNAPSHOT) if snap is None else unwrap(snap, WAND_SNAPSHOT)
    return add_valued(st, Portion(kind, index, cx.scale), value, cx)


def exhale_wand(st: State, a: pa.Wand, cx: Context, given_up: dict[object, None]) -> State:
    kind, index = locate_wand(st, a, cx)
    given_up[exhale_rules.Point(kind, index)] = None
    return take(st, Request(kind, index, cx.scale, wildcard=False, node=a), cx)


def exec_apply(st: State, s: ps.Apply, cx: Context) -> State:
    return apply_wand(st, s.wand, cx.proving("apply.failed", s))


def eval_applying(st: State, e: pe.Applying, cx: Context) -> Term:
    """The same on a copy of the state; nothing is moved into a package for an expression."""
    after = apply_wand(st, e.wand, replace(cx.for_expression(), packaging=None))
    return ev.evaluate(after, e.body, cx)


def apply_wand(st: State, wand: pa.Wand, cx: Context) -> State:
    """The snapshot of the wand is a function, so right-hand values follow from left-hand ones."""
    kind, index = locate_wand(st, wand, cx)
    st, function = _taken(st, kind, index, wand, cx)
    given_up: exhale_rules.GivenUp = {}
    inner = cx if _is_judged_where_given(wand.left) else cx.trusting()
    after = exhale_rules.exhale_parts(st.leaving(st.heap), flattened((wand.left,)), inner, given_up)
    left = snapshots.snapshot(st.on(after.heap), (wand.left,), snapshots.quiet(cx))
    inside = exhale_rules.settled(after, given_up, cx).labelled(LEFT_HAND_SIDE, after.heap)
    right = tb.apply(WAND_APPLY, function, left)
    inner = cx if right_is_judged_on_application(wand) else cx.trusting()
    result = inhale_rules.inhale_all(inside, (wand.right,), right, unseen(inner))
    return result.with_labels(st.labels)


def _is_judged_where_given(side: Assertion) -> bool:
    """Whether a left-hand side that is given looks at parts that were not judged where the wand
    was mentioned: there it was assumed, so that of a pair the other side was looked at."""
    return is_judged_on_application(side) or is_judged_on_use(side)


def _taken(st: State, kind: Kind, index: Index, wand: pa.Wand, cx: Context) -> tuple[State, Term]:
    """Without the instance; and what that remembers."""
    wanted = Request(kind, index, tb.WRITE, wildcard=False, node=wand)
    st = transfer(st.leaving(st.heap), wanted, cx)
    function = wand_value(st, st.held, kind, index, cx)
    st = take(st, wanted, cx)
    return exhale_rules.settled(st, {exhale_rules.Point(kind, index): None}, cx), function


LEFT_HAND_SIDE = "lhs"
"""The label of the state in which the left-hand side of a wand holds."""


def unseen(cx: Context) -> Context:
    """While a side is assumed: it holds in a part of the state, `perm` looks at the whole."""
    return replace(cx, introspective=False, packaging=None)


def check_wand(st: State, wand: Wand, cx: Context) -> None:
    """The left side from nothing; the right one from nothing, with the left one as `old[lhs]`."""
    if not cx.checking:
        return
    inner = replace(cx.proving("wand.not.wellformed", wand), packaging=None, lenient=True)
    with cx.aside(st) as inside:
        alone = inside.on(_nothing(cx)).framed(())
        left = inhale_rules.inhale_all(alone, (wand.left,), None, inner)
        right = left.labelled(LEFT_HAND_SIDE, left.heap).on(_nothing(cx))
        inhale_rules.inhale_all(right, (wand.right,), None, inner)


def _nothing(cx: Context) -> Heap:
    return Heap(cx.services.supply.name("heap"))
