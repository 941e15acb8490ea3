"""Magic wands."""

from __future__ import annotations

from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program import stmt as ps
from pitviper.terms.term import Term
from pitviper.vcgen.context import Context
from pitviper.vcgen.state import State


def inhale_wand(st: State, a: pa.Wand, snap: Term | None, cx: Context) -> State:
    cx.unsupported(st, a, "A magic wand")
    return st


def exhale_wand(st: State, a: pa.Wand, cx: Context, touched: dict[object, None]) -> State:
    cx.unsupported(st, a, "A magic wand")
    return st


def eval_applying(st: State, e: pe.Applying, cx: Context) -> Term:
    return cx.unsupported_value(st, e, cx.services.symbols.sort(e.type), "applying")


def exec_apply(st: State, s: ps.Apply, cx: Context) -> State:
    cx.proving("apply.failed", s).unsupported(st, s, "apply")
    return st


def exec_package(st: State, s: ps.Package, cx: Context) -> State:
    cx.proving("package.failed", s).unsupported(st, s, "package")
    return st
