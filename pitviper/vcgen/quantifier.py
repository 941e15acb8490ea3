"""Quantifiers."""

from __future__ import annotations

from collections.abc import Callable

from pitviper.program import expr as pe
from pitviper.terms import build as tb
from pitviper.terms.term import Term
from pitviper.vcgen.context import Context
from pitviper.vcgen.state import State

Check = Callable[[State, Term], None]


def eval_quantifier(st: State, e: pe.Forall | pe.Exists, cx: Context) -> Term:
    return cx.unsupported_value(st, e, tb.TRUE.sort, "A quantifier")


def is_universal(e: pe.Expr) -> bool:
    return isinstance(e, pe.Forall)


def prove_universal(st: State, e: pe.Expr, check: Check, cx: Context) -> Term:
    return cx.unsupported_value(st, e, tb.TRUE.sort, "A quantifier")
