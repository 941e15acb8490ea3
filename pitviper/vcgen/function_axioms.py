"""Translation of functions."""

from __future__ import annotations

from pitviper.program.member import Function
from pitviper.terms.term import Term
from pitviper.vcgen.context import Context
from pitviper.vcgen.state import State
from pitviper.vcgen.wellformed import empty_heap


def translate_function(function: Function, cx: Context) -> tuple[Term, ...]:
    inner = cx.proving("function.not.wellformed", function)
    inner.unsupported(State({}, empty_heap(cx)), function, "A function")
    return ()
