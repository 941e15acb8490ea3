"""Functions are explored like methods that apply them once, to any arguments.

What is checked is the body of the function and its promises, where its precondition holds.
"""

from __future__ import annotations

from pitviper.base.record import replace
from pitviper.driver.front.frontend import FrontEnd
from pitviper.program import expr as pe
from pitviper.program import stmt as ps
from pitviper.program.member import Function, Method


def with_functions(front: FrontEnd, names: tuple[str, ...] = ()) -> FrontEnd:
    """The program with a method for each function that is named, under its name.

    Without names for those that promise something. Functions without body have nothing to run.
    """
    program = front.program
    assert program is not None
    wanted = [
        f
        for f in program.functions.values()
        if f.body is not None and (f.name in names if names else f.postconditions)
    ]
    methods = {**program.methods, **{f.name: _method(f) for f in wanted}}
    return replace(front, program=replace(program, methods=methods))


def _method(function: Function) -> Method:
    span = function.span
    args = function.params
    applied = pe.FunctionApp(function.name, args, function.result, reveal=True, span=span)
    value = pe.Var("result", function.result, span=span)
    computed = pe.Let(value, applied, pe.BoolLit(value=True, span=span), span=span)
    body = ps.Block((ps.Assert(computed, span=span),), span=span)
    return Method(function.name, args, (), function.preconditions, (), (), body, span=span)
