"""Calls through an interface, for engines that run a program: the class of an object decides.

Verifiers need no body of a method that an interface declares: each class is verified against its
contract. A run needs one. It calls the method of the class that the receiver is of; there are no
other objects than those of the classes in the file.
"""

from __future__ import annotations

from pitviper.base.record import replace
from pitviper.program import expr as x
from pitviper.program import member as m
from pitviper.program import stmt as s
from pitviper.program.callgraph import DISPATCH, dispatched
from pitviper.program.classes import class_of
from pitviper.program.node import Annotation


def dispatching(methods: list[tuple[int, str]]) -> tuple[Annotation, ...]:
    """The annotation for the methods that stand for one of an interface, by class."""
    values = [text for number, name in methods for text in (str(number), name)]
    return (Annotation(DISPATCH, tuple(values)),) if values else ()


def with_dispatch(program: m.Program) -> m.Program:
    """The program in which methods of interfaces have bodies that call those of classes."""
    methods = {name: _with_body(method) for name, method in program.methods.items()}
    return replace(program, methods=methods)


def _with_body(method: m.Method) -> m.Method:
    chosen = dispatched(method)
    if method.body is not None or not chosen:
        return method
    span, this = method.span, method.params[0]
    nobody = s.Inhale(x.BoolLit(value=False, span=span), span=span)
    rest = s.Block((nobody,), span=span)
    for number, name in chosen:
        call = s.MethodCall(name, method.params, method.returns, span=span)
        condition = class_of(this, number, span)
        rest = s.Block((s.If(condition, s.Block((call,), span=span), rest, span=span),), span=span)
    return replace(method, body=rest)
