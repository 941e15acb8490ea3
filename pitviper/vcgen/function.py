"""Applications of functions of the program."""

from __future__ import annotations

from pitviper.program import expr as pe
from pitviper.terms.term import Term
from pitviper.vcgen.context import Context
from pitviper.vcgen.state import State


def apply_function(st: State, e: pe.FunctionApp, args: tuple[Term, ...], cx: Context) -> Term:
    sort = cx.services.symbols.sort(e.type)
    return cx.unsupported_value(st, e, sort, "Applying a function")
