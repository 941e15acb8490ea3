"""Quantified permissions."""

from __future__ import annotations

from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program import stmt as ps
from pitviper.terms import build as tb
from pitviper.terms.term import Term
from pitviper.vcgen.context import Context
from pitviper.vcgen.entry import AnyEntry
from pitviper.vcgen.state import Heap, State


def inhale_quantified(
    st: State, a: pa.QuantifiedPermission, snap: Term | None, cx: Context
) -> State:
    cx.unsupported(st, a, "A quantified permission")
    return st


def exhale_quantified(
    st: State, a: pa.QuantifiedPermission, cx: Context, touched: dict[object, None]
) -> State:
    cx.unsupported(st, a, "A quantified permission")
    return st


def forget(st: State, before: Heap, heap: Heap, item: object, cx: Context) -> Heap:
    raise ValueError(f"nobody gives up {item}")


def forperm_quantified(st: State, e: pe.ForPerm, entry: AnyEntry, cx: Context) -> Term:
    return cx.unsupported_value(st, e, tb.TRUE.sort, "A quantified permission")


def exec_quasihavoc_all(st: State, s: ps.QuasihavocAll, cx: Context) -> State:
    cx.proving("quasihavocall.failed", s.location).unsupported(st, s, "quasihavocall")
    return st
