"""unfolding."""

from __future__ import annotations

from pitviper.program import expr as pe
from pitviper.terms.term import Term
from pitviper.vcgen.context import Context
from pitviper.vcgen.state import State


def eval_unfolding(st: State, e: pe.Unfolding, cx: Context) -> Term:
    return cx.unsupported_value(st, e, cx.services.symbols.sort(e.type), "unfolding")
