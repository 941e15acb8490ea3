"""The sides of a wand must make sense on their own, wherever the wand is mentioned."""

from __future__ import annotations

from pitviper.base.record import replace
from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.rules import inhale as inhale_rules
from pitviper.engines.vcg.state import Heap, State
from pitviper.program.assertion import Wand

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
