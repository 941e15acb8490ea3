"""fold and unfold."""

from __future__ import annotations

from pitviper.program import stmt as ps
from pitviper.vcgen.context import Context
from pitviper.vcgen.state import State


def fold(st: State, s: ps.Fold, cx: Context) -> State:
    cx.proving("fold.failed", s, s.predicate).unsupported(st, s, "fold")
    return st


def unfold(st: State, s: ps.Unfold, cx: Context) -> State:
    cx.proving("unfold.failed", s, s.predicate).unsupported(st, s, "unfold")
    return st
